import type { Readings } from '../../contract/index.js'
import type { TriggeredEntry } from '../../service/world/index.js'
import type { Expectation } from '../../story/expectations/index.js'
import {
  type EntryInput,
  type LoadOptions,
  loadScenario,
  readScenarioDocument,
  type ScenarioDefinition,
  type ScenarioInput,
  type Story,
  type WrittenIdentity,
} from '../../story/index.js'
import { change, entriesOf, keyOfElement, type PlanElement, rewrite } from './kinds/kinds.js'

/** How the scenario of plans is loaded. */
export type FuzzedOptions = Pick<LoadOptions, 'seed' | 'start' | 'readings' | 'allowFiles' | 'extend'>

/**
 * A scenario whose story plans change. Everything that an element needs is loaded once and shared by all
 * plans.
 */
export class FuzzedScenario {
  readonly initialState: Story
  /** The scenario as it is written. */
  readonly document: ScenarioInput
  readonly #options: Omit<LoadOptions, 'seed'>
  /** The compiled entries of elements, by the entry as JSON. */
  readonly #compiled = new Map<string, TriggeredEntry>()
  readonly #sized = new Map<string, Promise<Story>>()
  readonly #readings = new Map<string, Readings>()

  private constructor(initialState: Story, document: ScenarioInput, options: Omit<LoadOptions, 'seed'>) {
    this.initialState = initialState
    this.document = document
    this.#options = options
  }

  /** Loads a scenario. @throws ScenarioError, ReadingError */
  static async load(
    scenario: string | ScenarioDefinition,
    { seed, ...others }: FuzzedOptions = {},
  ): Promise<FuzzedScenario> {
    const options = { ...others, loadedExtensions: new Map() }
    const initialState = rememberingBodies(await loadScenario(scenario, { ...options, seed }))
    return new FuzzedScenario(initialState, await readScenarioDocument(scenario, seed), options)
  }

  /** Returns the story with the elements of a plan and the given expectations. */
  async stateOf(elements: readonly PlanElement[], expectations: readonly Expectation[]): Promise<Story> {
    const sizes = elements.filter(({ vary }) => vary === 'sizes')
    const base = sizes.length === 0 ? this.initialState : await this.#loadedWith(sizes)
    const { readings, triggered = [], ...state } = change(base, elements)
    await this.compile(elements)
    return {
      ...state,
      // Equal readings are one object, since rendered rows are cached by it.
      readings: remembered(this.#readings, JSON.stringify(readings), () => readings),
      triggered: [...triggered, ...elements.flatMap(entriesOf).map((entry) => this.#triggeredBy(entry))],
      expectations,
    }
  }

  /** Returns the scenario document with the elements of a plan. */
  documentOf(elements: readonly PlanElement[], expect: NonNullable<ScenarioInput['expect']>): ScenarioInput {
    const { seed, readings: present, origins } = this.initialState
    const chosen = Object.entries(present).filter(([gap]) => origins[gap as never] !== 'default')
    const { expect: _, readings: __, scenario, describe, timeline, ...document } = this.document
    const { timeline: changed = [], ...rewritten } = rewrite(
      {
        scenario,
        ...(describe !== undefined && { describe }),
        ...document,
        seed,
        ...(chosen.length > 0 && { readings: Object.fromEntries(chosen) }),
        // This story failed, whatever the environment chooses later.
        fixed_readings: true,
        ...(timeline && { timeline }),
      } as ScenarioInput,
      elements,
    )
    return {
      ...rewritten,
      timeline: [...changed, ...elements.flatMap(entriesOf)],
      ...(expect.length > 0 && { expect }),
    }
  }

  #triggeredBy(entry: EntryInput): TriggeredEntry {
    const { key, ...action } = entry
    // Entries without references to the scenario need no compiling.
    return (
      this.#compiled.get(JSON.stringify(entry)) ??
      ({ name: key, commands: [], ...action } as unknown as TriggeredEntry)
    )
  }

  /**
   * Compiles the mail of elements, with the parts of the scenario that it may refer to, unless it is already
   * compiled.
   */
  async compile(elements: readonly PlanElement[]): Promise<void> {
    const timeline = elements.flatMap(entriesOf).filter((entry) => {
      return entry.receive !== undefined && !this.#compiled.has(JSON.stringify(entry))
    })
    if (timeline.length === 0) return
    const { seed } = this.initialState
    const withoutBulk = <Identity extends WrittenIdentity>(one: Identity) => {
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
    const { triggered = [] } = await loadScenario(small as ScenarioInput, { ...this.#options, seed })
    for (const [place, entry] of timeline.entries())
      this.#compiled.set(JSON.stringify(entry), triggered[place] as TriggeredEntry)
  }

  /** Loads the scenario with elements that change its initial mailboxes. */
  #loadedWith(sizes: readonly PlanElement[]): Promise<Story> {
    const { seed } = this.initialState
    return remembered(this.#sized, sizes.map(keyOfElement).sort().join(), async () => {
      const document = rewrite(this.document, sizes)
      return rememberingBodies(await loadScenario(document, { ...this.#options, seed }))
    })
  }
}

/** Returns the value of a key, which is created at the first call. */
function remembered<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

/**
 * The maximum number of generated bodies that are cached, so that a large mailbox does not fill the memory.
 */
const rememberedBodies = 5_000

/** Returns a story that caches its generated bodies, which every plan reads again. */
function rememberingBodies(story: Story): Story {
  const { bodies } = story.base
  const known = new Map<string, ReturnType<typeof bodies>>()
  const remembering: typeof bodies = (key) => {
    const body = known.get(key) ?? bodies(key)
    if (known.size < rememberedBodies) known.set(key, body)
    return body
  }
  return { ...story, base: { ...story.base, bodies: remembering } }
}
