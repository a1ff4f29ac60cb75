import type { AnyOperationName } from '../../contract/operations.js'
import { parseDuration } from '../../service/time/time.js'
import type { Command } from '../../service/world/commands/commands.js'
import type { InitialState } from '../../service/world/initial-state.js'
import type { TriggeredEntry } from '../../service/world/triggers.js'
import { namesOfEntries } from '../compile/names.js'
import type { ScenarioInput } from '../format/scenario.js'

/** An entry of a timeline in its written form. */
export type EntryInput = NonNullable<ScenarioInput['timeline']>[number]

/** A change of the time of an entry, or of its deliveries. */
export interface Move {
  /** The name of the entry at whose time it happens. */
  readonly like?: string | undefined
  /** The request at which it happens, counted from its time. */
  readonly when?: { readonly request: AnyOperationName; readonly nth: number } | undefined
  /** By how much the deliveries of its event are late. */
  readonly event_delay?: string | undefined
}

/** Moves by the names of entries, which are not repeated. */
export type Moves = Readonly<Record<string, Move>>

/** Returns the entries of a story, of which some are moved. */
export function movedEntries(
  { timeline, triggered = [] }: Pick<InitialState, 'timeline' | 'triggered'>,
  moves: Moves,
): Pick<InitialState, 'timeline' | 'triggered'> {
  const afters = new Map(timeline.map(({ name, after }) => [name, after]))
  const late = <Entry extends Pick<TriggeredEntry, 'name' | 'commands'>>(entry: Entry): Entry => {
    const { event_delay: delay } = moves[entry.name] ?? {}
    if (delay === undefined) return entry
    const event_delay = parseDuration(delay) as number
    return { ...entry, commands: entry.commands.map((command) => ({ ...command, event_delay }) as Command) }
  }
  const timed = timeline.flatMap((entry) => {
    const { when, like } = moves[entry.name] ?? {}
    if (when) return []
    return late(like === undefined ? entry : { ...entry, after: afters.get(like) ?? entry.after })
  })
  const waiting = timeline.flatMap(({ after, ...action }) => {
    const { when } = moves[action.name] ?? {}
    return when ? late({ ...action, when: { ...when, ...(after > 0 && { from: after }) } }) : []
  })
  const all = [...triggered.map(late), ...waiting]
  return {
    timeline: timed.sort((a, b) => a.after - b.after),
    ...(all.length > 0 && { triggered: all }),
  }
}

/** Returns a timeline in its written form, of which some entries are moved. */
export function movedTimeline(timeline: readonly EntryInput[], moves: Moves): EntryInput[] {
  const names = namesOfEntries(timeline)
  return timeline.map((written, place) => {
    const name = names[place] as string
    const { like, when, event_delay } = moves[name] ?? {}
    const late = event_delay !== undefined && { event_delay }
    if (like === undefined && !when) return { ...written, ...late } as EntryInput
    const { after, at } = timeline[like === undefined ? place : names.indexOf(like)] ?? {}
    const { after: _, at: __, ...action } = written
    const time = { ...(after === undefined ? { at } : { after }), ...(when && { when }) }
    // Its old name keeps its generated values.
    return { key: name, ...action, ...time, ...late } as EntryInput
  })
}
