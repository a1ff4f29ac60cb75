import { counted } from '../../base/text.js'
import type { Extensions } from '../../contract/extensions.js'
import type { Assumptions, GapId } from '../../contract/gaps.js'
import type { EventType } from '../../contract/resources.js'
import { createSettle, type Reliance, type Relied, type Settle } from '../assumptions/settle.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { WebhookRow } from '../model/rows.js'
import type { Masker } from '../record/masker.js'
import { withBase } from '../rendering/resources.js'
import type { Clock } from '../time/clock.js'
import type { IdSource } from '../time/random.js'
import { formatInstant, parseInstant } from '../time/time.js'
import { yieldToEventLoop } from '../time/wall-time.js'
import { DeliveryLog } from './deliveries.js'
import {
  type AttemptCause,
  type AttemptResult,
  type DeliveryCounts,
  type DeliveryEntry,
  DeliveryRecord,
  type DeliveryState,
  isPromised,
} from './delivery.js'
import type { DeliveryFormat } from './delivery-format.js'
import { attemptWait, DeliveryQueue } from './delivery-queue.js'
import { createDeliveryRequest, renderPayload } from './delivery-request.js'
import {
  attemptTimeout,
  duplicateDelay,
  hasSucceeded,
  isDuplicated,
  noteTimeout,
  retryDelay,
} from './retry-policy.js'
import {
  awaitListing,
  awaitListings,
  DeliveryOrder,
  type EventEntry,
  headOf,
  type MailEvent,
  matchSubscriptions,
  type NewMailEvent,
  showEvent,
} from './subscriptions.js'
import {
  type DeliveryTransport,
  interrupted,
  type Receivers,
  sendWithTimeout,
  transmit,
} from './transport.js'

/** The parts of a world that deliveries need, and the program around it. */
interface DispatcherOptions {
  readonly seed: number
  readonly format?: DeliveryFormat | undefined
  readonly world: ObservedWorld & { readonly assumptions: Assumptions; readonly receivers: Receivers }
  readonly host: DeliveryHost
  readonly clock: Clock
  readonly store: MailboxStore
  readonly ids: IdSource
  readonly log: DeliveryLogWriter
  readonly triggers: { noteSuccess(event: EventType): void }
  /** Returns whether the story may send a delivery again. */
  readonly mayBeSentAgain: (delivery: DeliveryState) => boolean
}

interface Subscription {
  readonly order: DeliveryOrder
  count: number
}

/** The maximum number of kept reliances of events that subscriptions did not receive. */
const keptUnmatched = 1000

