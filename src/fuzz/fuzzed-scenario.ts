import type { Readings } from '../contract/gaps.js'
import { readScenarioDocument } from '../scenario/document.js'
import { loadScenario, type ScenarioDefinition, type ScenarioInput } from '../scenario/index.js'
import {
  type Command,
  type Expectation,
  type InitialState,
  parseDuration,
  type ReadingChoices,
  type ReadingsLayer,
  type TriggeredEntry,
  withChoices,
} from '../world/index.js'
import {
  answeredMail,
  keyOfElement,
  type PlanElement,
  type RequestNumber,
  type WrittenEntry,
} from './elements.js'

/** How the scenario of plans is loaded. */
export interface FuzzedOptions {
  readonly seed?: number | undefined
  readonly readings?: readonly ReadingsLayer[] | undefined
  readonly allowFiles?: readonly string[] | undefined
}

/** A scenario whose story is changed by plans. What is loaded for an element is loaded once, and shared by all plans. */
export class FuzzedScenario {
  readonly initialState: InitialState
  /** The scenario as it is written. */
  readonly document: ScenarioInput
  readonly #options: FuzzedOptions
  readonly #mail = new Map<string, Promise<readonly TriggeredEntry[]>>()
  readonly #sized = new Map<string, Promise<InitialState>>()
  readonly #readings = new Map<string, Readings>()

  private constructor(initialState: InitialState, document: ScenarioInput, options: FuzzedOptions) {
    this.initialState = initialState
    this.document = document
    this.#options = options
  }

  /** Loads a scenario. @throws ScenarioError, ReadingError */
  static async load(
    scenario: string | ScenarioDefinition,
    options: FuzzedOptions = {},
  ): Promise<FuzzedScenario> {
    const initialState = rememberingBodies(await loadScenario(scenario, options))
    return new FuzzedScenario(initialState, await readScenarioDocument(scenario, options.seed), options)
  }

  /** Returns the story with the elements of a plan in it, and other expectations. */
  async stateOf(
    elements: readonly PlanElement[],
    expectations: readonly Expectation[],
  ): Promise<InitialState> {
    const sized = await this.#stateOfSizes(elements)
    const base = { ...sized, timeline: delayed(sized.timeline, elements) }
    const triggered = await Promise.all(elements.map((element) => this.#triggeredBy(element, base)))
    const choices = choicesOf(elements)
    const from = Object.fromEntries(Object.keys(choices).map((gap) => [gap, 'scenario']))
    return {
      ...base,
      readings: this.#readingsWith(choices),
      origins: { ...base.origins, ...from },
      timeline: this.#timelineWith(elements, base),
      triggered: [...(base.triggered ?? []), ...triggered.flat()],
      expectations,
    }
  }

  /** Returns the scenario as it is written, with the elements of a plan in it. */
  documentOf(elements: readonly PlanElement[], expect: NonNullable<ScenarioInput['expect']>): ScenarioInput {
    const timeline = (this.document.timeline ?? []).map((written, place) => {
      const late = elements.find((one) => isLate(one) && one.entry === place)
      const entry = late && isLate(late) ? { ...written, event_delay: late.delay } : written
      const moving = movingOf(place, elements)
      if (!moving) return entry
      const { after, at } = this.document.timeline?.[moving.like ?? place] ?? {}
      const { after: _, at: __, ...action } = entry
      const time = {
        ...(after === undefined ? { at } : { after }),
        ...(moving.when && { when: moving.when }),
      }
      // Under its old name it brings the same values.
      return { key: moving.name, ...action, ...time } as WrittenEntry
    })
    const added = elements.flatMap(writtenEntries)
    const { seed } = this.initialState
    const identities = (this.document.identities ?? []).map((identity) => sizedIdentity(identity, elements))
    const readings = writtenReadings(this.initialState, elements) as NonNullable<ScenarioInput['readings']>
    const { expect: _, timeline: __, readings: ___, scenario, describe, ...document } = this.document
    return {
      scenario,
      ...(describe !== undefined && { describe }),
      ...document,
      seed,
      ...(Object.keys(readings).length > 0 && { readings }),
      ...(identities.length > 0 && { identities }),
      timeline: [...timeline, ...added],
      ...(expect.length > 0 && { expect }),
    }
  }

  #timelineWith(elements: readonly PlanElement[], { timeline }: InitialState): InitialState['timeline'] {
    if (elements.every(({ vary }) => vary !== 'timing')) return timeline
    const afters = new Map(timeline.map(({ name, after }) => [name, after]))
    const moves = new Map(
      (this.document.timeline ?? []).flatMap((_, place) => {
        const moving = movingOf(place, elements)
        return moving ? [[moving.name, moving] as const] : []
      }),
    )
    const moved = timeline.flatMap((entry) => {
      const moving = moves.get(entry.name)
      if (!moving) return [entry]
      return moving.when ? [] : [{ ...entry, after: afters.get(moving.likeName) ?? entry.after }]
    })
    return moved.sort((a, b) => a.after - b.after)
  }

  /** Equal choices are the same object, under which rows are rendered once. */
  #readingsWith(choices: ReadingChoices): Readings {
    const key = JSON.stringify(Object.entries(choices).sort())
    const known = this.#readings.get(key)
    if (known) return known
    const { readings } = this.initialState
    const chosen = key === '[]' ? readings : withChoices(readings, choices)
    this.#readings.set(key, chosen)
    return chosen
  }

