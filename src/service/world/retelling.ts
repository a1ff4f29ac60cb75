import type { EventFeed } from '../record/event-feed.js'
import type { History } from '../record/history.js'
import { parseInstant } from '../time/time.js'
import type { DeliveryState } from '../webhooks/delivery.js'
import { carryOut } from './carry-out.js'
import { type Command, checkCommand } from './commands/commands.js'
import type { InitialState } from './initial-state.js'
import type { Journal, KeptCommand } from './journal.js'
import { type LogEntry, LogReplay } from './log-replay.js'
import type { KeptState } from './past.js'
import { ToldExchanges, type ToldStory, type ToldTraffic } from './told-story.js'
import { type RecordedWorld, type WorldState, worldAtStart } from './world-state.js'

/** A world in which nothing happens by itself while its story is told again. */
export interface ToldWorld {
  readonly state: WorldState
  readonly history: History<KeptState>
  readonly journal: Journal
  readonly feed: EventFeed
  /** Goes on from a state. */
  wake(recorded: RecordedWorld): void
}

/**
 * Tells a story again to those who follow the feed of a world: step by step, the world is as the first one was, and publishes
 * what that published about requests, deliveries, mail and the timeline.
 */
export class Retelling {
  readonly #told: ToldStory
  readonly #world: ToldWorld
  readonly #replay: LogReplay
  readonly #exchanges = new ToldExchanges()
  /** The position of the history after the first entry. */
  readonly #first: number
  /** The states of deliveries, and the numbers of entries before exchanges, by the entries that have them. */
  readonly #deliveries = new Map<number, DeliveryState>()
  readonly #places = new Map<number, number>()
  /** How many entries of the log, and how much of the traffic, were told. */
  #entries = 1
  #traffic = 0

  /** `replay` has applied the first entry. */
  constructor(told: ToldStory, replay: LogReplay, world: ToldWorld) {
    this.#told = told
    this.#world = world
    this.#replay = replay
    this.#first = world.history.here()
    for (const one of told.traffic ?? []) {
      if ('delivery' in one) this.#deliveries.set(one.after, one.delivery)
      else this.#places.set(one.exchange.seq, one.after)
    }
  }

  /** Tells all of it; at an instant after it, the world goes on by itself. */
  goOn(now: number): void {
    while (this.#tellNext());
    const { recorded } = this.#replay
    this.#world.wake({ ...recorded, clock: { ...recorded.clock, now } })
  }

  /** Tells the next entry, with the traffic before it; returns whether there was one. */
  #tellNext(): boolean {
    const { entries, traffic = [] } = this.#told
    for (
      let next = traffic[this.#traffic];
      next && next.after <= this.#entries;
      next = traffic[this.#traffic]
    ) {
      this.#traffic++
      this.#tellTraffic(next)
    }
    const entry = entries[this.#entries]
    if (!entry) return false
    this.#entries++
    const at = parseInstant(entry.at) as number
    this.#world.state.clock.showAt(at)
    this.#tell(entry as LogEntry, at)
    return true
  }

  #tellTraffic(next: ToldTraffic): void {
    const { state, journal, feed } = this.#world
    if ('delivery' in next) {
      state.dispatcher.showState(next.delivery)
      return
    }
    const exchange = this.#exchanges.read(next.exchange)
    const entry = journal.record(exchange)
    feed.publish('exchange', exchange.at, entry, entry.size)
  }

  #tell(
    entry: LogEntry | { readonly type: 'exchange'; readonly at: string; readonly seq: number },
    at: number,
  ): void {
    const { history, state } = this.#world
    const { at: _, ...change } = entry
    const delivery = this.#deliveries.get(this.#entries)
    if (entry.type === 'exchange') {
      const place = this.#places.get(entry.seq) ?? this.#entries
      history.endExchange(at, entry.seq, this.#first + place - 1)
      return
    }
    this.#replay.apply(entry)
    const command = entry.type === 'command' ? this.#tellCommand(entry.command as Command, at) : undefined
    history.add({ at, change, delivery, seq: command?.seq }, command?.size)
    if (entry.type === 'assumptions') state.tellAssumptions(entry)
    if (entry.type === 'timeline') state.timeline.showPlayed(entry.played)
    if (entry.type === 'triggers') state.triggers.show(entry.triggers)
  }

  #tellCommand(command: Command, at: number): KeptCommand {
    const { state, journal } = this.#world
    const { kept, emitted } = carryOut(state, journal, checkCommand(command), at)
    state.recorder.publish('command', () => kept.command, at, kept.size)
    for (const event of emitted) state.dispatcher.announce(event)
    return kept
  }
}

/** Returns what rebuilds a told story, at its first entry, and the state in which a world begins it. @throws SnapshotError */
export function beginRetelling(initialState: InitialState, { entries }: ToldStory) {
  const replay = new LogReplay(initialState)
  replay.apply(entries[0])
  const { clock, chosen } = replay.recorded
  // With rows of its own: both apply every command.
  return { replay, start: { ...worldAtStart(initialState, clock.mode), clock, chosen } }
}
