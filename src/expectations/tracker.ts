import type { EventType } from '../contract/resources.js'
import { counted } from '../contract/text.js'
import type { Simulator } from '../simulator/simulator.js'
import type { Amount, AnsweredRequest, Command, Delivery, ExpectationKind } from '../world/index.js'
import type { Milestones, Moment } from './time-window.js'
import type { PatternTime } from './value-matcher.js'

/** The result of one expectation of a scenario. */
export interface ExpectationResult {
  /** Its place in the file, counted from 0. */
  readonly index: number
  readonly key: string | null
  readonly kind: ExpectationKind
  /** What must be true, in a sentence: the scenario's own, or a generated one. */
  readonly describe: string
  readonly passed: boolean
  /** The story time at which it failed, ISO 8601 UTC; the end of the run if it passed, or could still have passed. */
  readonly at: string
  /** The expectation in words, e.g. `at least 1 request of messages.list with query.agent "support"`. */
  readonly expected: string
  /** The finding in words, e.g. `0 of 14 requests`, `unread: true`. */
  readonly found: string
  /** The nearest match of a failed expectation, if there is one. */
  readonly nearest: {
    /** An exchange or a delivery in a line, or the name of the resource. */
    readonly line: string
    /** The number of the exchange in the journal; null for anything else. */
    readonly exchange: number | null
    /** Its story time, ISO 8601 UTC. */
    readonly at: string
    readonly differences: readonly string[]
  } | null
}

/** An event of a run that may matter to an expectation. */
export type Observation =
  | {
      readonly type: 'exchange'
      readonly moment: Moment
      readonly exchange: AnsweredRequest
      /** Returns the body of the answer as the journal shows it. */
      answer(): string | null
      /** Returns a header of the answer, by its name in lower case. */
      header(name: string): string | undefined
      /** When the request came and when it was answered, in milliseconds of wall time since the service started. */
      readonly wall: { readonly from: number; readonly to: number }
    }
  | { readonly type: 'command'; readonly moment: Moment; readonly command: Command }
  | { readonly type: 'delivery'; readonly moment: Moment; readonly delivery: Delivery }
  | { readonly type: 'event'; readonly moment: Moment; readonly event: EventType }
  /** The state that the service shows may have changed. */
  | { readonly type: 'state'; readonly moment: Moment }

/** The facts that all trackers of a run share. */
export interface RunFacts {
  readonly simulator: Simulator
  readonly milestones: Milestones
  readonly patterns: PatternTime
  /** The number of requests so far. */
  readonly requests: number
  /** Whether a client that was started for this run is still running; `unknown` unless reported. */
  readonly client: 'unknown' | 'running' | 'ended'
}

/** Follows a run for one expectation. */
export interface Tracker {
  /** The expectation in words. */
  readonly expected: string
  /** When it first came true; undefined before that, and for an expectation about the run as a whole. */
  readonly cameTrueAt?: Moment | undefined
  /** Whether the result is final. */
  readonly decided?: boolean
  /** Why it could not be evaluated, and therefore fails. */
  readonly problem?: string | undefined
  /** Observes an event of the run. */
  observe(observation: Observation): void
  /** Returns the result for a run that ends at an instant, in milliseconds since the epoch. */
  evaluate(end: number): TrackerResult
}

/** The result of an expectation. */
export type TrackerResult = Pick<ExpectationResult, 'passed' | 'found' | 'nearest'> & {
  /** When it was decided, in milliseconds since the epoch; the end of the run by default. */
  readonly at?: number | undefined
}

/** The nearest match of a failed expectation. */
export type NearestMatch = NonNullable<ExpectationResult['nearest']>

/** Describes an expected number: `at least 1 request`, `no request`. */
export function describeAmount({ least, most }: Amount, one: string, several = `${one}s`): string {
  if (most === null) return `at least ${counted(least, one, several)}`
  if (most === 0) return `no ${one}`
  if (least === most) return `exactly ${counted(most, one, several)}`
  if (least === 0) return `at most ${counted(most, one, several)}`
  return `${least} to ${counted(most, one, several)}`
}

/** Explains that something exceeds the limit by one. */
export function describeExcess(most: number, one: string): string {
  return most === 0
    ? `expected no such ${one}; this is the first`
    : `expected at most ${most} of them; this is number ${most + 1}`
}
