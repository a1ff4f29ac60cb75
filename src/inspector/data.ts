import type { Recording } from '../runs/reports/html.js'
import type { Exchange } from '../service/world/exchange.js'

// What the control API returns is what a report records.

/** The summary of a world: `GET /_sim/world`. */
type WorldInfo = Recording['world']
type ConversationInfo = Recording['conversations'][number]
export type ThreadInfo = ConversationInfo['thread']
export type MessageInfo = ConversationInfo['messages'][number]
/** A message that an agent sent by a request. */
export type SentInfo = Pick<
  MessageInfo,
  'id' | 'thread_id' | 'to' | 'subject' | 'text' | 'attachments' | 'created_at' | 'exchange'
> & { readonly agent_handle: string }
export type AttachmentInfo = MessageInfo['attachments'][number]
export type Subscription = Recording['subscriptions'][number]
export type StoryTimeline = Recording['timeline']
/** Whether an expectation of the scenario would hold if the story ended now: `GET /_sim/expectations`. */
export type ExpectationState = Recording['expectations'][number]
export type GapInfo = Recording['gaps'][number]
type FaultInfo = Recording['faults'][number]
/** What requests and entries of the timeline changed: `GET /_sim/journal/changes`. */
export type ChangesInfo = Recording['changes']

export interface ThreadPage {
  readonly threads: readonly ThreadInfo[]
  readonly total: number
}

/** A world with the key that selects it: `GET /_sim/worlds`. */
export interface WorldKey {
  readonly id: string
  readonly api_key: string
  readonly scenario: string
}

/** The part of an exchange that the list shows; the rest is read when the exchange is opened. */
export type ExchangeLine = Omit<Exchange, 'request' | 'response' | 'fault' | 'reliances' | 'world'> & {
  readonly gaps: readonly string[]
  readonly fault: string | null
}

/** The response to a repeated request. */
export type RepeatedResponse = Pick<Exchange, 'status' | 'response'>

/** Converts an exchange to its line in the list. */
export function lineOf({ request, response, world, reliances, fault, ...facts }: Exchange): ExchangeLine {
  return { ...facts, gaps: reliances.map(({ gap }) => gap), fault: fault?.id ?? null }
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
  agents(): Promise<Recording['agents']>
  threads(query: ThreadQuery): Promise<ThreadPage>
  conversation(threadId: string): Promise<ConversationInfo>
  /** Returns the messages that agents sent by requests, newest first. */
  sent(): Promise<readonly SentInfo[]>
  raw(messageId: string): Promise<string>
  attachment(id: string): Promise<Blob>
  /** Returns the exchanges after a number without headers and bodies, oldest first. */
  lines(after: number): Promise<readonly ExchangeLine[]>
  exchange(seq: number): Promise<Exchange | undefined>
  /** Returns the response to a request as its world is now, under some assumptions; changes nothing. */
  repeat(seq: number, assumptions: Readonly<Record<string, string>>): Promise<RepeatedResponse>
  deliveries(): Promise<Recording['deliveries']>
  subscriptions(): Promise<readonly Subscription[]>
  timeline(): Promise<StoryTimeline>
  expectations(): Promise<readonly ExpectationState[]>
  gaps(): Promise<readonly GapInfo[]>
  reliances(): Promise<Recording['reliances']>
  faults(): Promise<readonly FaultInfo[]>
  /** Returns what all requests and entries changed, or only one request. */
  changes(exchange?: number): Promise<ChangesInfo>
}
