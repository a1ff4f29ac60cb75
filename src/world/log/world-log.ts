import type { IdKind, IdSource } from '../ids.js'
import { formatInstant } from '../time.js'
import type { DeliveryRecord } from '../webhooks/delivery-record.js'
import type { WorldState } from '../world-state.js'
import type { LogEntry } from './log-entry.js'

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
