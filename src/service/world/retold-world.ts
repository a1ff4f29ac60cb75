import { chooseReadings } from '../readings/index.js'
import { parseInstant } from '../time/index.js'
import { type Command, checkCommand } from './commands/commands.js'
import type { InitialState } from './initial-state.js'
import { type LogEntry, LogReplay } from './log-replay.js'
import { ToldExchanges, type ToldStory, type ToldTraffic } from './told-story.js'
import { World } from './world.js'
import { defaultHost, type WorldHost } from './world-host.js'

/**
 * A world whose story is told again to those who follow its feed: step by step, it is as the first one was, and publishes
 * what that published about requests, deliveries, mail and the timeline. It does nothing by itself.
 */
export class RetoldWorld extends World {
  readonly #told: ToldStory
  readonly #exchanges = new ToldExchanges()
  /** How many entries of the log, and how much of the traffic, were told. */
  readonly #done = { entries: 1, traffic: 0 }

  /** @throws SnapshotError if the story was of another scenario or seed */
  constructor(id: string, initialState: InitialState, told: ToldStory, host: Partial<WorldHost> = {}) {
    const replay = new LogReplay(initialState)
    replay.apply(told.entries[0])
    const { recorded } = replay
    const before = { moment: 'its beginning', deliveries: [] }
    super(id, initialState, recorded.clock.mode, { ...defaultHost, ...host }, recorded, before)
    this.#told = told
  }

  /** Tells what happens before anybody can act: the entries of the timeline without a delay. */
  tellBeginning(): void {
    const { timeline } = this.initialState
    const first = timeline.filter(({ after }) => after <= 0).length
    while (this.timeline.played.length < first && this.#tellNext());
  }

  /** Tells the rest. */
  tellRest(): void {
    while (this.#tellNext());
  }

  /** Tells the next entry, with the traffic before it; returns whether there was one. */
  #tellNext(): boolean {
    const { entries, traffic = [] } = this.#told
    const done = this.#done
    for (let next = traffic[done.traffic]; next && next.after <= done.entries; next = traffic[done.traffic]) {
      done.traffic++
      this.#tellTraffic(next)
    }
    const entry = entries[done.entries]
    if (!entry) return false
    done.entries++
    this.clock.showAt(parseInstant(entry.at) as number)
    if (entry.type !== 'exchange') this.#tellEntry(entry as LogEntry)
    return true
  }

  #tellTraffic(next: ToldTraffic): void {
    if ('delivery' in next) this.dispatcher.showState(next.delivery)
    else this.record(this.#exchanges.read(next.exchange))
  }

  #tellEntry(entry: LogEntry): void {
    const { recorder, timeline, triggers, dispatcher } = this.state
    switch (entry.type) {
      case 'command': {
        const at = this.clock.now()
        const { kept, emitted } = this.carryOut(checkCommand(entry.command as Command), at)
        recorder.publish('command', () => kept.command, at, kept.size)
        for (const event of emitted) dispatcher.announce(event)
        return
      }
      case 'readings': {
        const { readings, from } = entry
        this.state.chosen = chooseReadings(
          [{ from, input: readings }],
          this.state.chosen,
          this.extensions.gaps,
        )
        recorder.publish('readings', () => ({ readings, from }))
        return
      }
      case 'timeline':
        timeline.showPlayed(entry.played)
        return
      case 'triggers':
        triggers.show(entry.triggers)
    }
  }
}
