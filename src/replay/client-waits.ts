import { asksToWait, isFailure, requestKey } from '../expectations/invariants.js'
import type { Simulator } from '../simulator/simulator.js'
import { formatInstant, type JournalEntry, stopwatch, Timers } from '../world/index.js'

/** A wait that an answer asked for with `Retry-After`. */
export interface AskedWait {
  /** The number of the exchange in the journal. */
  readonly exchange: number
  /** The story time of the answer, ISO 8601 UTC. */
  readonly at: string
  readonly seconds: number
}

interface PendingWait extends AskedWait {
  /** Whether the answer said for how long. */
  readonly isTold: boolean
  readonly elapsed: () => number
}

/** The seconds for which a client may wait by itself before it repeats a request that failed. */
const unaskedWait = 5

/** The share of a wait after which a client that waits in wall time may come back, since timers are not exact. */
const tolerance = 0.8

/**
 * Follows the waits of a client: those that answers ask for, and those before it repeats a request that failed. One that
 * waits is neither late nor at its end.
 */
export class ClientWaits {
  readonly #simulator: Simulator
  readonly #pending = new Map<string, PendingWait>()
  readonly #timers = new Timers()
  readonly #stop: () => void
  /** Started when the client last came back from a wait. */
  #sinceBack: (() => number) | undefined
  #over = 0
  #seconds = 0

  /** With `passes`, the story's clock moves on once a wait for the end of a limit is over in wall time. */
  constructor(simulator: Simulator, { passes }: { readonly passes: boolean }) {
    this.#simulator = simulator
    const { feed } = simulator.events
    this.#stop = feed.subscribe(() => {
      const event = feed.keptAt(feed.latest)
      if (event?.type === 'exchange') this.#note(event.content as JournalEntry, event.at, passes)
    })
  }

  /** The seconds that the client was asked to wait so far. */
  get seconds(): number {
    return this.#seconds
  }

  /** The wait that was asked for, is not over yet and after which the client has not come back; null if there is none. */
  get pending(): AskedWait | null {
    const last = [...this.#pending.values()].findLast((one) => one.isTold && leftOf(one) > 0)
    return last ? { exchange: last.exchange, at: last.at, seconds: last.seconds } : null
  }

  /** The milliseconds of wall time that the client has waited so far. */
  get waited(): number {
    return this.#over + Math.max(0, ...[...this.#pending.values()].map(waitedIn))
  }

  /**
   * Returns the milliseconds of wall time until all waits are over and the client has been back for a time since; 0 or
   * less if that is so.
   */
  left(sinceThen: number): number {
    const back = this.#sinceBack ? -this.#sinceBack() : Number.NEGATIVE_INFINITY
    return sinceThen + Math.max(back, ...[...this.#pending.values()].map(leftOf))
  }

  /** Stops following. */
  close(): void {
    this.#stop()
    this.#timers.end()
    this.#pending.clear()
  }

  #note(entry: JournalEntry, at: number, passes: boolean): void {
    const { status, responseHeaders, fault } = entry.recorded
    const told = asksToWait(status, responseHeaders['retry-after'])
    const isWaiting = told !== undefined || isFailure(entry.recorded)
    if (!isWaiting && this.#pending.size === 0) return
    const exchange = entry.showRequest()
    const key = requestKey(exchange)
    this.#noteBack(key)
    if (!isWaiting) return
    this.#seconds += told ?? 0
    const wait = {
      ...{ exchange: exchange.seq, at: formatInstant(at), seconds: told ?? unaskedWait },
      ...{ isTold: told !== undefined, elapsed: stopwatch() },
    }
    this.#pending.set(key, wait)
    if (passes && wait.isTold && !fault) void this.#pass(key, wait, at)
  }

  /** Ends the wait after which a request is repeated now, if there is one. */
  #noteBack(key: string): void {
    const wait = this.#pending.get(key)
    if (!wait) return
    this.#pending.delete(key)
    this.#over += waitedIn(wait)
    this.#sinceBack = stopwatch()
  }

  /** Moves a clock that stands still, since a limit would never end on it. */
  async #pass(key: string, wait: PendingWait, at: number): Promise<void> {
    const milliseconds = 1000 * wait.seconds
    await this.#timers.wait(tolerance * milliseconds, undefined, true)
    const { clock } = this.#simulator
    if (this.#pending.get(key) !== wait || clock.mode !== 'frozen') return
    const until = formatInstant(at + milliseconds)
    if (clock.now() < until) await clock.advanceTo(until).catch(() => undefined)
  }
}

/** Returns the milliseconds of wall time that are left of a wait. */
function leftOf({ seconds, elapsed }: PendingWait): number {
  return 1000 * seconds - elapsed()
}

/** Returns the milliseconds of wall time that have passed of a wait. */
function waitedIn({ seconds, elapsed }: PendingWait): number {
  return Math.min(1000 * seconds, elapsed())
}

/** Describes a wait that a client was in when its story ended. */
export function describeWait({ exchange, seconds }: AskedWait): string {
  return `told to wait ${seconds} s at exchange ${exchange}; the story ended before it came back`
}
