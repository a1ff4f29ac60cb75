import type { Readings } from '../../contract/gaps.js'
import type { MailboxStore, WebhookRow } from '../../model/index.js'
import type { Clock } from '../clock.js'
import type { IdKind } from '../ids.js'
import type { Relied } from '../reliance-summary.js'
import { createSettle, createSilentSettle, type Reliance, type Settle } from '../settle.js'
import { attempt } from './attempt.js'
import type { AttemptCause } from './delivery.js'
import { DeliveryLog } from './delivery-log.js'
import { DeliveryRecord, type Outcome } from './delivery-record.js'
import { Lanes } from './lane.js'
import type { MailEvent, MailNews } from './mail-event.js'
import { DeliveryOrder } from './order.js'
import type { OutgoingRequest, Outlet, ReceiverAnswer } from './outlet.js'
import { payloadOf } from './payload.js'
import { type Receivers, receiveHere } from './receivers.js'
import { comesAgain, duplicateAfter } from './repeats.js'
import { requestOf } from './request.js'
import { retryAfter } from './retries.js'
import { isTold, subscriptionsTo } from './subscribers.js'
import { hasSucceeded, timeLimit } from './success.js'

/** What deliveries are made of and within. */
export interface CourierParts {
  readonly seed: number
  readonly clock: Clock
  readonly store: MailboxStore
  readonly receivers: Receivers
  readonly outlet: Outlet
  newId(kind: IdKind): string
  readings(): Readings
  /** The address below which stored files are shown. */
  base(): string
  /** Told of every event, with how many subscriptions are told of it. */
  onEvent(event: MailEvent, told: number): void
  /** Told whenever a delivery changes. */
  onDelivery(record: DeliveryRecord): void
  onDefect(error: unknown): void
}

/** How many requests are under way to one receiver at a time. */
const mostAtOnce = 10

/** Milliseconds of wall time that an advance of the clock waits for a receiver, and for one that has timed out. */
const patience = { first: 2000, afterTimeout: 200 }

/** Brings what happens to the subscriptions that are to be told of it, until its world ends or begins anew. */
export class Courier {
  readonly log = new DeliveryLog()
  readonly #parts: CourierParts
  readonly #queues = new Lanes(1)
  readonly #receivers = new Lanes(mostAtOnce)
  readonly #subscriptions = new Map<string, { readonly order: DeliveryOrder; count: number }>()
  readonly #planned = new Map<string, () => void>()
  readonly #ended = new AbortController()
  #untold: readonly Relied[] = []

  constructor(parts: CourierParts) {
    this.#parts = parts
  }

  /** What each delivery relied on, and each event that a subscription was not told of. */
  *relied(): IterableIterator<Relied> {
    for (const { event, state } of this.log.list()) {
      yield { operation: null, event: event.type, reliances: state.reliances }
    }
    yield* this.#untold
  }

  /** Tells the subscriptions of something that happened: each gets a delivery, and its first attempt departs. */
  happened(news: MailNews): void {
    const { clock, store, newId, readings, onEvent } = this.#parts
    const event: MailEvent = { ...news, id: newId('event'), at: clock.now() }
    const reliances: Reliance[] = []
    const settle = createSettle(readings(), (reliance) => reliances.push(reliance))
    const told = subscriptionsTo(event, store).flatMap((webhook) => {
      const own: Reliance[] = []
      const note = createSettle(readings(), (reliance) => own.push(reliance))
      if (isTold(webhook, event, note)) return [{ webhook, own }]
      this.#untold = [...this.#untold, { operation: null, event: event.type, reliances: own }].slice(-1000)
      return []
    })
    onEvent(event, told.length)
    if (told.length === 0) return
    const body = payloadOf(event, { store, settle, base: this.#parts.base() })
    const records = told.map(({ webhook, own }) => {
      return this.#create(event, webhook, body, [...reliances, ...own])
    })
    for (const record of records) this.#depart(record)
  }

  /** Sends a delivery once more, with the same event id; gives it back when the receiver has answered. */
  async redeliver(record: DeliveryRecord): Promise<void> {
    await this.#receivers.of(originOf(record.url)).run(() => this.#attempt(record, 'redelivery'))
  }

  /** Ends everything; what is not over then is interrupted. */
  end(): void {
    const reason = 'The world was closed before it was over.'
    for (const record of this.log.list({ status: 'pending' })) {
      record.put({ status: 'interrupted', reason, nextAttemptAt: null })
      this.#parts.onDelivery(record)
    }
    this.forget()
  }

  /** Ends everything without a word: the story it belongs to is over. */
  forget(): void {
    this.#planned.clear()
    this.#ended.abort()
  }

  #create(
    event: MailEvent,
    webhook: WebhookRow,
    body: string,
    reliances: readonly Reliance[],
  ): DeliveryRecord {
    const { newId, onDelivery } = this.#parts
    const subscription = this.#subscriptionOf(webhook.id)
    const record = new DeliveryRecord(newId('delivery'), event, webhook, {
      body,
      ordinal: subscription.count++,
    })
    for (const reliance of reliances) record.note(reliance, 'shown')
    this.log.add(record)
    onDelivery(record)
    return record
  }

  #subscriptionOf(webhookId: string): { readonly order: DeliveryOrder; count: number } {
    const known = this.#subscriptions.get(webhookId)
    if (known) return known
    const subscription = { order: new DeliveryOrder(this.#parts.seed), count: 0 }
    this.#subscriptions.set(webhookId, subscription)
    return subscription
  }

  #depart(record: DeliveryRecord): void {
    const { readings } = this.#parts
    const { order } = this.#subscriptionOf(record.webhookId)
    const { delay, inTurn } = order.next(record.id, record.event.at, readings(), record.note)
    const leave = (): Promise<void> => {
      return this.#receivers.of(originOf(record.url)).run(() => this.#attempt(record, 'event'))
    }
    if (inTurn) void this.#queues.of(record.webhookId).run(leave)
    else if (delay === 0) void leave()
    else this.#plan(record, 'event', delay)
  }

  /** Plans the next attempt: what failed is tried again when its clock says so, the rest comes without being asked for. */
  #plan(record: DeliveryRecord, cause: AttemptCause, wait: number): void {
    const { clock } = this.#parts
    const at = clock.now() + wait
    const begin = (): void => {
      this.#planned.delete(record.id)
      record.put({ nextAttemptAt: null })
      void this.#receivers.of(originOf(record.url)).run(() => this.#attempt(record, cause))
    }
    record.put({ nextAttemptAt: at })
    this.#planned.set(record.id, cause === 'retry' ? clock.schedule(at, begin) : clock.after(wait, begin))
  }

