import { expect } from 'vitest'
import type { AssumptionOf, Assumptions, GapId } from '../../src/contract/gaps.js'
import {
  identityPath,
  jsonOf,
  type Mailbox,
  messagesPath,
  type Sending,
  textOf,
} from '../conformance/mailbox.js'
import type { Answer } from '../conformance/transport.js'

/** A gap whose assumptions are visible in deliveries. */
export type EventGap = Exclude<Extract<GapId, `events.${string}`>, 'events.listed'>

/** A gap of the place of new mail, whose assumptions are visible in later answers. */
type PlacingGap = 'threads.forward' | 'threads.new-subject'

/** A gap whose assumptions are visible in answers. */
export type RequestGap = Exclude<GapId, EventGap | PlacingGap>

/** Returns whether a gap concerns the place of new mail; test/mail/placed.test.ts has its cases. */
const isPlacingGap = (gap: GapId): gap is PlacingGap =>
  gap === 'threads.forward' || gap === 'threads.new-subject'

export function isEventGap(gap: GapId): gap is EventGap {
  return gap.startsWith('events.') && gap !== 'events.listed'
}

export function isRequestGap(gap: GapId): gap is RequestGap {
  return !isEventGap(gap) && !isPlacingGap(gap)
}

/** A request, sent with the key of the first organization by default. */
export interface Asked extends Sending {
  /** `GET` by default. */
  readonly method?: string
  readonly path: string
}

/** A request, or a function that makes it from the mailbox. */
export type Asking = Asked | ((mailbox: Mailbox) => Promise<Asked>)

/** The answer that equals the one before. */
export const same = 'the same as before'

/** A request that meets a gap, and the result under each assumption. */
export interface GapCase<G extends GapId> {
  /** Assumptions of other gaps that this case requires. */
  readonly assumptions?: Partial<Omit<Assumptions, G>>
  /** Prepares the mailbox. */
  readonly prepare?: (mailbox: Mailbox) => Promise<void>
  /** A request sent before, for comparison. */
  readonly before?: Asked
  /** Whose answer relies on the gap. */
  readonly request: Asking
  /** Returns what a client sees in an answer, or later on. */
  readonly shows?: (answer: Answer, mailbox: Mailbox, before: Answer | undefined) => unknown
  /** Assumption by assumption: the status of a refusal, `same`, or what the case shows. */
  readonly sees: { readonly [R in AssumptionOf<G>]: unknown }
  /** Similar requests whose answers do not rely on the gap. */
  readonly quiet: readonly [Asking, ...Asking[]]
}

/** A case for every gap; a missing gap or assumption does not compile. */
export type GapCases = { readonly [G in RequestGap]: GapCase<G> }

/** Sends a request. */
export async function ask(mailbox: Mailbox, asking: Asking): Promise<Answer> {
  const { method = 'GET', path, ...sending } = typeof asking === 'function' ? await asking(mailbox) : asking
  return mailbox.send(method, path, sending)
}

/** Requests the identity of eva. */
export const eva: Asked = { path: identityPath('eva') }

/** Updates an identity. */
export function update(handle: string, fields: unknown, type = 'application/json'): Asked {
  const headers = { 'content-type': type }
  return { method: 'PATCH', path: identityPath(handle), headers, body: JSON.stringify(fields) }
}

/** Requests the messages of a thread by its subject, optionally for an agent. */
export function messagesOf(subject: string, agent?: string): (mailbox: Mailbox) => Promise<Asked> {
  return async (mailbox) => {
    const { id } = await mailbox.thread(subject)
    return { path: messagesPath({ thread_id: id, ...(agent !== undefined && { agent }) }) }
  }
}

/** Returns the body of an answer that must succeed. */
export function given<Body>(answer: Answer): Body {
  expect(answer.status, textOf(answer)).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  return jsonOf(answer)
}

/** Returns the rows of an answer with a list. */
export function rowsIn<Row>(answer: Answer): Row[] {
  return Object.values(given<object>(answer)).find(Array.isArray) ?? []
}

/** Returns the length of the list of an answer, and its total. */
export function size(answer: Answer): [length: number, total: number] {
  return [rowsIn(answer).length, given<{ total: number }>(answer).total]
}
