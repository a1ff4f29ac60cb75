import type { AssumptionChoices } from '../assumptions/assumptions.js'
import type { FaultEntry, HitEntry } from '../faults/fault-rules.js'
import type { WrittenRow } from '../model/mailbox-store.js'
import type { Masker } from '../record/masker.js'
import type { ClockState } from '../time/clock.js'
import type { IdCounts } from '../time/random.js'
import { formatInstant } from '../time/time.js'
import { showDelivery } from '../webhooks/deliveries.js'
import type { DeliveryEntry } from '../webhooks/delivery.js'
import type { EventEntry } from '../webhooks/subscriptions.js'
import type { Command } from './commands/commands.js'
import type { JournalEntry } from './exchange.js'
import type { KeptAnswer } from './kept-answers.js'
import type { StoryEntry, TriggerEntry } from './story-entry.js'

/**
 * Something that happened in a world. Entries are numbered from 1 for life, in the order of the world's clock: an attempt of a
 * delivery at its beginning, so that no number depends on how fast a receiver responds.
 */
export type Entry =
  | JournalEntry
  | CommandEntry
  | EventEntry
  | DeliveryEntry
  | StoryEntry
  | TriggerEntry
  | FaultEntry
  | HitEntry
  | AssumptionsEntry
  | ClockEntry
  | ResetEntry

/** What every entry has. */
interface Numbered {
  readonly seq: number
  /** Milliseconds since the epoch, in the world's time. */
  readonly at: number
}

/** A command that was applied, and what it wrote. */
export interface CommandEntry extends Numbered {
  readonly type: 'command'
  readonly command: Command
  /** The id of the message that it added, if any. */
  readonly message: string | null
  readonly rows: readonly WrittenRow[]
  /** The numbers of ids that were assigned by then, and of messages that agents have sent. */
  readonly ids: IdCounts
  readonly sent: number
  /** The response that it keeps, if any. */
  readonly answer?: KeptAnswer | undefined
  /** The number of the exchange whose request applied it, once that is recorded. */
  exchange?: number
}

/** Some assumptions that were changed, and by whom. */
interface AssumptionsEntry extends Numbered {
  readonly type: 'assumptions'
  readonly assumptions: AssumptionChoices
  readonly from: string
}

/** A move of the clock, or a change of its mode; `from` is the instant before, in milliseconds. */
interface ClockEntry extends Numbered, Omit<ClockState, 'now'> {
  readonly type: 'clock'
  readonly from: number
}

/** The beginning of a story, other than the first one: what came before no longer counts. */
interface ResetEntry extends Numbered {
  readonly type: 'reset'
  readonly scenario: string
}

/** An entry that has no number yet. */
export type Draft = Entry extends infer E ? (E extends Entry ? Omit<E, 'seq'> : never) : never

/** The types of entries that people are told of; the others only count what the future depends on. */
export const worldEventTypes = [
  'exchange',
  'command',
  'event',
  'delivery',
  'timeline',
  'fault',
  'assumptions',
  'clock',
  'reset',
] as const

/** The type of an event of a world. */
export type WorldEventType = (typeof worldEventTypes)[number]

/** An event of a world: an entry of its log as people see it. */
export interface WorldEvent {
  /** Its number in the log, which counts up from 1; resets do not restart it. */
  readonly seq: number
  readonly type: WorldEventType
  /** The world's time, ISO 8601 UTC. */
  readonly at: string
  readonly world: string
  /** The exchange, the command and so on, with keys and tokens masked. */
  readonly data: unknown
}

/** Returns whether entries have such a type. */
export function isEntryType(type: string): type is Entry['type'] {
  return ([...worldEventTypes, 'triggers', 'hit'] as readonly string[]).includes(type)
}

/** Returns whether people are told of an entry. */
function isEvent(entry: Entry): entry is Extract<Entry, { type: WorldEventType }> {
  return (worldEventTypes as readonly string[]).includes(entry.type)
}

/** Returns an entry as people see it; undefined if they are not told of it. */
export function showEntry(entry: Entry, world: string, masker: Masker): WorldEvent | undefined {
  if (!isEvent(entry)) return undefined
  const { seq, type } = entry
  const at = entry.type === 'exchange' ? entry.recorded.at : entry.at
  return { seq, type, at: formatInstant(at), world, data: dataOf(entry, masker) }
}

function dataOf(entry: Extract<Entry, { type: WorldEventType }>, masker: Masker): unknown {
  switch (entry.type) {
    case 'exchange':
      return entry.show()
    case 'command':
      return masker.content(entry.command)
    case 'event':
      return entry.event
    case 'delivery':
      return showDelivery(entry.delivery, masker)
    case 'timeline':
      return masker.content(entry.played)
    case 'fault':
      return masker.content({ id: entry.id, fault: entry.fault })
    case 'assumptions':
      return { assumptions: entry.assumptions, from: masker.text(entry.from) }
    case 'clock':
      return { from: formatInstant(entry.from), now: formatInstant(entry.at), mode: entry.mode }
    case 'reset':
      return { scenario: entry.scenario }
  }
}

/** An applied command, as people see it. */
export interface RecordedCommand {
  readonly seq: number
  readonly at: string
  readonly command: Command
}

/** Returns the command of an entry. */
export function showCommand({ seq, at, command }: CommandEntry): RecordedCommand {
  return { seq, at: formatInstant(at), command }
}
