import type { Extensions } from '../../contract/extensions.js'
import type { Readings } from '../../contract/gaps.js'
import type { Identity, Thread, Webhook } from '../../contract/resources.js'
import type { MailboxStore } from '../../service/model/index.js'
import type {
  ClockMode,
  Deliveries,
  EventFeed,
  Exchange,
  JournalEntry,
  Masker,
  PlayedEntry,
  RelianceSummary,
  SentMail,
} from '../../service/world/index.js'

/** The parts of a simulator by which a client is judged. */
export interface JudgedMailbox {
  readonly id: string
  readonly clock: { readonly mode: ClockMode; readonly beganAt: string; now(): string }
  readonly journal: { exchanges(): readonly Exchange[]; entries(): readonly JournalEntry[] }
  readonly deliveries: Deliveries
  readonly readings: { current(): Readings }
  readonly events: { readonly feed: EventFeed; readonly latest: number }
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
  readonly masker: Masker
  /** The rows of its world. */
  readonly store: MailboxStore
  reliances(): readonly RelianceSummary[]
  /** Returns the messages that agents sent by requests. */
  sentBy(entries?: readonly JournalEntry[]): readonly SentMail[]
  /** Returns every mailbox of the simulator, beginning with the first. */
  worlds(): readonly JudgedMailbox[]
}
