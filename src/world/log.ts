import { once } from '../contract/once.js'
import { explainIssues, hiddenKeys, z } from '../contract/schema.js'
import { MailboxStore } from '../model/index.js'
import type { ClockState } from './clock.js'
import { bouncesBy, type CommandContext } from './commands/command.js'
import { checkCommand, commands } from './commands/index.js'
import { SnapshotError } from './errors.js'
import { faultStateSchema } from './faults/fault-rules.js'
import { IdSource } from './random.js'
import { withChoices } from './readings.js'
import { refusedSnapshot, writtenReadings } from './snapshot/document.js'
import { checkOrigin, readChoices, readSnapshot } from './snapshot/read-snapshot.js'
import {
  type ClockMode,
  clockModeSchema,
  formatInstant,
  instantSchema as instant,
  parseInstant,
} from './time.js'
import { playedSchema, triggerStateSchema } from './timeline.js'
import {
  type DeliveryRecord,
  deliveryStatuses,
  type Unfinished,
  unfinishedSchema,
} from './webhooks/delivery.js'
import type { DispatcherState } from './webhooks/dispatcher.js'
import type { InitialState, RecordedWorld } from './world-state.js'

/** Creates the schema of one type of entry, with its fields besides `type` and `at`. */
function entry<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  meaning: string,
  fields: Fields,
) {
  const at = instant().describe("The world's time of the change.")
  return z.strictObject({ type: z.literal(type), at, ...fields }).describe(meaning)
}

const count = () => z.int().min(0)

const entries = () =>
  [
    entry('begin', 'The world is at its start, at first or by a reset; what comes before no longer counts.', {
      scenario: z.string(),
      seed: z.int(),
      fingerprint: z.string(),
      mode: clockModeSchema(),
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
      faults: faultStateSchema(),
    }),
    entry('clock', 'The clock was moved on to this instant, or given another mode.', {
      mode: clockModeSchema(),
      began_at: instant(),
    }),
    entry('timeline', 'The next entry of the timeline happened.', { played: playedSchema() }),
    entry('triggers', 'A request or delivery was counted that entries of the story wait for.', {
      triggers: triggerStateSchema(),
    }),
    entry('delivery', 'The state of an unfinished delivery.', { delivery: unfinishedSchema() }),
    entry('delivered', 'A delivery has finished.', {
      id: z.string(),
      webhook_id: z.string(),
      ordinal: count(),
      status: z.enum(deliveryStatuses),
    }),
    entry('ids', 'The numbers of ids of events and deliveries that were assigned.', {
      event: count(),
      delivery: count(),
    }),
  ] as const

/** One change of a world in its log, as plain JSON. Applied in order to the scenario's base, they give the world. */
export const logEntrySchema = once(() => z.discriminatedUnion('type', entries()))

/** One change of a world in its log. */
export type LogEntry = z.output<ReturnType<typeof logEntrySchema>>

/** Returns whether an entry makes all earlier entries obsolete. */
export function isBeginning({ type }: Pick<LogEntry, 'type'>): boolean {
  return type === 'begin' || type === 'snapshot'
}

/**
 * Collects the changes of a world until they are taken as log entries. A world that has not changed since it began
 * has no entries to write.
 */
export class WorldLog {
  readonly #onChange: () => void
  #entries: LogEntry[] = []
  /** Creates the entries of state that changes often, only when they are taken; by name. */
  readonly #latest = new Map<string, () => LogEntry>()
  /** Whether entries were ever taken, or the world was recovered from a log. */
  #written = false
  #changed = false

  /** `onChange` is called with the first change after entries were taken. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Whether there are entries to take. */
  get changed(): boolean {
    return this.#changed
  }

