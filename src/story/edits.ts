import type { Fault } from '../service/faults/fault.js'
import type { AgentAct } from '../service/world/story-entry.js'
import type { LetterFormName } from './compile/forms.js'
import { namesOfEntries } from './compile/names.js'
import type { ScenarioInput } from './format/scenario.js'

/** An entry of a timeline as it is written. */
export type EntryInput = NonNullable<ScenarioInput['timeline']>[number]

/** An expectation as it is written. */
export type ExpectationInput = NonNullable<ScenarioInput['expect']>[number]

/** An identity as it is written. */
export type IdentityInput = NonNullable<ScenarioInput['identities']>[number]

/** When an added entry happens. */
export type Moment = Pick<EntryInput, 'after' | 'at' | 'when'>

/** A further entry: its key is the name that its ids and words come from. */
export type FurtherEntry = EntryInput & { readonly key: string }

/** An entry's other time, or the delay of the deliveries of its event. */
export interface Move extends Moment {
  readonly event_delay?: EntryInput['event_delay']
}

/** Returns a document with further entries at the end of its timeline; the ids and words of the others stay. */
export function addEntries(document: ScenarioInput, entries: readonly FurtherEntry[]): ScenarioInput {
  return { ...document, timeline: [...namedTimeline(document), ...entries] }
}

/** Returns a document in which a fault begins at a moment. */
export function addFault(document: ScenarioInput, key: string, moment: Moment, fault: Fault): ScenarioInput {
  return addEntries(document, [{ key, ...moment, fault } as FurtherEntry])
}

/** Returns a document in which something happens to the program of the agent at a moment, such as its restart. */
export function addRestart(
  document: ScenarioInput,
  key: string,
  moment: Moment,
  agent: AgentAct = 'kill',
): ScenarioInput {
  return addEntries(document, [{ key, ...moment, agent } as FurtherEntry])
}

/**
 * Returns a document with entries moved, by their names: to the given time, or with late deliveries. What is moved keeps its
 * ids and words, and its place among the entries of one instant.
 */
export function moveEntries(document: ScenarioInput, moves: ReadonlyMap<string, Move>): ScenarioInput {
  const timeline = namedTimeline(document).map((entry) => {
    const move = moves.get(entry.key)
    if (!move) return entry
    const { event_delay, ...moment } = move
    const late = event_delay !== undefined && { event_delay }
    if (Object.keys(moment).length === 0) return { ...entry, ...late }
    const { after: _, at: __, when: ___, ...action } = entry
    return { ...action, ...moment, ...late } as FurtherEntry
  })
  return { ...document, timeline }
}

/** Returns the entries of a document's timeline, each with the name that it has had as its key. */
export function namedTimeline({ timeline = [] }: ScenarioInput): FurtherEntry[] {
  const names = namesOfEntries(timeline)
  return timeline.map((entry, index) => {
    const key = names[index] as string
    return entry.key === key ? (entry as FurtherEntry) : { ...entry, key }
  })
}

/** The assumptions of a loaded story, and where each comes from. */
interface Chosen {
  readonly assumptions: Readonly<Record<string, string>>
  readonly origins: Readonly<Record<string, string>>
}

/**
 * Returns a document that names every assumption that somebody chose for its story, rather than a profile or a file, and
 * that the environment does not change.
 */
export function resolveAssumptions(document: ScenarioInput, { assumptions, origins }: Chosen): ScenarioInput {
  const chosen = Object.entries(assumptions).filter(([gap]) => origins[gap] !== 'default')
  const { assume: _, ...rest } = document
  return {
    ...rest,
    ...(chosen.length > 0 && { assume: Object.fromEntries(chosen) as ScenarioInput['assume'] }),
    fixed_assumptions: true,
  }
}

/** Returns a document with other assumptions; those that it has are named, not a profile. */
export function setAssumptions(
  document: ScenarioInput,
  choices: Readonly<Record<string, string>>,
): ScenarioInput {
  const { assume = {} } = document
  if (typeof assume === 'string') throw new TypeError('Resolve the assumptions of the document first.')
  return { ...document, assume: { ...assume, ...choices } as ScenarioInput['assume'] }
}

/** A message that may be written in another form. */
type Formed = NonNullable<EntryInput['receive']> | IdentityThread['messages'][number]

type IdentityThread = NonNullable<IdentityInput['threads']>[number]

/**
 * Returns a document in which people write their messages in another form, as other mail programs do, where they have words of
 * their own and `fits` allows it; what they say stays the same.
 */
export function writeMailAs(
  document: ScenarioInput,
  form: LetterFormName,
  fits: (message: Formed) => boolean = () => true,
): ScenarioInput {
  const formed = <Message extends Formed>(message: Message): Message => {
    const { forms, eml } = message
    const words = message.text ?? message.html ?? ''
    const isOther = 'direction' in message && message.direction === 'outbound'
    if (isOther || words === '' || eml !== undefined || forms || !fits(message)) return message
    return { ...message, forms: [form] }
  }
  const identities = document.identities?.map((identity) => {
    if (!identity.threads) return identity
    const threads = identity.threads.map((thread) => ({ ...thread, messages: thread.messages.map(formed) }))
    return { ...identity, threads }
  })
  const timeline = document.timeline?.map((entry) =>
    entry.receive ? { ...entry, receive: formed(entry.receive) } : entry,
  )
  return { ...document, ...(identities && { identities }), ...(timeline && { timeline }) }
}
