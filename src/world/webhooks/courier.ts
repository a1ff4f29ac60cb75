import { counted } from '../../contract/counted.js'
import type { MailboxStore, WebhookRow } from '../../model/index.js'
import type { IdKind } from '../ids.js'
import type { Relied } from '../reliance-summary.js'
import { Ring } from '../ring.js'
import { createSettle, type Reliance, type Settle } from '../settle.js'
import { breathe } from '../time.js'
import { addresseesOf } from './addressees.js'
import type { AttemptCause } from './delivery.js'
import { DeliveryLog } from './delivery-log.js'
import { DeliveryRecord, type Outcome } from './delivery-record.js'
import { Departures } from './departures.js'
import { Ending } from './ending.js'
import { type EventHead, headOf, type MailEvent, type MailNews } from './mail-event.js'
import { DeliveryOrder } from './order.js'
import { Patience } from './patience.js'
import { payloadOf } from './payload.js'
import { comesAgain, duplicateAfter } from './repeats.js'
import { retryAfter } from './retries.js'
import { Sender, type SenderParts } from './sender.js'
import { hasSucceeded, noteTimeLimit } from './success.js'
import { readUnfinished, type Unfinished, writeUnfinished } from './unfinished.js'

/** What deliveries are made of and within. */
export interface CourierParts extends SenderParts {
  readonly store: MailboxStore
  newId(kind: IdKind): string
  /** The address below which stored files are shown. */
  base(): string
  /** Told of every event, with how many subscriptions are told of it, and what it relies on that others are not. */
  onEvent(event: MailEvent, told: number, untold: readonly Relied[]): void
}

/** What of deliveries is still to come. */
export interface CourierStand {
  /** How many deliveries each subscription has had, by its id. */
  readonly subscriptions: Readonly<Record<string, number>>
  readonly unfinished: readonly Unfinished[]
}

/** What is remembered of a subscription. */
interface Subscription {
  readonly order: DeliveryOrder
  /** How many deliveries it has had. */
  count: number
}

/** How much is remembered of events that subscriptions were not told of. */
const mostUntold = 1000

/** Brings what happens to the subscriptions that are to be told of it, until its world ends or begins anew. */
export class Courier {
  readonly log = new DeliveryLog()
  readonly #parts: CourierParts
  readonly #sender: Sender
  readonly #departures: Departures
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #ending = new Ending()
  readonly #patience = new Patience()
  readonly #untold = new Ring<Relied>(mostUntold)

  constructor(parts: CourierParts) {
    this.#parts = parts
    this.#sender = new Sender(parts, this.#ending)
    this.#departures = new Departures(parts.clock, (record, cause) => this.#attempt(record, cause))
  }

  /** What each delivery that came to a receiver relied on, and each event that a subscription was not told of. */
  *relied(): IterableIterator<Relied> {
    for (const { event, state, hasArrived } of this.log.list()) {
      if (hasArrived) yield { operation: null, event: event.type, reliances: state.reliances }
    }
    yield* this.#untold
  }

