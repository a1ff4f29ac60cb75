import type { Simulator } from '../../doors/simulator/simulator.js'
import { formatInstant, parseInstant } from '../../service/time/time.js'
import { asksToWait, requestKey } from '../../story/expectations/exchanges.js'

/** A wait that a response asked for with `Retry-After`. */
export interface AskedWait {
  /** The number of the exchange in the journal. */
  readonly exchange: number
  /** The story time of the response, ISO 8601 UTC. */
  readonly at: string
  readonly seconds: number
}

/**
 * Returns the last wait that a response asked for, if it has not passed by the end of the story and the request was not
 * repeated; null if there is none.
 */
export function pendingWait({ journal, clock }: Simulator): AskedWait | null {
  const pending = new Map<string, AskedWait>()
  for (const entry of journal.entries()) {
    const { status, responseHeaders, at } = entry.recorded
    const seconds = asksToWait(status, responseHeaders['retry-after'])
    if (seconds === undefined && pending.size === 0) continue
    const exchange = entry.showRequest()
    const key = requestKey(exchange)
    pending.delete(key)
    if (seconds !== undefined) pending.set(key, { exchange: exchange.seq, at: formatInstant(at), seconds })
  }
  const now = parseInstant(clock.now()) as number
  const isLeft = ({ at, seconds }: AskedWait): boolean => (parseInstant(at) as number) + 1000 * seconds > now
  return [...pending.values()].findLast(isLeft) ?? null
}

/** Describes a wait that a client was in when its story ended. */
export function describeWait({ exchange, seconds }: AskedWait): string {
  return `told to wait ${seconds} s at request ${exchange}; the story ended before it came back`
}
