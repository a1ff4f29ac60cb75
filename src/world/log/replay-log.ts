import { hiddenKeys } from '../../contract/schema.js'
import { MailboxStore } from '../../model/index.js'
import type { ClockState } from '../clock.js'
import type { CommandContext } from '../commands/command.js'
import { checkCommand, commands } from '../commands/index.js'
import { type IdKind, IdSource } from '../ids.js'
import { withChoices } from '../readings.js'
import { refusal } from '../snapshot/document.js'
import { checkOrigin, readingsOf, readSnapshot } from '../snapshot/read-snapshot.js'
import { type ClockMode, formatInstant, parseInstant } from '../time.js'
import type { PlayedEntry } from '../timeline.js'
import type { Unfinished } from '../webhooks/delivery-record.js'
import type { DispatcherState } from '../webhooks/dispatcher.js'
import { bouncesBy } from '../wildcard.js'
import type { InitialState, RecordedWorld } from '../world-state.js'
import { type LogEntry, logEntrySchema } from './world-log.js'

/** The parts of a recorded world that an entry replaces as a whole. */
type ReplacedParts = Pick<RecordedWorld, 'clock' | 'store' | 'faults' | 'chosen' | 'triggered'>

/** A world that is made again from the entries of its log, applied one after another. */
export class LogReplay {
  readonly #initialState: InitialState
  readonly #bounces: (address: string) => boolean
  #parts: ReplacedParts
  #ids: IdSource
  #outgoingIds = new Map<IdKind, number>()
  #played: PlayedEntry[] = []
  #subscriptions = new Map<string, number>()
  #unfinished = new Map<string, Unfinished>()

  /** Begins with the initial state, where a log begins. */
  constructor(initialState: InitialState) {
    this.#initialState = initialState
    this.#bounces = bouncesBy(initialState.bounces ?? [])
    this.#parts = beginning(initialState)
    this.#ids = new IdSource(initialState.seed)
  }

  /** Applies the next entry. @throws SnapshotError, CommandError, ReadingError or a ZodError where it is none */
  apply(document: unknown): void {
    const [hidden] = hiddenKeys(document)
    if (hidden) throw refusal('malformed', hidden, 'unknown key')
    const entry = logEntrySchema().parse(document)
    const now = parseInstant(entry.at) as number
    this.#applyKind(entry, now)
    const { clock } = this.#parts
    this.#replace({ clock: { ...clock, now: Math.max(clock.now, now) } })
  }

  /** The world as the entries left it. */
  get recorded(): RecordedWorld {
    return {
      ...this.#parts,
      ids: new Map([...this.#ids.counts, ...this.#outgoingIds]),
      played: this.#played,
      deliveries: {
        subscriptions: Object.fromEntries(this.#subscriptions),
        unfinished: [...this.#unfinished.values()],
      },
    }
  }

  #replace(changed: Partial<ReplacedParts>): void {
    this.#parts = { ...this.#parts, ...changed }
  }

  #applyKind(entry: LogEntry, now: number): void {
    switch (entry.type) {
      case 'begin': {
        checkOrigin(entry, this.#initialState)
        const clock = { mode: entry.mode as ClockMode, beganAt: now, now }
        const chosen = readingsOf(entry, this.#initialState)
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
        const { readings: before, origins } = this.#parts.chosen
        const from = Object.fromEntries(Object.keys(entry.readings).map((gap) => [gap, entry.from]))
        const readings = withChoices(before, entry.readings, this.#initialState.extensions?.gaps)
        this.#replace({ chosen: { readings, origins: { ...origins, ...from } } })
        return
      }
      case 'faults':
        this.#replace({ faults: entry.faults })
        return
      case 'clock': {
        const beganAt = parseInstant(entry.began_at) as number
        this.#replace({ clock: { mode: entry.mode as ClockMode, beganAt, now } })
        return
      }
      case 'timeline':
        this.#played.push(entry.played)
        return
      case 'triggers':
        this.#replace({ triggered: entry.triggers as RecordedWorld['triggered'] })
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

  #begin({ ids, played, deliveries, ...parts }: RecordedWorld): void {
    this.#parts = parts
    this.#ids = new IdSource(this.#initialState.seed, ids)
    this.#outgoingIds = new Map()
    this.#played = [...played]
    this.#subscriptions = new Map(Object.entries(deliveries.subscriptions))
    this.#unfinished = new Map(deliveries.unfinished.map((delivery) => [delivery.id, delivery]))
  }

  #contextAt(now: number): CommandContext {
    return {
      store: this.#parts.store,
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

/** A world in which nothing has happened. */
function beginning(initialState: InitialState): RecordedWorld {
  const { base, start } = initialState
  return {
    clock: { mode: 'frozen', beganAt: start, now: start },
    store: new MailboxStore(base),
    ids: new Map(),
    faults: { added: 0, rules: [] },
    chosen: initialState,
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
