import type { Readings } from '../../contract/gaps.js'
import type { WebhookRow } from '../../model/index.js'
import type { Clock } from '../clock.js'
import { createSilentSettle, type Settle } from '../settle.js'
import { attempt } from './attempt.js'
import type { AttemptCause } from './delivery.js'
import type { DeliveryRecord, Outcome } from './delivery-record.js'
import type { Ending } from './ending.js'
import { type OutgoingRequest, type Outlet, OutletError, type ReceiverAnswer } from './outlet.js'
import { type Receivers, receiveHere } from './receivers.js'
import { requestOf } from './request.js'
import { timeLimit } from './success.js'

/** What requests are sent with. */
export interface SenderParts {
  readonly seed: number
  readonly clock: Clock
  readonly receivers: Receivers
  readonly outlet: Outlet
  readings(): Readings
  /** Told whenever a delivery changes. */
  onDelivery(record: DeliveryRecord): void
  onDefect(error: unknown): void
}

/** One attempt of a delivery that is to be made. */
export interface Sending {
  readonly record: DeliveryRecord
  readonly cause: AttemptCause
  readonly webhook: WebhookRow
  readonly settle: Settle
}

/** One attempt that was made: its place among those of its delivery, and how it ended, which is still to be recorded. */
export interface Sent {
  readonly place: number
  readonly outcome: Outcome
}

/** Sends requests to receivers, be they in this process or beyond, and records that they are under way. */
export class Sender {
  readonly #parts: SenderParts
  readonly #ending: Ending

  /** `ending` says that the world ends, or begins anew. */
  constructor(parts: SenderParts, ending: Ending) {
    this.#parts = parts
    this.#ending = ending
  }

  /** Makes one attempt and waits for its end; makes none, and gives nothing, where the story has ended. */
  async send({ record, cause, webhook, settle }: Sending): Promise<Sent | undefined> {
    const { clock, seed, readings, outlet, onDelivery, onDefect } = this.#parts
    if (outlet.ready) await outlet.ready()
    const [at, inForce] = [clock.now(), readings()]
    const { event, body } = record
    const request = await requestOf({ webhook, eventId: event.id, body, at, seed }, settle)
    // What the next story shows must have nothing of this one.
    if (this.#ending.isOver) return undefined
    const place = record.begin({ cause, at, request })
    onDelivery(record)
    const outcome = await attempt(request, {
      clock,
      send: (outgoing, signal) => this.#dispatch(outgoing, signal),
      limit: timeLimit(createSilentSettle(inForce)),
      ending: this.#ending,
      onDefect,
    })
    return { place, outcome }
  }

  async #dispatch(request: OutgoingRequest, signal: AbortSignal): Promise<ReceiverAnswer | undefined> {
    const { username, password } = new URL(request.url)
    if (username !== '' || password !== '') throw credentialsInUrl
    const receiver = this.#parts.receivers.of(request.url)
    if (!receiver) return this.#parts.outlet.send(request, signal)
    // Whoever takes deliveries and says nothing of it has taken them.
    return (await receiveHere(receiver, request, signal)) ?? { status: 200, headers: {}, body: null }
  }
}

/** Some of what sends requests would leave them out without a word, some refuses them: here they never leave. */
const credentialsInUrl = new OutletError(
  'unreachable',
  'The URL has a user name or a password in it, which deliveries do not carry; give the subscription a token instead.',
)
