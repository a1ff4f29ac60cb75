import type { Extensions } from '../../contract/extensions.js'
import type { Assumptions } from '../../contract/gaps.js'
import type { Identity, Thread, Webhook } from '../../contract/resources.js'
import type { MailboxStore } from '../../service/model/mailbox-store.js'
import type { ClockMode } from '../../service/time/time.js'
import type { Deliveries } from '../../service/webhooks/deliveries.js'
import type { JournalEntry } from '../../service/world/exchange.js'
import type { Log } from '../../service/world/log.js'
import type { SentMail } from '../../service/world/sent-mail.js'
import type { PlayedEntry } from '../../service/world/story-entry.js'
import type { StoryMasker } from '../secrets/story-masker.js'

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
  /** Returns the requests that went to the first mailbox instead, since the story of this one began. */
  strays(): { readonly id: string; readonly entries: readonly JournalEntry[] }
}