  /** Tells the subscriptions of something that happened: each gets a delivery, and its first attempt departs. */
  happened(news: MailNews): void {
    const { clock, store, newId, readings, onEvent, base } = this.#parts
    // Whoever hears of the command, or of the event, may begin another story.
    if (this.#ending.isOver) return
    const event: MailEvent = { ...news, id: newId('event'), at: clock.now() }
    const { told, untold } = addresseesOf(event, store, readings())
    for (const relied of untold) this.#untold.push(relied)
    onEvent(event, told.length, untold)
    if (told.length === 0 || this.#ending.isOver) return
    const written: Reliance[] = []
    const settle = createSettle(readings(), (reliance) => written.push(reliance))
    const body = payloadOf(event, { store, settle, base: base() })
    const head = headOf(event)
    const records = told.map(({ webhook, reliances }) => {
      return this.#create(head, webhook, body, [...written, ...reliances])
    })
    for (const record of records) this.#depart(record)
  }

  /** What is still to come: the deliveries that are not over, and how many each subscription has had. */
  get stand(): CourierStand {
    const unfinished = this.log.unfinished().map(writeUnfinished)
    const counts = [...this.#subscriptions].map(([id, { count }]) => [id, count] as const)
    return { subscriptions: Object.fromEntries(counts), unfinished }
  }

  /** Goes on from where another courier stood; what was under way there leaves at once. */
  goOn({ subscriptions, unfinished }: CourierStand): void {
    for (const [id, count] of Object.entries(subscriptions)) this.#subscriptionOf(id).count = count
    const now = this.#parts.clock.now()
    for (const record of unfinished.map(readUnfinished)) {
      this.log.add(record)
      const [{ nextAttemptAt }, cause] = [record.state, record.nextCause]
      if (nextAttemptAt !== null) this.#departures.plan(record, cause, Math.max(0, nextAttemptAt - now))
      else if (cause === 'event') this.#departures.leaveInTurn(record)
      else void this.#departures.leave(record, cause)
    }
  }

  /** Sends a delivery once more, with the same event id; settled when the receiver has answered. */
  redeliver(record: DeliveryRecord): Promise<void> {
    return this.#departures.leave(record, 'redelivery')
  }

  /** Ends everything; what is not over then is interrupted. */
  end(): void {
    const reason = 'The world was closed before it was over.'
    for (const record of this.log.unfinished()) {
      const interrupted = { status: 'interrupted', reason } as const
      record.put({ nextAttemptAt: null, duplicateIsDue: false, ...(record.hasSucceeded ? {} : interrupted) })
      this.#parts.onDelivery(record)
    }
    this.forget()
  }

  /** Ends everything without a word: the story it belongs to is over. */
  forget(): void {
    this.#departures.end()
    this.#ending.end()
  }

  #create(
    event: EventHead,
    webhook: WebhookRow,
    body: string,
    reliances: readonly Reliance[],
  ): DeliveryRecord {
    const ordinal = this.#subscriptionOf(webhook.id).count++
    const record = new DeliveryRecord(this.#parts.newId('delivery'), event, webhook, { body, ordinal })
    for (const reliance of reliances) record.note(reliance, 'shown')
    this.log.add(record)
    return record
  }

  #subscriptionOf(webhookId: string): Subscription {
    const known = this.#subscriptions.get(webhookId)
    if (known) return known
    const subscription = { order: new DeliveryOrder(this.#parts.seed), count: 0 }
    this.#subscriptions.set(webhookId, subscription)
    return subscription
  }

  /** Has a delivery leave for the first time. */
  #depart(record: DeliveryRecord): void {
    if (this.#ending.isOver) return
    this.#parts.onDelivery(record)
    const { order } = this.#subscriptionOf(record.webhookId)
    const { path, event, note } = record
    const { delay, inTurn } = order.next(path, event.at, this.#parts.readings(), note)
    if (inTurn) this.#departures.leaveInTurn(record)
    else this.#departures.plan(record, 'event', delay)
  }

  async #attempt(record: DeliveryRecord, cause: AttemptCause): Promise<void> {
    const { clock, store, readings, onDelivery, onDefect } = this.#parts
    const release = clock.hold(this.#patience.with(record))
    try {
      if (this.#ending.isOver) return
      const webhook = store.get('webhook', record.webhookId)
      const settle = createSettle(readings(), record.note)
      // Waits even where there is nothing to send: whatever goes on with this one is there before any of it is over.
      const sent = await (webhook && this.#sender.send({ record, cause, webhook, settle }))
      // In one go with what follows from it: a snapshot taken in between would have it made once more.
      if (sent) record.end(sent.place, sent.outcome)
      // What was under way when the story ended is nothing that happens in the next one.
      if (this.#ending.isOver) return
      if (sent) {
        this.#patience.learn(record, sent.outcome)
        this.#conclude(record, cause, sent.outcome, settle)
      } else this.#giveUp(record, 'Its subscription was deleted.')
      if (cause === 'duplicate') record.put({ duplicateIsDue: false })
      onDelivery(record)
    } catch (error) {
      onDefect(error)
    } finally {
      // What waited for this one departs first, so that time does not go on in between.
      void breathe().then(release)
    }
  }

  #conclude(record: DeliveryRecord, cause: AttemptCause, outcome: Outcome, settle: Settle): void {
    const { error } = outcome
    if (error?.code === 'blocked' || error?.code === 'captured') {
      const isLast = isPromised(cause) || record.isOver
      if (isLast && !record.hasSucceeded) record.put({ status: error.code, reason: error.message })
      return
    }
    noteTimeLimit(outcome, settle)
    // What has succeeded stays so, whatever becomes of what is sent after it.
    if (record.hasSucceeded) return
    if (hasSucceeded(outcome, settle)) this.#succeed(record, cause, settle)
    else if (isPromised(cause)) this.#fail(record, outcome, settle)
  }

  #succeed(record: DeliveryRecord, cause: AttemptCause, settle: Settle): void {
    const { seed } = this.#parts
    // A redelivery that succeeds leaves nothing to be tried again; a first attempt that is held back still comes.
    if (record.tries > 0) this.#departures.callOff(record)
    record.put({ status: 'succeeded', reason: null })
    if (isPromised(cause) && comesAgain(seed, record.webhookId, record.ordinal, settle)) {
      this.#departures.plan(record, 'duplicate', duplicateAfter(seed, record.path))
    }
  }

  #fail(record: DeliveryRecord, { answer }: Outcome, settle: Settle): void {
    const { clock, seed } = this.#parts
    const { tries, path } = record
    const failure = { failures: tries, answer, at: clock.now(), seed, path }
    const wait = retryAfter(failure, settle)
    if (wait !== undefined) this.#departures.plan(record, 'retry', wait)
    else this.#giveUp(record, `Given up after ${counted(tries, 'attempt')}.`)
  }

  #giveUp(record: DeliveryRecord, reason: string): void {
    if (record.state.status === 'pending') record.put({ status: 'failed', reason, nextAttemptAt: null })
  }
}

/** Whether an attempt is one of those that the service owes: their failures are made good for. */
function isPromised(cause: AttemptCause): boolean {
  return cause === 'event' || cause === 'retry'
}
