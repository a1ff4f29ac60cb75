import type { Extensions } from '../../contract/extensions.js'
import type { Assumptions } from '../../contract/gaps.js'
import type { EventType, Identity, Thread, Webhook } from '../../contract/resources.js'
import type { MailboxStore } from '../../service/model/mailbox-store.js'
import type { ClockMode } from '../../service/time/time.js'
import type { Deliveries } from '../../service/webhooks/deliveries.js'
import type { Delivery } from '../../service/webhooks/delivery.js'
import type { ExchangeWithRequest, JournalEntry } from '../../service/world/exchange.js'
import type { Log } from '../../service/world/log.js'
import type { SentMail } from '../../service/world/sent-mail.js'
import type { PlayedEntry } from '../../service/world/story-entry.js'
import type { StoryMasker } from '../secrets.js'
import type { Milestones, Moment, StoryWindow } from './time-window.js'

/** The parts of a simulator by which a client is judged. */
export interface JudgedMailbox {
  readonly id: string
  readonly clock: { readonly mode: ClockMode; readonly beganAt: string; now(): string }
  readonly journal: { entries(): readonly JournalEntry[] }
  readonly deliveries: Deliveries
  readonly assumptions: { current(): Assumptions }
  readonly events: { readonly log: Log; readonly latest: number }
  readonly timeline: { played(): readonly PlayedEntry[] }
  readonly identities: { get(id: string): Identity }
  readonly threads: {
    get(id: string): Thread
    list(options: { agent: string } | { everywhere: true }): readonly Thread[]
  }
  readonly mail: { get(id: string): object }
  readonly webhooks: { list(options: { everywhere: true }): readonly Webhook[] }
  /** The secrets of its scenario by name. */
  readonly secrets: Readonly<Record<string, string>>
  readonly extensions: Extensions
  readonly masker: StoryMasker
  /** The rows of its world. */
  readonly store: MailboxStore
  /** Returns the messages that agents sent by requests. */
  sentBy(entries?: readonly JournalEntry[]): readonly SentMail[]
}

/** An event of a run that may matter to an expectation. */
export type Observation =
  | {
      readonly type: 'exchange'
      readonly moment: Moment
      readonly exchange: ExchangeWithRequest
      /** The entry of the log, which has the exchange as recorded, unmasked. */
      readonly entry: JournalEntry
      /** Returns the message that the request sent. */
      sent(): readonly SentMail[]
      /**
       * When the request came and when its response was ready, in milliseconds of wall time since the service
       * started.
       */
      readonly wall: { readonly from: number; readonly to: number }
    }
  | { readonly type: 'delivery'; readonly moment: Moment; readonly delivery: Delivery }
  | {
      readonly type: 'event'
      readonly moment: Moment
      readonly event: EventType
      /** The id of its message. */
      readonly message: string
      /** The recipient that a delivery or bounce concerns; null for all. */
      readonly recipient: string | null
    }
  /** The state that the service returns may have changed. */
  | { readonly type: 'state'; readonly moment: Moment }

/** The expected number. */
export interface Amount {
  readonly least: number
  /** Null when there is no limit. */
  readonly most: number | null
}

/** An expectation of a kind, as it is followed. */
export interface Compiled {
  /** The number of things that it expects, if it counts any. */
  readonly amount?: Amount
  /** The part of the story that it is about. */
  readonly window?: StoryWindow
  /** The id of the resource whose state it expects, and the fields of that. */
  readonly state?: { readonly id: string; readonly has: object }
  /** Follows a play. */
  track(facts: RunFacts): Tracker
}

/** The facts that all trackers of a run share. */
export interface RunFacts {
  readonly mailbox: JudgedMailbox
  readonly milestones: Milestones
  /** What else the story expects. */
  readonly others: readonly Compiled[]
}

/** Follows a run for one expectation. */
export interface Tracker {
  /** The expectation in words. */
  readonly expected: string
  /** Whether the result is final. */
  readonly decided?: boolean
  /** The number of things so far that match, if it counts them. */
  readonly count?: number
  /** Those things, at most 1,000 of them. */
  readonly matching?: readonly unknown[]
  /** Observes an event of the run. */
  observe(observation: Observation): void
  /** Returns the result for a run that ends at an instant, in milliseconds since the epoch. */
  evaluate(end: number): TrackerResult
}

/** The result of an expectation. */
export interface TrackerResult {
  readonly passed: boolean
  /** The finding in words, e.g. `0 of 14 requests`, `unread: true`. */
  readonly found: string
  /** The nearest match of a failed expectation, if there is one. */
  readonly nearest: NearestMatch | null
  /** Why a result that passed says nothing; undefined if it was judged. */
  readonly unjudged?: string | undefined
  /** When it was decided, in milliseconds since the epoch; the end of the run by default. */
  readonly at?: number | undefined
}

/** The nearest match of a failed expectation, or the first that is too many. */
export interface NearestMatch {
  /** An exchange or a delivery in a line, or the name of the resource. */
  readonly line: string
  /** The number of the exchange in the journal; null for anything else. */
  readonly exchange: number | null
  /** Its story time, ISO 8601 UTC. */
  readonly at: string
  readonly differences: readonly string[]
  /** Whether it is one too many rather than near; the differences then list all that match. */
  readonly surplus?: true
}
