import type { Simulator } from '../../doors/simulator/simulator.js'
import { formatInstant, type JournalEntry, stopwatch, Timers } from '../../service/world/index.js'
import { asksToWait, isFailure, requestKey } from '../../story/expectations/exchanges.js'

/** A wait that a response asked for with `Retry-After`. */
export interface AskedWait {
  /** The number of the exchange in the journal. */
  readonly exchange: number
  /** The story time of the response, ISO 8601 UTC. */
  readonly at: string
  readonly seconds: number
}

interface PendingWait extends AskedWait {
  /** Whether the response said for how long. */
  readonly isTold: boolean
  readonly elapsed: () => number
}

/** The seconds for which a client may wait on its own before it repeats a request that failed. */
const unaskedWait = 5

/** The share of a wait after which a client that waits in wall time may come back, since timers are not exact. */
const tolerance = 0.8

/**
 * Follows the waits of a client: those that responses ask for, and those before it repeats a request that
 * failed. A client that waits is neither late nor finished.
 */
export class ClientWaits {
  readonly #simulator: Simulator
  readonly #pending = new Map<string, PendingWait>()
  readonly #timers = new Timers()
  readonly #stop: () => void
  /** How often each request got a response, by its key, once that is counted. */
  #answers: Map<string, number> | undefined
  #seconds = 0

  /** With `passes`, the story's clock moves on once a wait for the end of a limit has passed in wall time. */
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

  /**
   * The requested wait that has not passed yet, or from which the client has not come back; null if there is
   * none.
   */
  get pending(): AskedWait | null {
    const last = [...this.#pending.values()].findLast((one) => one.isTold && leftOf(one) > 0)
    return last ? { exchange: last.exchange, at: last.at, seconds: last.seconds } : null
  }

  /**
   * Returns the milliseconds of wall time until some time after a client should have come back from a wait.
   */
  left(since = 0): number {
    return Math.max(0, ...[...this.#pending.values()].map((one) => leftOf(one) + since))
  }

  /** Starts to count the requests that get a response. */
  countAnswers(): void {
    this.#answers = new Map()
  }

  /** How often the most frequent request got a response since then, without failures. */
  get mostAnswers(): number {
    return Math.max(0, ...(this.#answers?.values() ?? []))
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
    const answers = this.#answers
    if (!isWaiting && this.#pending.size === 0 && !answers) return
    const exchange = entry.showRequest()
    const key = requestKey(exchange)
    this.#pending.delete(key)
    if (!isWaiting) {
      answers?.set(key, (answers.get(key) ?? 0) + 1)
      return
    }
    this.#seconds += told ?? 0
    const wait = {
      ...{ exchange: exchange.seq, at: formatInstant(at), seconds: told ?? unaskedWait },
      ...{ isTold: told !== undefined, elapsed: stopwatch() },
    }
    this.#pending.set(key, wait)
    if (passes && wait.isTold && !fault) void this.#pass(key, wait, at)
  }

  /** Moves a frozen clock, on which a limit would never end. */
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

/** Describes a wait that a client was in when its story ended. */
export function describeWait({ exchange, seconds }: AskedWait): string {
  return `told to wait ${seconds} s at exchange ${exchange}; the story ended before it came back`
}
