import { once } from '../../contract/once.js'
import { z } from '../../contract/schema.js'
import type { IdKind, IdSource } from '../ids.js'
import {
  writtenClockMode,
  writtenFaults,
  writtenPlayed,
  writtenReadings,
  writtenTriggers,
} from '../snapshot/document.js'
import { formatInstant, instantSchema as instant } from '../time.js'
import { deliveryStatuses } from '../webhooks/delivery.js'
import { type DeliveryRecord, unfinishedSchema } from '../webhooks/delivery-record.js'
import type { WorldState } from '../world-state.js'

/** The schema of one type of entry, with the fields that it has besides its type and its time. */
function entry<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  meaning: string,
  fields: Fields,
) {
  const at = instant().describe("The world's time at which it happened.")
  return z.strictObject({ type: z.literal(type), at, ...fields }).describe(meaning)
}

const count = () => z.int().min(0)

const entries = () =>
  [
    entry('begin', 'The world is at its start, at first or by a reset; what comes before no longer counts.', {
      scenario: z.string(),
      seed: z.int(),
      fingerprint: z.string(),
      mode: writtenClockMode(),
      readings: writtenReadings(),
    }),
    entry('snapshot', 'The world as a whole; what comes before no longer counts.', {
      snapshot: z.looseObject({}),
    }),
    entry('command', 'A command was applied.', { command: z.looseObject({ type: z.string() }) }),
    entry('readings', 'Some readings were changed.', {
      readings: z.record(z.string(), z.string()),
      from: z.string(),
    }),
    entry('faults', 'A fault rule was added, removed or matched; these are all of them.', {
      faults: writtenFaults(),
    }),
    entry('clock', 'The clock was moved on to this instant, or given another mode.', {
      mode: writtenClockMode(),
      began_at: instant(),
    }),
    entry('timeline', 'The next entry of the timeline happened.', { played: writtenPlayed() }),
    entry('triggers', 'Something was counted that entries of the story wait for.', {
      triggers: writtenTriggers(),
    }),
    entry('delivery', 'A delivery is that far.', { delivery: unfinishedSchema() }),
    entry('delivered', 'A delivery is over.', {
      id: z.string(),
      webhook_id: z.string(),
      ordinal: count(),
      status: z.enum(deliveryStatuses),
    }),
    entry('ids', 'How many ids of events and of deliveries have been handed out.', {
      event: count(),
      delivery: count(),
    }),
  ] as const

/** One change of a world as its log keeps it, plain JSON. Applied in order to the scenario's base, they give the world. */
export const logEntrySchema = once(() => z.discriminatedUnion('type', entries()))

/** One change of a world as its log keeps it. */
export type LogEntry = z.output<ReturnType<typeof logEntrySchema>>

/** Tells whether what comes before an entry no longer counts. */
export function isBeginning({ type }: Pick<LogEntry, 'type'>): boolean {
  return type === 'begin' || type === 'snapshot'
}

/**
 * Collects the changes of a world until somebody takes them as entries. Nothing is written for a world that has not
 * changed since it began.
 */
export class WorldLog {
  readonly #onChange: () => void
  #entries: LogEntry[] = []
  #faultsChanged = false
  #triggersChanged = false
  readonly #deliveries = new Set<DeliveryRecord>()
  #loggedEvents = 0
  /** Whether any entry was ever taken, or the world was recovered from some. */
  #written = false
  #changed = false

  /** `onChange` is called with the first change after entries were taken. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Whether there is anything to take. */
  get changed(): boolean {
    return this.#changed
  }

  /** Starts anew with an entry before which nothing counts; a world that was never changed has not changed by it. */
  begin(entry: LogEntry): void {
    this.#forget()
    this.#entries = [entry]
    if (this.#written || !isFirst(entry)) this.#note()
  }

  /** Goes on after entries that were taken before, here or elsewhere; those given are taken with the next change. */
  goOn(ids: IdSource, entries: readonly LogEntry[]): void {
    this.#forget()
    this.#entries = [...entries]
    this.#written = true
    this.#loggedEvents = ids.counts.get('event') ?? 0
  }

  /** Adds a change. */
  add(entry: LogEntry): void {
    this.#entries.push(entry)
    this.#note()
  }

  /** Adds that a fault rule was added, removed or matched. */
  addFaults(): void {
    this.#faultsChanged = true
    this.#note()
  }

  /** Adds that something was counted that entries of the story wait for. */
  addTriggers(): void {
    this.#triggersChanged = true
    this.#note()
  }

  /** Adds that a delivery changed; how far it is, is written when entries are taken. */
  addDelivery(record: DeliveryRecord): void {
    this.#deliveries.add(record)
    this.#note()
  }

  /** Takes the changes since the last time, in their order. */
  take({
    clock,
    faults,
    ids,
    triggers,
  }: Pick<WorldState, 'clock' | 'faults' | 'ids' | 'triggers'>): LogEntry[] {
    const at = formatInstant(clock.now())
    const entries = this.#entries
    if (this.#faultsChanged) entries.push({ type: 'faults', at, faults: faults.state as never })
    if (this.#triggersChanged) entries.push({ type: 'triggers', at, triggers: triggers.state as never })
    for (const record of this.#deliveries) entries.push(entryOf(record, at))
    const [event, delivery] = (['event', 'delivery'] as IdKind[]).map(
      (kind) => ids.counts.get(kind) ?? 0,
    ) as [number, number]
    if (event !== this.#loggedEvents) entries.push({ type: 'ids', at, event, delivery })
    this.#forget()
    this.#loggedEvents = event
    this.#written = true
    return entries
  }

  #note(): void {
    if (this.#changed) return
    this.#changed = true
    this.#onChange()
  }

  #forget(): void {
    this.#entries = []
    this.#faultsChanged = false
    this.#triggersChanged = false
    this.#deliveries.clear()
    this.#loggedEvents = 0
    this.#changed = false
  }
}

function isFirst({ type }: LogEntry): boolean {
  return type === 'begin'
}

function entryOf(record: DeliveryRecord, at: string): LogEntry {
  if (!record.hasFinished) return { type: 'delivery', at, delivery: record.written as never }
  const { id, webhook_id, ordinal } = record.content
  return { type: 'delivered', at, id, webhook_id, ordinal, status: record.state.status }
}
