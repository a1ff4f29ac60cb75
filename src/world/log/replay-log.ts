import { hiddenKeys } from '../../contract/schema.js'
import { MailboxStore } from '../../model/index.js'
import type { ClockState } from '../clock.js'
import type { CommandContext } from '../commands/command.js'
import { checkCommand, commands } from '../commands/index.js'
import { type IdKind, IdSource } from '../ids.js'
import { type ChosenReadings, withChoices } from '../readings.js'
import { refusal } from '../snapshot/document.js'
import {
  checkOrigin,
  goOnWith,
  type RecordedWorld,
  type Restored,
  readingsOf,
  recordedWorld,
} from '../snapshot/read-snapshot.js'
import { type ClockMode, formatInstant, parseInstant } from '../time.js'
import type { PlayedEntry } from '../timeline.js'
import type { Unfinished } from '../webhooks/delivery-record.js'
import type { DispatcherState } from '../webhooks/dispatcher.js'
import { bouncesBy } from '../wildcard.js'
import type { InitialState } from '../world-state.js'
import { type LogEntry, logEntrySchema } from './world-log.js'

/** A world that is made again from the entries of its log, applied one after another. */
export class LogReplay {
  readonly #initialState: InitialState
  readonly #bounces: (address: string) => boolean
  #clock: ClockState
  #store: MailboxStore
  #ids: IdSource
  #outgoingIds = new Map<IdKind, number>()
  #faults: RecordedWorld['faults'] = { added: 0, rules: [] }
  #chosen: ChosenReadings
  #played: PlayedEntry[] = []
  #triggered: RecordedWorld['triggered']
  readonly #subscriptions = new Map<string, number>()
  readonly #unfinished = new Map<string, Unfinished>()

  /** Begins with the initial state, where a log begins. */
  constructor(initialState: InitialState) {
    const { base, seed, start } = initialState
    this.#initialState = initialState
    this.#bounces = bouncesBy(initialState.bounces ?? [])
    this.#clock = { mode: 'frozen', beganAt: start, now: start }
    this.#store = new MailboxStore(base)
    this.#ids = new IdSource(seed)
    this.#chosen = initialState
  }

  /** Applies the next entry. @throws SnapshotError, CommandError, ReadingError or a ZodError where it is none */
  apply(document: unknown): void {
    const [hidden] = hiddenKeys(document)
    if (hidden) throw refusal('malformed', hidden, 'unknown key')
    const entry = logEntrySchema().parse(document)
    const now = parseInstant(entry.at) as number
    this.#applyKind(entry, now)
    this.#clock = { ...this.#clock, now: Math.max(this.#clock.now, now) }
  }

  /** Makes the parts of the world as the entries left it. */
  restored(): Restored {
    const recorded: RecordedWorld = {
      clock: this.#clock,
      store: this.#store,
      ids: new Map([...this.#ids.counts, ...this.#outgoingIds]),
      faults: this.#faults,
      chosen: this.#chosen,
      played: this.#played,
      triggered: this.#triggered,
      deliveries: {
        subscriptions: Object.fromEntries(this.#subscriptions),
        unfinished: [...this.#unfinished.values()],
      },
    }
    return goOnWith(recorded, this.#initialState)
  }

  #applyKind(entry: LogEntry, now: number): void {
    switch (entry.type) {
      case 'begin':
        checkOrigin(entry, this.#initialState)
        this.#begin(emptyWorld(this.#initialState, entry, now))
        return
      case 'snapshot':
        this.#begin(recordedWorld(entry.snapshot, this.#initialState))
        return
      case 'command': {
        const command = checkCommand(entry.command)
        commands[command.type].apply(this.#contextAt(now), command as never)
        return
      }
      case 'readings': {
        const { readings, origins } = this.#chosen
        const from = Object.fromEntries(Object.keys(entry.readings).map((gap) => [gap, entry.from]))
        this.#chosen = {
          readings: withChoices(readings, entry.readings, this.#initialState.extensions?.gaps),
          origins: { ...origins, ...from },
        }
        return
      }
      case 'faults':
        this.#faults = entry.faults
        return
      case 'clock': {
        const beganAt = parseInstant(entry.began_at) as number
        this.#clock = { mode: entry.mode as ClockMode, beganAt, now }
        return
      }
      case 'timeline':
        this.#played.push(entry.played)
        return
      case 'triggers':
        this.#triggered = entry.triggers as RecordedWorld['triggered']
        return
      case 'delivery':
        this.#count(entry.delivery.webhook_id, entry.delivery.ordinal)
        this.#unfinished.set(entry.delivery.id, entry.delivery)
        return
      case 'delivered':
        this.#count(entry.webhook_id, entry.ordinal)
        this.#unfinished.delete(entry.id)
        return
      case 'ids':
        this.#outgoingIds = new Map([
          ['event', entry.event],
          ['delivery', entry.delivery],
        ])
    }
  }

  #begin({ clock, store, ids, faults, chosen, played, triggered, deliveries }: RecordedWorld): void {
    this.#clock = clock
    this.#store = store
    this.#ids = new IdSource(this.#initialState.seed, ids)
    this.#outgoingIds = new Map()
    this.#faults = faults
    this.#chosen = chosen
    this.#played = [...played]
    this.#triggered = triggered
    this.#subscriptions.clear()
    this.#unfinished.clear()
    for (const [id, count] of Object.entries(deliveries.subscriptions)) this.#subscriptions.set(id, count)
    for (const delivery of deliveries.unfinished) this.#unfinished.set(delivery.id, delivery)
  }

  #contextAt(now: number): CommandContext {
    return {
      store: this.#store,
      seed: this.#initialState.seed,
      now: () => now,
      newId: (kind) => this.#ids.next(kind),
      // What came of it is in entries of its own.
      emit: () => undefined,
      bounces: this.#bounces,
    }
  }

  #count(webhookId: string, ordinal: number): void {
    this.#subscriptions.set(webhookId, Math.max(this.#subscriptions.get(webhookId) ?? 0, ordinal + 1))
  }
}

function emptyWorld(
  initialState: InitialState,
  { mode, readings }: Extract<LogEntry, { type: 'begin' }>,
  beganAt: number,
): RecordedWorld {
  return {
    clock: { mode: mode as ClockMode, beganAt, now: beganAt },
    store: new MailboxStore(initialState.base),
    ids: new Map(),
    faults: { added: 0, rules: [] },
    chosen: readingsOf({ readings }, initialState),
    played: [],
    deliveries: { subscriptions: {}, unfinished: [] },
  }
}

/** On a clock that shows the machine's time, the time until a log goes on does not count: the story is that much later. */
export function entriesOfPause(
  { mode, now, beganAt }: ClockState,
  { unfinished }: Pick<DispatcherState, 'unfinished'>,
): LogEntry[] {
  const at = formatInstant(now)
  const moved = { type: 'clock', at, mode, began_at: formatInstant(beganAt) } as const
  return [moved, ...unfinished.map((delivery) => ({ type: 'delivery', at, delivery }) as const)]
}