/** Delivers events to the subscriptions that receive them, until its world is closed or reset. */
export class DeliveryDispatcher {
  readonly log: DeliveryLog
  readonly #options: DispatcherOptions
  readonly #queue: DeliveryQueue
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #events = new Map<EventType, number>()
  readonly #unmatched = [] as Relied[]
  readonly #inFlight = new Set<AbortController>()
  /** Settles once the request of the latest attempt is made. */
  #made: Promise<unknown> = Promise.resolve()
  #stopped = false

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.log = new DeliveryLog(options.mayBeSentAgain)
    this.#queue = new DeliveryQueue(options.clock, this.#attempt.bind(this))
  }

  /** The number of attempts whose receiver has not responded. */
  get inFlight(): number {
    return this.#inFlight.size
  }

  /** Iterates over the reliances of deliveries that reached a receiver, and of events that a subscription did not receive. */
  *relied(): IterableIterator<Relied> {
    for (const { state, hasReachedReceiver } of this.log.list()) {
      if (hasReachedReceiver) yield { operation: null, event: state.event.type, reliances: state.reliances }
    }
    yield* this.#unmatched
  }

  /** Publishes an event, and notes on which gaps it depends that a subscription does not receive it. */
  announce(emitted: NewMailEvent) {
    const { clock, store, ids, world, host, log } = this.#options
    const event: MailEvent = { ...emitted, id: ids.next('event'), at: clock.now() }
    const { matched, unmatched: others } = matchSubscriptions(event, store, world.assumptions)
    const { relied: placed = [] } = emitted
    const isPlaced = matched.length === 0 && placed.length > 0
    const unmatched = isPlaced
      ? [...others, { operation: null, event: event.type, reliances: placed }]
      : others
    this.#unmatched.push(...unmatched)
    if (this.#unmatched.length > keptUnmatched)
      this.#unmatched.splice(0, this.#unmatched.length - keptUnmatched)
    log.append({
      type: 'event',
      at: event.at,
      count: ids.counts.event ?? 0,
      event: showEvent(event, matched.length),
    })
    host.onUnmatched(unmatched, world)
    return { event, matched, placed }
  }

  /** Creates a delivery of an event for each subscription that receives it, and makes or plans their first attempts. */
  dispatch(emitted: NewMailEvent): void {
    const { clock, store, world, host } = this.#options
    // A listener to the command, or to the event, may reset the world.
    if (this.#stopped) return
    const { event, matched, placed } = this.announce(emitted)
    if (matched.length === 0 || this.#stopped) return
    if (event.type === 'message.received')
      awaitListing(event.message.created_at, { clock, assumptions: world.assumptions })
    const rendered: Reliance[] = []
    const settle = createSettle(world.assumptions, (reliance) => rendered.push(reliance))
    const { fields } = world.extensions
    const body = renderPayload(event, { store, settle, base: host.base(), fields })
    const records = matched.map(({ webhook, reliances }) => {
      const record = this.#create({ event: headOf(event), body }, webhook)
      for (const reliance of [...placed, ...rendered, ...reliances]) record.note(reliance, 'certain')
      return record
    })
    for (const record of records) this.#enqueueFirst(record, emitted.delay)
  }

  /** The deliveries on which the future depends. */
  get needed(): DeliveryState[] {
    return this.log.needed()
  }

  /** How many deliveries each subscription and each event type has had. */
  get counts(): DeliveryCounts {
    const counts = [...this.#subscriptions].map(([id, { count }]) => [id, count] as const)
    return { subscriptions: Object.fromEntries(counts), events: Object.fromEntries(this.#events) }
  }

  /**
   * Continues with the deliveries of another dispatcher, and shows others of the past; attempts that were in flight there are
   * made immediately.
   */
  resume(
    { subscriptions, events }: DeliveryCounts,
    deliveries: Iterable<DeliveryState>,
    past: Iterable<DeliveryState> = [],
  ): void {
    for (const [id, count] of Object.entries(subscriptions)) this.#subscriptionOf(id).count = count
    for (const [type, count] of Object.entries(events)) this.#events.set(type as EventType, count)
    for (const delivery of past) this.log.add(new DeliveryRecord(delivery))
    const { clock, store, world, host } = this.#options
    awaitListings({ clock, store, assumptions: world.assumptions })
    const all = Array.from(deliveries, (delivery) => {
      const body = withBase(delivery.body, '', host.base())
      // An attempt in flight is made again.
      const attempts = delivery.attempts.filter(({ duration_ms }) => duration_ms !== null)
      const record = new DeliveryRecord({ ...delivery, body, attempts })
      return { at: parseInstant(delivery.event.at) as number, record }
    })
    for (const { record } of all.sort((a, b) => a.at - b.at)) {
      this.log.add(record)
      const { status, next_attempt_at, due } = record.state
      const cause = record.nextCause
      if (next_attempt_at !== null) this.#queue.schedule(record, cause, this.#delayUntil(next_attempt_at))
      else if (status === 'pending' && cause === 'event') this.#queue.addInOrder(record)
      else if (status === 'pending') void this.#queue.add(record, cause)
      for (const further of due) void this.#queue.add(record, further)
    }
  }

  #delayUntil(instant: string): number {
    return Math.max(0, (parseInstant(instant) as number) - this.#options.clock.now())
  }

  /** Sends a delivery once more, with the same event id; resolves when the receiver has responded. */
  redeliver(record: DeliveryRecord): Promise<void> {
    record.addDue('redelivery')
    this.#noteNext(record)
    return this.#queue.add(record, 'redelivery')
  }

  /** Repeats the nth delivery of an event type, counted from 1; returns false when there is none yet. */
  redeliverNth(type: EventType, nth: number): boolean {
    const record = this.log.list({ event: type }).find(({ state }) => state.nth === nth)
    if (record) void this.redeliver(record)
    return record !== undefined
  }

  /** Stops everything and marks unfinished deliveries as interrupted. */
  close(): void {
    const reason = 'The world was closed before the delivery had finished.'
    for (const record of this.log.list().filter(({ hasFinished }) => !hasFinished)) {
      const outcome = record.state.status === 'pending' ? { status: 'interrupted' as const, reason } : {}
      record.update({ next_attempt_at: null, due: [], ...outcome })
      this.#noteEnd(record)
    }
    this.stop()
  }

  /** Stops everything silently: the world that it belongs to was reset. */
  stop(): void {
    this.#stopped = true
    this.#queue.cancelAll()
    for (const controller of this.#inFlight) controller.abort(interrupted)
  }

  #create(
    { event, body }: Pick<DeliveryState, 'event' | 'body'>,
    { id: webhook_id, url }: WebhookRow,
  ): DeliveryRecord {
    const ordinal = this.#subscriptionOf(webhook_id).count++
    const nth = (this.#events.get(event.type) ?? 0) + 1
    this.#events.set(event.type, nth)
    const id = this.#options.ids.next('delivery')
    const record = DeliveryRecord.begun({ id, event, webhook_id, url, body, ordinal, nth })
    this.log.add(record)
    return record
  }

  #subscriptionOf(webhookId: string): Subscription {
    const known = this.#subscriptions.get(webhookId)
    if (known) return known
    const subscription = { order: new DeliveryOrder(this.#options.seed), count: 0 }
    this.#subscriptions.set(webhookId, subscription)
    return subscription
  }

  #enqueueFirst(record: DeliveryRecord, postponed = 0): void {
    if (this.#stopped) return
    this.#noteNext(record)
    const { path, note, state } = record
    const { order } = this.#subscriptionOf(state.webhook_id)
    const at = parseInstant(state.event.at) as number
    const delay = order.next(path, at, this.#options.world.assumptions, note)
    if (postponed > 0) this.#queue.schedule(record, 'event', postponed)
    else if (delay === undefined) this.#queue.addInOrder(record)
    else this.#queue.schedule(record, 'event', delay)
  }

  async #attempt(record: DeliveryRecord, cause: AttemptCause): Promise<void> {
    const { clock, store, world, host, triggers } = this.#options
    // Results come in order: an advance waits for them.
    const release = clock.hold(attemptWait)
    try {
      if (this.#stopped) return
      const webhook = store.get('webhook', record.state.webhook_id)
      const settle = createSettle(world.assumptions, record.note)
      // Awaits even when there is nothing to send: attempts that start together must all be in flight before any ends.
      const result = await (webhook && this.#send(record, cause, webhook, settle, release))
      // Synchronous with its consequences below: a snapshot in between would make the attempt again.
      if (result) record.endAttempt(result)
      // An attempt that was in flight during a reset does not affect the new state.
      if (this.#stopped) return
      const hadSucceeded = record.hasSucceeded
      record.endDue(cause)
      if (result) this.#conclude(record, cause, result, settle)
      else record.giveUp('Its subscription was deleted.')
      this.#noteEnd(record)
      if (record.hasSucceeded && !hadSucceeded) triggers.noteSuccess(record.state.event.type)
    } catch (error) {
      host.onDefect(error)
    } finally {
      // Attempts that are queued behind this one start before the clock moves on.
      void yieldToEventLoop().then(release)
    }
  }

  /** Makes one attempt; resolves to undefined if the dispatcher was stopped before the request was sent. */
  async #send(
    record: DeliveryRecord,
    cause: AttemptCause,
    webhook: WebhookRow,
    settle: Settle,
    release: () => void,
  ): Promise<AttemptResult | undefined> {
    const { clock, seed, format, world, host } = this.#options
    if (host.transport.ready) await host.transport.ready()
    const [at, timeout] = [clock.now(), attemptTimeout(createSettle(world.assumptions))]
    const { event, body } = record.state
    const content = { webhook, eventId: event.id, body, at, seed, format }
    // One after another: how long a signature takes must not change the order.
    const made = this.#made.then(() => createDeliveryRequest(content, settle))
    this.#made = made.catch(() => undefined)
    const request = await made
    if (this.#stopped) return undefined
    const attempt = { cause, at: formatInstant(at), headers: request.headers }
    const entry = record.follow(clock.now())
    record.beginAttempt(attempt)
    this.#noteNext(record, entry)
    const controller = new AbortController()
    this.#inFlight.add(controller)
    const ways = { receivers: world.receivers, transport: host.transport }
    const send: DeliveryTransport['send'] = (outgoing, signal) => {
      // What advances an `auto` clock sees whether a receiver that has the request works.
      return transmit(outgoing, { ...ways, signal }, () => clock.mode === 'auto' && release())
    }
    const result = await sendWithTimeout(request, {
      clock,
      timeout,
      send,
      controller,
      onDefect: host.onDefect,
    })
    this.#inFlight.delete(controller)
    return result
  }

  #conclude(record: DeliveryRecord, cause: AttemptCause, result: AttemptResult, settle: Settle): void {
    const { error } = result
    if (error?.code === 'blocked' || error?.code === 'captured') {
      const isLast = isPromised(cause) || record.hasFinished
      if (isLast && !record.hasSucceeded) record.update({ status: error.code, reason: error.message })
      return
    }
    noteTimeout(result, settle)
    // Later attempts do not change a delivery that has succeeded.
    if (record.hasSucceeded) return
    if (hasSucceeded(result, settle)) this.#succeed(record, cause, settle)
    else if (isPromised(cause)) this.#fail(record, result, settle)
  }

  #succeed(record: DeliveryRecord, cause: AttemptCause, settle: Settle): void {
    const { seed } = this.#options
    const { webhook_id, ordinal } = record.state
    // A redelivery that succeeds cancels the retry; a first attempt that is delayed still comes.
    if (record.tries > 0) this.#queue.cancel(record)
    record.update({ status: 'succeeded', reason: null })
    if (isPromised(cause) && isDuplicated(seed, webhook_id, ordinal, settle)) {
      this.#queue.schedule(record, 'duplicate', duplicateDelay(seed, record.path))
    }
  }

  #fail(record: DeliveryRecord, { answer }: AttemptResult, settle: Settle): void {
    const { clock, seed } = this.#options
    const { tries, path } = record
    const delay = retryDelay({ failures: tries, answer, at: clock.now(), seed, path }, settle)
    if (delay !== undefined) this.#queue.schedule(record, 'retry', delay)
    else record.giveUp(`Given up after ${counted(tries, 'attempt')}.`)
  }

  /** Records that a delivery was planned, that an attempt of it begins, or that another one is asked for. */
  #noteNext(record: DeliveryRecord, entry = record.follow(this.#options.clock.now())): void {
    const { log, world, host } = this.#options
    this.log.noteChange(record)
    log.append(entry)
    host.onDelivery(record, world)
  }

  /** Records how an attempt has ended, or that none follows. */
  #noteEnd(record: DeliveryRecord): void {
    const { log, world, host } = this.#options
    this.log.noteChange(record)
    if (!record.entry) log.append(record.follow(this.#options.clock.now()))
    else log.update(record.entry)
    host.onDelivery(record, world)
  }
}

/** The part of a world that observers of its deliveries see. */
export interface ObservedWorld {
  readonly extensions: Extensions
  readonly id: string
  readonly masker: Masker
  /** The source of each gap's assumption. */
  readonly origins: Readonly<Record<GapId, string>>
}

/** What the deliveries of a world need from the program around it. */
export interface DeliveryHost {
  /** Called with the errors that listeners to the feed throw. */
  readonly onDefect: (error: unknown) => void
  /** Sends the deliveries that no receiver in this process takes. */
  readonly transport: DeliveryTransport
  /** Returns the base URL of stored files in deliveries and controls. */
  readonly base: () => string
  readonly onDelivery: (record: DeliveryRecord, world: ObservedWorld) => void
  /** Called with the reliances of a decision that a subscription does not receive an event. */
  readonly onUnmatched: (relied: readonly Relied[], world: ObservedWorld) => void
}

/** The log of a world, as far as deliveries write it. */
interface DeliveryLogWriter {
  append(entry: Omit<EventEntry, 'seq'> | DeliveryEntry): unknown
  /** Tells of an entry again, whose delivery has changed. */
  update(entry: DeliveryEntry): void
}
