import type { Assumptions, Extensions, Identity, Thread, Webhook } from '../../contract/index.js'
import type { RelianceSummary } from '../../service/assumptions/index.js'
import type { MailboxStore } from '../../service/model/index.js'
import type { EventFeed } from '../../service/record/index.js'
import type { ClockMode } from '../../service/time/index.js'
import type { Deliveries } from '../../service/webhooks/index.js'
import type { Exchange, JournalEntry, PlayedEntry, SentMail } from '../../service/world/index.js'
import type { StoryMasker } from '../secrets/index.js'

/** The parts of a simulator by which a client is judged. */
export interface JudgedMailbox {
  readonly id: string
  readonly clock: { readonly mode: ClockMode; readonly beganAt: string; now(): string }
  readonly journal: { exchanges(): readonly Exchange[]; entries(): readonly JournalEntry[] }
  readonly deliveries: Deliveries
  readonly assumptions: { current(): Assumptions }
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
  readonly masker: StoryMasker
  /** The rows of its world. */
  readonly store: MailboxStore
  reliances(): readonly RelianceSummary[]
  /** Returns the messages that agents sent by requests. */
  sentBy(entries?: readonly JournalEntry[]): readonly SentMail[]
  /** Returns the requests that went to the first mailbox instead, since the story of this one began. */
  strays(): { readonly id: string; readonly entries: readonly JournalEntry[] }
}