  async #triggeredBy(element: PlanElement, base: InitialState): Promise<readonly TriggeredEntry[]> {
    switch (element.vary) {
      case 'faults':
        return [{ name: nameOf(element), when: element.when, commands: [], fault: element.fault }]
      case 'deliveries': {
        if (element.how === 'late') return []
        const { when, event, nth } = element
        return [{ name: nameOf(element), when, commands: [], redeliver: { event, nth } }]
      }
      case 'timing': {
        if (element.how !== undefined) return []
        const entry = base.timeline.find(({ name }) => name === element.name)
        if (!entry) return []
        const { after: from, ...action } = entry
        return [{ ...action, when: { ...element.when, ...(from > 0 && { from }) } }]
      }
      case 'mail':
        return this.#compiled(element)
      default:
        return []
    }
  }

  #compiled(element: Extract<PlanElement, { vary: 'mail' }>): Promise<readonly TriggeredEntry[]> {
    const key = keyOfElement(element)
    const known = this.#mail.get(key)
    if (known) return known
    const compiled = this.#compile(writtenEntries(element))
    this.#mail.set(key, compiled)
    return compiled
  }

  /** Compiles entries beside the parts of the scenario that they may refer to. */
  async #compile(timeline: readonly WrittenEntry[]): Promise<readonly TriggeredEntry[]> {
    const { seed } = this.initialState
    const withoutBulk = <Identity extends NonNullable<ScenarioInput['identities']>[number]>(
      one: Identity,
    ) => {
      const { generate: _, maildir: __, threads = [], ...rest } = one
      return { ...rest, threads: threads.filter(({ key }) => key !== undefined) }
    }
    const { readings: _, webhooks: __, expect: ___, ...document } = this.document
    const small = {
      ...document,
      identities: (document.identities ?? []).map(withoutBulk),
      organizations: (document.organizations ?? []).map((one) => ({
        ...one,
        identities: (one.identities ?? []).map(withoutBulk),
      })),
      timeline,
    }
    const { triggered = [] } = await loadScenario(small as ScenarioInput, { seed })
    return triggered
  }

  #stateOfSizes(elements: readonly PlanElement[]): Promise<InitialState> | InitialState {
    const sizes = elements.filter(({ vary }) => vary === 'sizes')
    if (sizes.length === 0) return this.initialState
    const key = sizes.map(keyOfElement).sort().join()
    const known = this.#sized.get(key)
    if (known) return known
    const { readings, allowFiles } = this.#options
    const { seed } = this.initialState
    const identities = (this.document.identities ?? []).map((identity) => sizedIdentity(identity, sizes))
    const loaded = loadScenario({ ...this.document, identities }, { seed, readings, allowFiles }).then(
      rememberingBodies,
    )
    this.#sized.set(key, loaded)
    return loaded
  }
}

/** An element that has receivers told late. */
type LateElement = Extract<PlanElement, { readonly how: 'late' }>

function isLate(element: PlanElement): element is LateElement {
  return element.vary === 'deliveries' && element.how === 'late'
}

/** Has receivers told late of what entries do. */
function delayed(
  timeline: InitialState['timeline'],
  elements: readonly PlanElement[],
): InitialState['timeline'] {
  const delays = new Map(
    elements.filter(isLate).map(({ name, delay }) => [name, parseDuration(delay) as number]),
  )
  if (delays.size === 0) return timeline
  return timeline.map((entry) => {
    const event_delay = delays.get(entry.name)
    if (event_delay === undefined) return entry
    return { ...entry, commands: entry.commands.map((command) => ({ ...command, event_delay }) as Command) }
  })
}

