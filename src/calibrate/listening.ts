import { type GapId, gapIds, gaps } from '../contract/gaps.js'
import { startPause, stopwatch } from '../world/index.js'
import { wallTime } from '../world/wall-time.js'
import { deliveryConstraints } from './deliveries.js'
import type { Candidates, Constraint } from './elimination.js'
import type { Fields } from './exchange.js'
import { deliveryKey } from './received-events.js'
import { type DeliveryAction, DeliveryReceiver } from './receiver.js'

/** How the first deliveries are answered; those that follow succeed. */
const plan: readonly DeliveryAction[] = ['ok', 'fail', 'gone', 'later', 'empty', 'hold']

/** Deliveries that it takes to learn everything: those of the plan, and a row that succeeds. */
const wanted = 16

/** What a receiver learns with. */
export interface ListeningOptions {
  /** Milliseconds. */
  readonly duration: number
  readonly webhooks: readonly Fields[]
  /** The address to send mail to. */
  readonly agent: string | undefined
  readonly signal: AbortSignal | undefined
  /** Takes what deliveries show by now; returns what is possible still. */
  readonly learn: (constraints: readonly Constraint[]) => Candidates
}

/** Receives deliveries, answers them by a plan, and learns from them. */
export class Listening {
  readonly #receiver: DeliveryReceiver
  readonly #keys = new Map<string, DeliveryAction>()
  readonly #tell: (sentence: string) => void
  #port = 0

  /** `tell` gets a sentence whenever something comes in or is learned. */
  constructor(tell: (sentence: string) => void) {
    this.#tell = tell
    this.#receiver = new DeliveryReceiver(
      (target, body) => this.#choose(target, body),
      ({ number, target, action }) => tell(`#${number} delivery to ${target}: ${meanings[action]}`),
    )
  }

  /** Begins to receive; returns the port. @throws CalibrationError */
  async start(port: number): Promise<number> {
    this.#port = await this.#receiver.listen(port)
    return this.#port
  }

  /** Learns until everything is known that deliveries tell, or the time is over. */
  async run({ duration, webhooks, agent, signal, learn }: ListeningOptions): Promise<void> {
    const elapsed = stopwatch()
    const known = new Set<GapId>()
    this.#tell(nextStep(this.#keys.size, agent))
    for (let told = this.#keys.size; elapsed() < duration && !signal?.aborted; ) {
      const candidates = learn(
        deliveryConstraints({
          attempts: this.#receiver.attempts,
          webhooks,
          port: this.#port,
          now: wallTime(),
        }),
      )
      const open = gapIds.filter((gap) => gaps[gap].learnedBy === 'deliveries' && candidates[gap].length > 1)
      for (const gap of gapIds) {
        if (gaps[gap].learnedBy !== 'deliveries' || candidates[gap].length !== 1 || known.has(gap)) continue
        known.add(gap)
        this.#tell(`Learned: ${gap} is ${candidates[gap][0]}.`)
      }
      if (open.length === 0) return
      if (this.#keys.size > told) {
        told = this.#keys.size
        this.#tell(nextStep(told, agent))
      }
      const pause = startPause(Math.min(250, Math.max(0, duration - elapsed())))
      signal?.addEventListener('abort', pause.end, { once: true })
      await pause.over
      signal?.removeEventListener('abort', pause.end)
    }
  }

  /** Stops receiving. */
  close(): Promise<void> {
    return this.#receiver.close()
  }

  #choose(target: string, body: string): DeliveryAction {
    const key = deliveryKey(target, body)
    if (this.#keys.has(key)) return 'ok'
    const action = plan[this.#keys.size] ?? 'ok'
    this.#keys.set(key, action)
    return action
  }
}

const meanings: Readonly<Record<DeliveryAction, string>> = {
  ok: '200',
  fail: '500, to see when it is tried again',
  gone: '410',
  later: '503 with Retry-After',
  empty: '204',
  hold: 'no answer, to see when the service hangs up',
}

function nextStep(seen: number, agent = 'an agent'): string {
  if (seen === 0) return `Send a mail to ${agent} now; a webhook must lead here.`
  if (seen < plan.length) return `Send another mail to ${agent} (${seen} of ${wanted} deliveries so far).`
  if (seen < wanted) {
    return (
      `Send mails to ${agent} at once, one after the other, with the subjects Calibration 1, Calibration 2, … ` +
      `(${seen} of ${wanted}); then have one of the agent's own mails bounce.`
    )
  }
  return 'That is enough mail. Waiting for what is tried again; one of the agent’s own mails may still bounce.'
}