  /** Drops pending entries and starts with this one. A `begin` entry alone is no change if nothing was ever written. */
  begin(entry: LogEntry): void {
    this.#forget()
    this.#entries = [entry]
    if (this.#written || entry.type !== 'begin') this.#note()
  }

  /** Continues a log that was written before, here or elsewhere; `entries` are taken with the next change. */
  resume(entries: readonly LogEntry[]): void {
    this.#forget()
    this.#entries = [...entries]
    this.#written = true
  }

  /** Appends the entry of a change. */
  add(entry: LogEntry): void {
    this.#entries.push(entry)
    this.#note()
  }

  /** Notes a change of which only the latest state is written; replaces the pending entry of that name. */
  addLatest(name: string, entry: () => LogEntry): void {
    this.#latest.set(name, entry)
    this.#note()
  }

  /** Removes and returns the entries since the last call, in order. */
  take(): LogEntry[] {
    const entries = [...this.#entries, ...[...this.#latest.values()].map((make) => make())]
    this.#forget()
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
    this.#latest.clear()
    this.#changed = false
  }
}

/** Returns the entry for the current state of a delivery. */
export function deliveryEntry(record: DeliveryRecord, at: string): LogEntry {
  if (!record.hasFinished) return { type: 'delivery', at, delivery: record.written }
  const { id, webhook_id, ordinal, status } = record.state
  return { type: 'delivered', at, id, webhook_id, ordinal, status }
}

/**
 * Returns the entries with which a log resumes on a real clock. The time for which the world was not running does not
 * count, so the beginning of the story and all pending deliveries are postponed by it.
 */
export function entriesOfPause(
  { mode, now, beganAt }: ClockState,
  { unfinished }: Pick<DispatcherState, 'unfinished'>,
): LogEntry[] {
  const at = formatInstant(now)
  const moved = { type: 'clock', at, mode, began_at: formatInstant(beganAt) } as const
  return [moved, ...unfinished.map((delivery) => ({ type: 'delivery', at, delivery }) as const)]
}

/** Rebuilds a world from the entries of its log. */
export class LogReplay {
  readonly #initialState: InitialState
  readonly #bounces: (address: string) => boolean
  #world: { -readonly [Part in keyof RecordedWorld]: RecordedWorld[Part] }
  #ids: IdSource
  #unfinished = new Map<string, Unfinished>()

  /** Starts at the initial state, where every log begins. */
  constructor(initialState: InitialState) {
    this.#initialState = initialState
    this.#bounces = bouncesBy(initialState.bounces ?? [])
    this.#world = beginning(initialState)
    this.#ids = new IdSource(initialState.seed)
  }

  /** The world after the entries applied so far. */
  get recorded(): RecordedWorld {
    const deliveries = { ...this.#world.deliveries, unfinished: [...this.#unfinished.values()] }
    return { ...this.#world, ids: this.#ids.counts, deliveries }
  }

  /** Applies the next entry. @throws SnapshotError, CommandError or ReadingError when it is not valid */
  apply(document: unknown): void {
    const [hidden] = hiddenKeys(document)
    if (hidden) throw refusedSnapshot('malformed', hidden, 'unknown key')
    const parsed = logEntrySchema().safeParse(document, { reportInput: true })
    if (!parsed.success) throw new SnapshotError('malformed', explainIssues(parsed.error))
    const entry = parsed.data
    const now = parseInstant(entry.at) as number
    this.#applyKind(entry, now)
    const { clock } = this.#world
    this.#world.clock = { ...clock, now: Math.max(clock.now, now) }
  }

  #applyKind(entry: LogEntry, now: number): void {
    const world = this.#world
    switch (entry.type) {
      case 'begin': {
        checkOrigin(entry, this.#initialState)
        const clock = { mode: entry.mode as ClockMode, beganAt: now, now }
        const chosen = readChoices(entry, this.#initialState)
        this.#begin({ ...beginning(this.#initialState), clock, chosen })
        return
      }
      case 'snapshot':
        this.#begin(readSnapshot(entry.snapshot, this.#initialState))
        return
      case 'command': {
        const command = checkCommand(entry.command)
        commands[command.type].apply(this.#contextAt(now), command as never)
        return
      }
      case 'readings': {
        const { readings: before, origins } = world.chosen
        const from = Object.fromEntries(Object.keys(entry.readings).map((gap) => [gap, entry.from]))
        const readings = withChoices(before, entry.readings, this.#initialState.extensions?.gaps)
        world.chosen = { readings, origins: { ...origins, ...from } }
        return
      }
      case 'faults':
        world.faults = entry.faults
        return
      case 'clock':
        world.clock = { mode: entry.mode as ClockMode, beganAt: parseInstant(entry.began_at) as number, now }
        return
      case 'timeline':
        world.played.push(entry.played)
        return
      case 'triggers':
        world.triggered = entry.triggers
        return
      case 'delivery':
        this.#count(entry.delivery)
        this.#unfinished.set(entry.delivery.id, entry.delivery)
        return
      case 'delivered':
        this.#count(entry)
        this.#unfinished.delete(entry.id)
        return
      case 'ids':
        Object.assign(this.#ids.counts, { event: entry.event, delivery: entry.delivery })
    }
  }

  #begin(world: RecordedWorld): void {
    this.#world = { ...world }
    this.#ids = new IdSource(this.#initialState.seed, world.ids)
    this.#unfinished = new Map(world.deliveries.unfinished.map((delivery) => [delivery.id, delivery]))
  }

  #contextAt(now: number): CommandContext {
    return {
      store: this.#world.store,
      seed: this.#initialState.seed,
      now: () => now,
      newId: (kind) => this.#ids.next(kind),
      // The events that a command emitted have entries of their own.
      emit: () => undefined,
      noteSecrets: () => undefined,
      bounces: this.#bounces,
    }
  }

  #count({ webhook_id, ordinal }: Pick<Unfinished, 'webhook_id' | 'ordinal'>): void {
    const { subscriptions } = this.#world.deliveries
    subscriptions[webhook_id] = Math.max(subscriptions[webhook_id] ?? 0, ordinal + 1)
  }
}

/** Returns a world in which nothing has happened. */
function beginning(initialState: InitialState): RecordedWorld {
  const { base, start } = initialState
  return {
    clock: { mode: 'frozen', beganAt: start, now: start },
    store: new MailboxStore(base),
    ids: {},
    faults: { added: 0, rules: [] },
    chosen: initialState,
    played: [],
    deliveries: { subscriptions: {}, unfinished: [] },
  }
}
