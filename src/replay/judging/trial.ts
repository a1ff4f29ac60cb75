import type { EventType } from '../../contract/events.js'
import type { Simulator } from '../../simulator/simulator.js'
import {
  type Delivery,
  type Expectation,
  type JournalEntry,
  type KeptHappening,
  type PlayedEntry,
  parseInstant,
} from '../../world/index.js'
import type { Verdict } from '../verdict.js'
import { DeliveryBook } from './delivery-book.js'
import { type Moment, StoryMoments } from './moment.js'
import { inOrderOfNeed, isWatchedForState } from './needs.js'
import { verdictOf } from './verdict-of.js'
import type { News, Story, Watch } from './watch.js'
import { watchOf } from './watch-of.js'

/** Something that happened, with its number among all that did. */
export type Numbered = KeptHappening & { readonly seq: number }

/** One story with those who watch it, from its beginning to its end. */
export class Trial {
  readonly #simulator: Simulator
  readonly #expectations: readonly Expectation[]
  readonly #watches: readonly Watch[]
  /** Places of the watches in the order in which they are told of things, and of those that are told of the state. */
  readonly #order: readonly number[]
  readonly #stateOrder: readonly number[]
  readonly #story: Story & { requests: number }
  /** Whether it is known which entries of the timeline happened before anybody watched. */
  #begun = false

  /** `history` is what has happened in the story already; it has just begun where that is left out. */
  constructor(simulator: Simulator, history?: readonly Numbered[]) {
    this.#simulator = simulator
    this.#expectations = simulator.expectations
    const story = {
      simulator,
      moments: new StoryMoments(parseInstant(simulator.clock.beganAt) as number),
      deliveries: new DeliveryBook(),
      requests: 0,
    }
    this.#story = story
    this.#watches = this.#expectations.map((expectation) => watchOf(expectation, story))
    this.#order = inOrderOfNeed(this.#expectations)
    this.#stateOrder = this.#order.filter((index) => isWatchedForState(this.#expectations, index))
    if (history) {
      this.#begin(history.filter(({ type }) => type === 'timeline').length)
      for (const happening of history) this.#note(happening)
    }
    this.#tellState({ at: parseInstant(simulator.clock.now()) as number, seq: simulator.events.latest })
  }

  /** Takes in what happened. */
  take(happening: Numbered): void {
    this.#begin(happening.type === 'timeline' ? 1 : 0)
    const moment = this.#note(happening)
    if (['command', 'readings', 'timeline'].includes(happening.type)) this.#tellState(moment)
  }

  /** What becomes of every expectation if the story is over at an instant, in milliseconds since the epoch. */
  verdicts(end: number): Verdict[] {
    this.#begin(0)
    const { masker } = this.#simulator
    return this.#watches.map((watch, index) => {
      return verdictOf({ expectation: this.#expectations[index] as Expectation, index, watch, end, masker })
    })
  }

  /** Whether nothing that happens can change what becomes of the expectation at a place. */
  isDecided(index: number): boolean {
    return this.#watches[index]?.decided === true
  }

  /** Learns which entries of the timeline have happened, but for the last few, which are yet to be told of. */
  #begin(untold: number): void {
    if (this.#begun) return
    this.#begun = true
    const played = this.#simulator.timeline.played()
    for (const { at } of played.slice(0, played.length - untold)) {
      this.#story.moments.noteEntry({ at: parseInstant(at) as number, seq: 0 })
    }
  }

  #note({ type, at, seq, content }: Numbered): Moment {
    const moment = { at, seq }
    const { moments, deliveries } = this.#story
    if (type === 'exchange') {
      const entry = content as JournalEntry
      const exchange = entry.showRequest()
      this.#story.requests++
      if (exchange.operation !== null) moments.noteOperation(exchange.operation, moment)
      this.#tell({ type, moment, exchange, answer: () => entry.show().response.body })
    } else if (type === 'delivery') {
      const delivery = content.show() as Delivery
      deliveries.note(delivery, moment)
      this.#tell({ type, moment, delivery })
    } else if (type === 'event') {
      deliveries.noteEvent((content.show() as { readonly type: EventType }).type)
    } else if (type === 'timeline') {
      const { at: planned } = content.show() as PlayedEntry
      moments.noteEntry({ at: parseInstant(planned) as number, seq })
    }
    return moment
  }

  #tell(news: News, order = this.#order): void {
    for (const index of order) {
      const watch = this.#watches[index] as Watch
      watch.take(news)
      if (watch.cameTrue) this.#story.moments.noteExpectation(index, watch.cameTrue)
    }
  }

  /** The state that something leaves behind comes right after it, and before whatever happens next. */
  #tellState({ at, seq }: Moment): void {
    this.#tell({ type: 'state', moment: { at, seq: seq + 0.5 } }, this.#stateOrder)
  }
}
