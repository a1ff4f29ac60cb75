import { asksToWait, requestKey } from '../expectations/invariants.js'
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
  readonly elapsed: () => number
}

/** The share of a wait after which a client that waits in wall time may come back, since timers are not exact. */
const tolerance = 0.8

/** Follows the waits that answers ask a client for; one that waits as told is neither late nor at its end. */
export class AskedWaits {
  readonly #simulator: Simulator
  readonly #pending = new Map<string, PendingWait>()
  readonly #timers = new Timers()
  readonly #stop: () => void
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

  /** The wait that is not over yet and after which the client has not come back; null if there is none. */
  get pending(): AskedWait | null {
    const last = [...this.#pending.values()].findLast(({ seconds, elapsed }) => elapsed() < 1000 * seconds)
    return last ? { exchange: last.exchange, at: last.at, seconds: last.seconds } : null
  }

  /** Stops following. */
  close(): void {
    this.#stop()
    this.#timers.end()
    this.#pending.clear()
  }

  #note(entry: JournalEntry, at: number, passes: boolean): void {
    const { status, responseHeaders, fault } = entry.recorded
    const seconds = asksToWait(status, responseHeaders['retry-after'])
    if (seconds === undefined && this.#pending.size === 0) return
    const exchange = entry.showRequest()
    const key = requestKey(exchange)
    this.#pending.delete(key)
    if (seconds === undefined) return
    this.#seconds += seconds
    const wait = { exchange: exchange.seq, at: formatInstant(at), seconds, elapsed: stopwatch() }
    this.#pending.set(key, wait)
    if (passes && !fault) void this.#pass(key, wait, at)
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

/** Describes a wait that a client was in when its story ended. */
export function describeWait({ exchange, seconds }: AskedWait): string {
  return `told to wait ${seconds} s at exchange ${exchange}; the story ended before it came back`
}
