import { type GapId, gapIds, gaps } from '../contract/gaps.js'
import { stopwatch, Timers } from '../world/index.js'
import { wallTime } from '../world/wall-time.js'
import { deliveryConstraints, whyUnobservable } from './deliveries.js'
import { type VerifiedSignature, verifySignature } from './delivery-shape.js'
import type { Candidates, Constraint } from './elimination.js'
import type { Fields } from './exchange.js'
import { deliveryKey } from './received-events.js'
import { type DeliveryAction, DeliveryReceiver } from './receiver.js'

/** The answers to the first deliveries; later ones succeed. */
const plan: readonly DeliveryAction[] = ['ok', 'fail', 'gone', 'later', 'empty', 'hold']

/** The number of deliveries that show everything: those of the plan, then successes in a row. */
const enoughDeliveries = 18

/** The number of further deliveries if only successive 204 answers can show what counts as a success. */
const further = 8

/** The options of a receiver. */
export interface ListeningOptions {
  /** Milliseconds. */
  readonly duration: number
  /** Returns the known webhooks; lists them again with `refresh`. */
  readonly webhooks: (refresh: boolean) => Promise<readonly Fields[]>
  /** The secrets that may sign deliveries. */
  readonly secrets: readonly string[]
  /** The address to send mail to. */
  readonly agent: string | undefined
  readonly signal: AbortSignal | undefined
  /** Called with the constraints so far; returns the remaining candidates. */
  readonly learn: (constraints: readonly Constraint[]) => Candidates
}

/** Chooses the answers to deliveries. */
export class DeliveryPlan {
  readonly #keys = new Set<string>()
  /** Whether the deliveries after the plan are answered with 204. */
  asksWith204 = false

  /** The number of answered deliveries. */
  get count(): number {
    return this.#keys.size
  }

  /** Chooses an answer: by the plan for the first attempt of a delivery, 200 for all others. */
  choose(target: string, body: string): DeliveryAction {
    const key = deliveryKey(target, body)
    if (this.#keys.has(key)) return 'ok'
    const action = plan[this.#keys.size] ?? (this.asksWith204 ? 'empty' : 'ok')
    this.#keys.add(key)
    return action
  }
}

/** Returns whether only successive deliveries answered with 204 can show what counts as a success. */
export function needs204(candidates: Candidates): boolean {
  const is = (gap: GapId, reading: string): boolean => candidates[gap].join() === reading
  const isOpen = candidates['events.success'].length > 1
  return isOpen && is('events.retries', 'none') && is('events.duplicates', 'occasional-duplicate')
}

/** Receives deliveries, answers them by a plan, and learns from them. */
export class Listening {
  readonly #receiver: DeliveryReceiver
  readonly #plan = new DeliveryPlan()
  readonly #tell: (sentence: string) => void
  #port = 0
  readonly #verified = new Map<number, VerifiedSignature | undefined>()

  /** `tell` is called with a sentence when a delivery arrives or something is learned. */
  constructor(tell: (sentence: string) => void) {
    this.#tell = tell
    this.#receiver = new DeliveryReceiver(
      (target, body) => this.#plan.choose(target, body),
      ({ number, target, action }) => tell(`#${number} delivery to ${target}: ${meanings[action]}`),
    )
  }

  /** Starts receiving; returns the port. @throws CalibrationError */
  async start(port: number): Promise<number> {
    this.#port = await this.#receiver.listen(port)
    return this.#port
  }

  /** Learns until deliveries can show nothing else, or the time is up. */
  async run({ duration, webhooks, secrets, agent, signal, learn }: ListeningOptions): Promise<void> {
    const elapsed = stopwatch()
    const timers = new Timers()
    const known = new Set<GapId>()
    const targets = new Set<string>()
    let shown = ''
    this.#tell(nextStep(this.#plan.count, agent))
    for (let seen = this.#plan.count; elapsed() < duration && !signal?.aborted; ) {
      const { attempts } = this.#receiver
      const count = targets.size
      for (const { target } of attempts) targets.add(target)
      const constraints = deliveryConstraints({
        ...{ attempts, port: this.#port, now: wallTime() },
        verified: await this.#verify(secrets),
        webhooks: await webhooks(targets.size > count),
      })
      const showing = JSON.stringify(constraints)
      if (showing !== shown && this.#report(learn(constraints), known)) return
      shown = showing
      if (this.#plan.count > seen) {
        seen = this.#plan.count
        this.#tell(nextStep(seen, agent))
      }
      await timers.wait(Math.min(250, Math.max(0, duration - elapsed())), signal)
    }
  }

  /** Verifies the signatures of new attempts. */
  async #verify(
    secrets: readonly string[],
  ): Promise<ReadonlyMap<number, VerifiedSignature | undefined> | undefined> {
    if (secrets.length === 0) return undefined
    for (const attempt of this.#receiver.attempts) {
      if (!this.#verified.has(attempt.number))
        this.#verified.set(attempt.number, await verifySignature(attempt, secrets))
    }
    return this.#verified
  }

  /** Reports what was learned; returns whether deliveries can show nothing else. */
  #report(candidates: Candidates, known: Set<GapId>): boolean {
    const open = gapIds.filter((gap) => gaps[gap].learnedBy === 'deliveries' && !known.has(gap))
    for (const gap of open) {
      if (candidates[gap].length !== 1) continue
      known.add(gap)
      this.#tell(`Learned: ${gap} is ${candidates[gap][0]}.`)
    }
    const isSettled = (gap: GapId): boolean =>
      known.has(gap) || whyUnobservable(gap, candidates) !== undefined
    if (needs204(candidates) && !this.#plan.asksWith204) {
      this.#plan.asksWith204 = true
      this.#tell(`Send ${further} more mails, one after the other; their deliveries are answered with 204.`)
    }
    return open.every(isSettled)
  }

  /** Stops receiving. */
  close(): Promise<void> {
    return this.#receiver.close()
  }
}

const meanings: Readonly<Record<DeliveryAction, string>> = {
  ok: '200',
  fail: '500, to see when the service tries again',
  gone: '410',
  later: '503 with Retry-After',
  empty: '204',
  hold: 'no answer, to see when the service hangs up',
}

function nextStep(seen: number, agent = 'an agent'): string {
  if (seen === 0) return `Send a mail to ${agent} now; a webhook must point here.`
  if (seen < plan.length - 1)
    return `Send another mail to ${agent} (${seen} of ${enoughDeliveries} deliveries so far).`
  if (seen < enoughDeliveries) {
    return (
      `Send ${enoughDeliveries - seen} mails to ${agent} at once, one after the other, with the subjects Calibration 1, Calibration 2, … ` +
      `(${seen} of ${enoughDeliveries}); then have one of the agent's own mails bounce.`
    )
  }
  return 'That is enough mail. Waiting for retries; one of the agent’s own mails may still bounce.'
}
