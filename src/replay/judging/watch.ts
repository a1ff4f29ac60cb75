import type { Simulator } from '../../simulator/simulator.js'
import type { AnsweredRequest, Delivery } from '../../world/index.js'
import type { Verdict } from '../verdict.js'
import type { DeliveryBook } from './delivery-book.js'
import type { Moment, StoryMoments } from './moment.js'

/** Something of a story that expectations are about, as it happens. */
export type News =
  | {
      readonly type: 'exchange'
      readonly moment: Moment
      readonly exchange: AnsweredRequest
      /** The body of the answer, as the journal shows it. */
      answer(): string | null
    }
  | { readonly type: 'delivery'; readonly moment: Moment; readonly delivery: Delivery }
  /** What the service shows may be another from now on. */
  | { readonly type: 'state'; readonly moment: Moment }

/** What has happened so far, for those who watch. */
export interface Story {
  readonly simulator: Simulator
  readonly moments: StoryMoments
  readonly deliveries: DeliveryBook
  /** How many requests came. */
  readonly requests: number
}

/** What an expectation has come to, at some moment of the story. */
export type Finding = Pick<Verdict, 'passed' | 'found' | 'nearest'> & {
  /** When that was decided, in milliseconds since the epoch; the end where it is left out. */
  readonly at?: number | undefined
}

/** Watches what happens, for one expectation. */
export interface Watch {
  /** What must be so, for people. */
  readonly expected: string
  /** When it first came true, where something has to happen for that. */
  readonly cameTrue: Moment | undefined
  /** Whether nothing that happens can change any more what it comes to. */
  readonly decided: boolean
  /** Takes in what happened. */
  take(news: News): void
  /** What it comes to if the story is over at an instant, in milliseconds since the epoch. */
  judge(end: number): Finding
}

/** What came nearest. */
export type Nearest = NonNullable<Verdict['nearest']>
