import type { Assumptions } from '../../contract/gaps.js'
import type { EventType } from '../../contract/resources.js'
import {
  createSettle,
  type NoteReliance,
  type Reliance,
  type Relied,
  type Settle,
} from '../assumptions/settle.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { MessageRow, WebhookRow } from '../model/rows.js'
import type { Clock } from '../time/clock.js'
import { createRandom } from '../time/random.js'
import { formatInstant } from '../time/time.js'
import type { EventHead } from './delivery.js'

/**
 * An event that a command emits: a message was received, delivered elsewhere, or bounced. @see interface 6
 */
export interface NewMailEvent {
  readonly type: EventType
  readonly message: MessageRow
  /** The handle of the agent whose message it is. */
  readonly agentHandle: string
  /** The recipient that the outcome is about; null if unknown. */
  readonly recipient: string | null
  /** Milliseconds by which its first attempts are delayed; later events may overtake it. */
  readonly delay?: number | undefined
  /** The silent points on which the place of the message depended. */
  readonly relied?: readonly Reliance[] | undefined
}

/** An event of a message, with its identity. */
export interface MailEvent extends NewMailEvent {
  readonly id: string
  readonly at: number
}

/** The entry of a log about an event. */
export interface EventEntry {
  readonly type: 'event'
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Its number among all events. */
  readonly count: number
  readonly event: ShownEvent
}

/** An event as people see it, with the number of subscriptions that receive it. */
interface ShownEvent extends EventHead {
  readonly recipient?: string
  readonly subscriptions: number
}

/** Returns the part of an event that deliveries keep. */
export function headOf({ id, type, at, agentHandle, message }: MailEvent): EventHead {
  const messageFields = { message_id: message.id, thread_id: message.thread_id }
  return { id, type, at: formatInstant(at), agent_handle: agentHandle, ...messageFields }
}

/** Renders an event for people. */
export function showEvent(event: MailEvent, subscriptions: number): ShownEvent {
  const { recipient } = event
  return { ...headOf(event), ...(recipient !== null && { recipient }), subscriptions }
}

/**
 * Finds the subscriptions that receive an event, each with the reliances of that choice, and the reliances of the choice
 * that others do not receive it.
 */
export function matchSubscriptions(event: MailEvent, store: MailboxStore, assumptions: Assumptions) {
  const all = subscriptionsTo(event, store).map((webhook) => {
    const reliances: Reliance[] = []
    const settle = createSettle(assumptions, (reliance) => reliances.push(reliance))
    return { webhook, reliances, receives: receivesEvent(webhook, event, settle) }
  })
  const relied = all.filter(({ receives, reliances }) => !receives && reliances.length > 0)
  return {
    matched: all.filter(({ receives }) => receives),
    unmatched: relied.map(({ reliances }): Relied => ({ operation: null, event: event.type, reliances })),
  }
}

/** Returns the subscriptions of an event's organization to its type, oldest first. @see interface 6 */
function subscriptionsTo({ type, message }: MailEvent, store: MailboxStore): readonly WebhookRow[] {
  const all = store.webhooks(message.organization_id)
  const ids = all.page({ order: 'created' })
  return store.rows('webhook', ids).filter(({ events }) => events.includes(type))
}

/** Returns whether a subscription to its type receives an event. @see interface 6 */
function receivesEvent(webhook: WebhookRow, { type, agentHandle }: MailEvent, settle: Settle): boolean {
  const inScope = webhook.agent_handle === null || webhook.agent_handle === agentHandle
  if (type === 'message.received') return inScope
  return settle('events.bounced-sender', {
    'sending-agent': () => inScope,
    organization: () => true,
  })
}

/** The longest delay of a first attempt that lets another one overtake it, in milliseconds. */
const longestDelay = 450

/** Orders the first attempts of one subscription. */
export class DeliveryOrder {
  readonly #seed: number
  /** When the last of the attempts so far would be made if each were delayed. */
  #latest = Number.NEGATIVE_INFINITY

  constructor(seed: number) {
    this.#seed = seed
  }

  /**
   * Returns the delay of the next first attempt, given the path of its delivery and the instant of its event;
   * undefined if it waits for the earlier ones instead. Notes the reliance if it would overtake one. @see interface 6
   */
  next(path: string, at: number, assumptions: Assumptions, note: NoteReliance): number | undefined {
    const delay = createRandom(this.#seed, `${path}/order`).integer(0, longestDelay / 50) * 50
    const overtakes = at + delay < this.#latest
    this.#latest = Math.max(this.#latest, at + delay)
    const settle = createSettle(assumptions, (...noted) => (overtakes ? note(...noted) : undefined))
    return settle('events.order', { 'in-order': () => undefined, shuffled: () => delay }, 'certain')
  }
}

/** How long a message whose event is delivered may not be listed, in milliseconds. */
export const unlistedFor = 2000

/** The parts of a world in which messages are listed. */
interface ListingWorld {
  readonly clock: Clock
  readonly store: MailboxStore
  readonly assumptions: Assumptions
}

/** Has the clock stop when a message that was received at an instant is listed: what an agent reads changes then. */
export function awaitListing(at: number, { clock, assumptions }: Omit<ListingWorld, 'store'>): void {
  if (listsLate(assumptions)) clock.schedule(at + unlistedFor, () => undefined)
}

/** Waits again for the messages that were received just before a clock was resumed. */
export function awaitListings({ clock, store, assumptions }: ListingWorld): void {
  if (!listsLate(assumptions)) return
  const now = clock.now()
  for (const { id } of store.all('organization')) {
    for (const { created_at } of store.messages(id).createdIn(now - unlistedFor, now))
      clock.schedule(created_at + unlistedFor, () => undefined)
  }
}

function listsLate(assumptions: Assumptions): boolean {
  return createSettle(assumptions)('events.listed', {
    'before-the-event': () => false,
    'after-the-event': () => true,
  })
}
