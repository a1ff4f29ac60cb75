import type { Delivery, Exchange, Fault, PlayedEntry, RelianceSummary } from '../world/index.js'

/** The summary of a world: `GET /_sim/world`. */
export interface WorldInfo {
  readonly id: string
  readonly scenario: string
  readonly seed: number
  /** The instant at which the story begins, ISO 8601 UTC. */
  readonly start: string
  readonly now: string
  readonly clock: string
  readonly counts: Readonly<Record<'agents' | 'threads' | 'messages' | 'webhooks' | 'deliveries', number>>
}

/** A world with the key that selects it: `GET /_sim/worlds`. */
export interface WorldKey {
  readonly id: string
  readonly api_key: string
  readonly scenario: string
  readonly seed: number
}

export interface Agent {
  readonly id: string
  readonly agent_handle: string
  readonly display_name: string | null
  readonly description: string | null
  readonly mailbox_address: string
}

export interface ThreadInfo {
  readonly id: string
  readonly agent_handle: string
  readonly subject: string
  readonly snippet: string
  readonly unread: boolean
  readonly message_count: number
  readonly last_message_at: string
  readonly created_at: string
}

export interface ThreadPage {
  readonly threads: readonly ThreadInfo[]
  readonly total: number
}

export interface AttachmentInfo {
  readonly id: string
  readonly filename: string
  readonly content_type: string
  readonly size_bytes: number
  readonly content_id: string | null
}

export interface MessageInfo {
  readonly id: string
  readonly thread_id: string
  readonly direction: 'inbound' | 'outbound'
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string | null
  readonly html: string | null
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly attachments: readonly AttachmentInfo[]
  readonly created_at: string
}

export interface Conversation {
  readonly thread: ThreadInfo
  readonly messages: readonly MessageInfo[]
}

export interface Subscription {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly agent_handle?: string | null | undefined
  readonly has_auth_token: boolean
}

export interface UpcomingEntry {
  readonly name: string
  readonly at: string
}

export interface StoryTimeline {
  readonly played: readonly PlayedEntry[]
  readonly left: number
  readonly upcoming: readonly UpcomingEntry[]
}

/** Whether an expectation of the scenario would hold if the story ended now: `GET /_sim/expectations`. */
export interface ExpectationState {
  readonly index: number
  readonly key: string | null
  readonly kind: string
  readonly describe: string
  readonly passed: boolean
  readonly expected: string
  readonly found: string
  readonly nearest: {
    readonly line: string
    readonly exchange: number | null
    readonly differences: readonly string[]
  } | null
}

export interface GapInfo {
  readonly gap: string
  readonly question: string
  readonly reading: string
  /** The origin of the choice: `default`, `scenario`, a flag, … */
  readonly from: string
  /** The worst reading for a client. */
  readonly worst: string
  readonly advice: string
  readonly evidence: string
  readonly readings: readonly { readonly name: string; readonly means: string; readonly example: string }[]
}

/** The part of an exchange that the list shows; the rest is read when the exchange is opened. */
export type ExchangeLine = Omit<Exchange, 'request' | 'response' | 'fault' | 'reliances' | 'world'> & {
  readonly gaps: readonly string[]
  readonly fault: string | null
}

/** Converts an exchange to its line in the list. */
export function lineOf({ request, response, world, reliances, fault, ...facts }: Exchange): ExchangeLine {
  return { ...facts, gaps: reliances.map(({ gap }) => gap), fault: fault?.id ?? null }
}

export interface FaultInfo {
  readonly id: string
  readonly fault: Fault
  readonly matched: number
  readonly hit: number
}

export interface ClockInfo {
  readonly now: string
  readonly mode: string
}

export interface ThreadQuery {
  readonly agent: string
  readonly search: string
  readonly offset: number
  readonly limit: number
}

/** Provides the data of the screens, from a server or from a recording. */
export interface DataSource {
  /** Whether the data can change and actions are possible. */
  readonly live: boolean
  world(): Promise<WorldInfo>
  agents(): Promise<readonly Agent[]>
  threads(query: ThreadQuery): Promise<ThreadPage>
  conversation(threadId: string): Promise<Conversation>
  raw(messageId: string): Promise<string>
  attachment(id: string): Promise<Blob>
  /** Returns the exchanges without headers and bodies, oldest first. */
  lines(): Promise<readonly ExchangeLine[]>
  exchange(seq: number): Promise<Exchange | undefined>
  deliveries(): Promise<readonly Delivery[]>
  subscriptions(): Promise<readonly Subscription[]>
  timeline(): Promise<StoryTimeline>
  expectations(): Promise<readonly ExpectationState[]>
  gaps(): Promise<readonly GapInfo[]>
  reliances(): Promise<readonly RelianceSummary[]>
  faults(): Promise<readonly FaultInfo[]>
}
