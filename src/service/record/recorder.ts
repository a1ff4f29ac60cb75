import type { Clock, ClockState } from '../time/clock.js'
import { formatInstant, speedOf } from '../time/time.js'
import type { EventFeed, WorldEventType } from './event-feed.js'
import type { History, UndatedChange } from './history.js'
import type { LoggedChange, WholeParts, WorldLog } from './log.js'
import type { Masker } from './masker.js'

/** Where the changes of a world are recorded. */
export interface RecordingWorld {
  readonly feed: EventFeed
  readonly masker: Masker
  /** Undefined when worlds have no log. */
  readonly log: WorldLog | undefined
  readonly history: Pick<History<unknown>, 'add' | 'addLatest'>
}

/** Records what happens to the parts of a world, at the world's time: in its history and its log, and as events for listeners. */
export class Recorder {
  readonly #world: RecordingWorld
  readonly #clock: Clock

  constructor(world: RecordingWorld, clock: Clock) {
    this.#world = world
    this.#clock = clock
    clock.onMoved = (from) => this.#noteMove(from)
  }

  /**
   * Logs a change that has taken effect; it must fit the schema of its type of entry. A command has its number in the
   * journal and its size.
   */
  log(
    change: UndatedChange,
    at = this.#clock.now(),
    { seq, size }: { seq?: number; size?: number } = {},
  ): void {
    this.#world.history.add({ at, change, seq }, size)
    this.#world.log?.add({ ...change, at: formatInstant(at) })
  }

  /**
   * Logs a change of which only the latest state counts, under a name; its entry is created when the log is
   * written. `delivery` returns the delivery that it is about.
   */
  logLatest(name: string, change: () => UndatedChange, delivery?: () => { readonly id: string }): void {
    const at = this.#clock.now()
    this.#world.history.addLatest(name, () => ({ at, change: change(), delivery: delivery?.() }))
    this.#world.log?.addLatest(name, () => ({ ...change(), at: formatInstant(this.#clock.now()) }))
  }

  /** Restarts the log with an entry that makes the earlier ones obsolete. */
  logBeginning(change: () => UndatedChange, at = this.#clock.now()): void {
    this.#world.log?.begin(this.#beginning(change(), at), speedOf(this.#clock.mode) > 0)
  }

  /** Returns entries for a whole world, which make the earlier ones obsolete. */
  whole({ snapshot, ...lists }: WholeParts): Iterable<LoggedChange> {
    const beginning = this.#beginning({ type: 'snapshot', snapshot }, this.#clock.now())
    return wholeEntries(beginning, lists)
  }

  /** Returns entries for the rows of a whole world. */
  rows(rows: WholeParts['rows']): Iterable<LoggedChange> {
    return rowEntries(rows, formatInstant(this.#clock.now()))
  }

  #beginning(change: UndatedChange, at: number): LoggedChange {
    const { ahead } = this.#clock.state
    return { ...change, at: formatInstant(at), ...(ahead !== undefined && { ahead }) }
  }

  /** Logs the present time of a clock that runs at a speed, since no other entry may contain it. */
  logTime(): void {
    const { mode } = this.#clock
    // A clock that stands logs each move, and a real one continues with the machine's time.
    if (speedOf(mode) === 0 || mode === 'real') return
    this.#world.log?.addLatest('time', () => clockEntry(this.#clock.state))
  }

  /** Publishes an event; its content is rendered and masked when somebody reads it. `size` is in estimated bytes. */
  publish(type: WorldEventType, content: () => unknown, at = this.#clock.now(), size?: number): void {
    const { feed, masker } = this.#world
    feed.publish(type, at, { show: () => masker.content(content()) }, size)
  }

  #noteMove(from: number): void {
    const { state } = this.#clock
    const entry = clockEntry(state)
    this.#world.history.add({ at: state.now, change: entry })
    this.#world.log?.add(entry)
    this.publish('clock', () => ({ from: formatInstant(from), now: entry.at, mode: state.mode }), state.now)
  }
}

function* wholeEntries(
  beginning: LoggedChange,
  { rows, deliveries }: Omit<WholeParts, 'snapshot'>,
): Generator<LoggedChange> {
  yield beginning
  const { at } = beginning
  yield* rowEntries(rows, at)
  for (const delivery of deliveries) yield { type: 'delivery', at, delivery } as LoggedChange
}

function* rowEntries(rows: WholeParts['rows'], at: string): Generator<LoggedChange> {
  for (const piece of rows) yield { type: 'rows', at, rows: piece } as LoggedChange
}

function clockEntry({ now, mode, beganAt, ahead }: ClockState) {
  const began_at = formatInstant(beganAt)
  return { type: 'clock', at: formatInstant(now), mode, began_at, ...(ahead !== undefined && { ahead }) }
}