/** Returns the entries of a timeline that an element is written as; none where it changes others. */
export function writtenEntries(element: PlanElement): WrittenEntry[] {
  const key = nameOf(element)
  switch (element.vary) {
    case 'faults':
      return [{ key, when: element.when, fault: element.fault }]
    case 'mail': {
      const { when, receive, times, form } = element
      const entry = { key, when, receive, ...(times !== undefined && { repeat: { times } }) }
      if (form !== 'answer-first') return [entry]
      const answered = { ...receive, eml: answeredMail }
      return [entry, { key: `what ${key} answers`, when: { ...when, nth: when.nth + 1 }, receive: answered }]
    }
    case 'deliveries': {
      if (element.how === 'late') return []
      const { request, delivery, nth } = { request: undefined, delivery: undefined, ...element.when }
      const when = request === undefined ? { delivery, nth } : { request, nth }
      return [{ key, when, redeliver: { event: element.event, nth: element.nth } } as WrittenEntry]
    }
    default:
      return []
  }
}

/** Names the entry that an element is; everything that is drawn for it depends on that. */
export function nameOf(element: PlanElement): string {
  switch (element.vary) {
    case 'faults': {
      const { operation: _, ...effect } = element.fault
      const words = Object.entries(effect).map(([name, value]) =>
        value === true ? name : `${name} ${value}`,
      )
      return `${words.join(' ')} at ${element.when.request} ${element.when.nth}`
    }
    case 'mail': {
      const { to, thread, place, subject } = element.receive
      const where = thread ?? (place === undefined ? (subject ?? 'a new thread') : `place ${place}`)
      return `${element.form} mail at ${element.when.request} ${element.when.nth} to ${to}, ${where}`
    }
    case 'deliveries': {
      if (element.how === 'late') return element.name
      const { when, event, nth } = element
      return `${event} ${nth} again at ${'request' in when ? when.request : when.delivery} ${when.nth}`
    }
    case 'timing':
      return element.name
    default:
      return keyOfElement(element)
  }
}

/** When an entry happens instead: at a request, or at the time of another. */
interface Moving {
  readonly name: string
  readonly when?: RequestNumber
  readonly like?: number
  readonly likeName: string
}

/** Returns how the first element that is about an entry of the timeline moves it. */
function movingOf(place: number, elements: readonly PlanElement[]): Moving | undefined {
  for (const element of elements) {
    if (element.vary !== 'timing') continue
    const { entry, name, how } = element
    if (how === undefined) {
      if (entry === place) return { name, when: element.when, likeName: name }
      continue
    }
    const { other } = element
    if (entry === place) return { name, like: other.entry, likeName: other.name }
    if (other.entry === place && how === 'swapped') return { name: other.name, like: entry, likeName: name }
  }
  return undefined
}

type WrittenIdentity = NonNullable<ScenarioInput['identities']>[number]

function sizedIdentity(identity: WrittenIdentity, elements: readonly PlanElement[]): WrittenIdentity {
  const size = elements.find((one) => one.vary === 'sizes' && one.identity === identity.handle)
  if (size?.vary !== 'sizes') return identity
  const { generate, ...rest } = identity
  const threads = (generate?.threads ?? 0) + size.added
  if (threads > 0)
    return { ...rest, generate: generate ? { ...generate, threads } : { threads, messages: 1 } }
  // Of the written ones, those that nothing refers to go, the last first.
  let surplus = -threads
  const written = (identity.threads ?? [])
    .toReversed()
    .filter(({ key }) => key !== undefined || surplus-- <= 0)
  return { ...rest, threads: written.toReversed() }
}

/** Counts the written threads that nothing refers to. */
export function unnamedThreads({ threads = [] }: WrittenIdentity): number {
  return threads.filter(({ key }) => key === undefined).length
}

/** The readings that are not the default ones, and those of a plan. */
function writtenReadings({ readings, origins }: InitialState, elements: readonly PlanElement[]) {
  const chosen = Object.entries(readings).filter(([gap]) => origins[gap as never] !== 'default')
  return { ...Object.fromEntries(chosen), ...choicesOf(elements) }
}

function choicesOf(elements: readonly PlanElement[]): ReadingChoices {
  return Object.fromEntries(
    elements.flatMap((one) => (one.vary === 'readings' ? [[one.gap, one.reading]] : [])),
  )
}

/** How many generated bodies are remembered, so that a large mailbox does not keep them all. */
const rememberedBodies = 5_000

/** Returns a story whose generated bodies are made once: every plan has the client read the same ones. */
function rememberingBodies(story: InitialState): InitialState {
  const { bodies } = story.base
  const known = new Map<string, ReturnType<typeof bodies>>()
  const remembering: typeof bodies = (key) => {
    const body = known.get(key) ?? bodies(key)
    if (known.size < rememberedBodies) known.set(key, body)
    return body
  }
  return { ...story, base: { ...story.base, bodies: remembering } }
}