  async #attempt(record: DeliveryRecord, cause: AttemptCause): Promise<void> {
    const { clock, onDefect } = this.#parts
    const release = clock.hold(record.hasTimedOut ? patience.afterTimeout : patience.first)
    try {
      await this.#parts.outlet.ready
      if (!this.#ended.signal.aborted) await this.#send(record, cause)
    } catch (error) {
      onDefect(error)
    } finally {
      release()
    }
  }

  async #send(record: DeliveryRecord, cause: AttemptCause): Promise<void> {
    const { clock, store, seed, readings, onDelivery, onDefect } = this.#parts
    const webhook = store.get('webhook', record.webhookId)
    if (!webhook) return this.#giveUp(record, 'Its subscription was deleted.')
    const [at, inForce] = [clock.now(), readings()]
    const settle = createSettle(inForce, record.note)
    const request = await requestOf(
      { webhook, eventId: record.event.id, body: record.body, at, seed },
      settle,
    )
    const place = record.begin({ cause, at, request })
    onDelivery(record)
    const outcome = await attempt(request, {
      clock,
      send: (outgoing, signal) => this.#dispatch(outgoing, signal),
      limit: timeLimit(createSilentSettle(inForce)),
      ended: this.#ended.signal,
      onDefect,
    })
    record.end(place, outcome)
    if (!this.#ended.signal.aborted) this.#conclude(record, cause, outcome, settle)
    onDelivery(record)
  }

  async #dispatch(request: OutgoingRequest, signal: AbortSignal): Promise<ReceiverAnswer | undefined> {
    const receiver = this.#parts.receivers.of(request.url)
    if (!receiver) return this.#parts.outlet.send(request, signal)
    // Whoever takes deliveries and says nothing of it has taken them.
    return (await receiveHere(receiver, request, signal)) ?? { status: 200, headers: {}, body: null }
  }

  #conclude(record: DeliveryRecord, cause: AttemptCause, outcome: Outcome, settle: Settle): void {
    const { error } = outcome
    if (error?.code === 'blocked' || error?.code === 'captured') {
      record.put({ status: error.code, reason: error.message })
    } else if (hasSucceeded(outcome, settle)) {
      this.#succeed(record, cause, settle)
    } else if (cause === 'event' || cause === 'retry') {
      this.#fail(record, outcome, settle)
    }
  }

  #succeed(record: DeliveryRecord, cause: AttemptCause, settle: Settle): void {
    const { seed } = this.#parts
    // A redelivery that succeeds leaves nothing to be tried again.
    this.#planned.get(record.id)?.()
    this.#planned.delete(record.id)
    record.put({ status: 'succeeded', reason: null, nextAttemptAt: null })
    if (cause !== 'event' && cause !== 'retry') return
    if (!comesAgain(seed, record.webhookId, record.ordinal, settle)) return
    this.#plan(record, 'duplicate', duplicateAfter(seed, record.id))
  }

  #fail(record: DeliveryRecord, { answer }: Outcome, settle: Settle): void {
    const { clock, seed } = this.#parts
    const failure = { failures: record.tries, answer, at: clock.now(), seed, deliveryId: record.id }
    const wait = retryAfter(failure, settle)
    const attempts = `${record.tries} ${record.tries === 1 ? 'attempt' : 'attempts'}`
    if (wait === undefined) this.#giveUp(record, `Given up after ${attempts}.`)
    else this.#plan(record, 'retry', wait)
  }

  #giveUp(record: DeliveryRecord, reason: string): void {
    if (record.state.status !== 'pending') return
    record.put({ status: 'failed', reason, nextAttemptAt: null })
    this.#parts.onDelivery(record)
  }
}

/** Who receives what goes to a URL: whoever listens there. */
function originOf(url: string): string {
  return new URL(url).origin
}
