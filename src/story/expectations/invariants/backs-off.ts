import { formatDuration } from '../../../base/text.js'
import { asksToWait, isAttempt, isFailure, requestKey } from '../exchanges.js'
import { formatExchange } from '../request.js'
import type { Observation } from '../tracker.js'
import type { Invariant, Violation } from './invariant.js'

/** The milliseconds by which the timer of a client may be early. */
const early = 10

/** The tries after which the pauses between them must have grown. */
const freeTries = 10

/** How much longer the last pauses are than the first if tries come ever more seldom. */
const growth = 1.5

/** A request that failed or was refused, with its tries so far. */
interface Tries {
  /** When each began, in story time and in wall time, in milliseconds. */
  readonly at: number[]
  readonly wall: number[]
  /** The end of the last response, and the wait that it asked for, if it did. */
  asked:
    | { readonly wall: number; readonly at: number; readonly wait: number; readonly status: number }
    | undefined
}

/** The client waits as long as it is told to, and tries again what fails ever more seldom. */
export const backsOff: Invariant = {
  general: true,
  advice:
    'Wait as many seconds as Retry-After says, and twice as long before each further try; give up after a few, and after a status from 400 to 499 at once.',
  watch() {
    const tries = new Map<string, Tries>()
    /** When each request last succeeded, by its key: a client that polls asks as often while it fails. */
    const succeeded = new Map<string, number>()
    return {
      expected: 'no try before its Retry-After is over, and ever longer pauses between tries',
      observe(observation) {
        // A delivery asks a client to work, whatever it was told before.
        if (isAttempt(observation)) tries.clear()
        if (observation.type !== 'exchange') return undefined
        const { exchange, moment, entry, wall } = observation
        // A program that was started again knows of no wait.
        const key = `${requestKey(exchange)} ${exchange.start ?? ''}`
        const before = tries.get(key)
        const wrong =
          before && (tooEarly(before, observation) ?? tooOften(before, observation, succeeded.get(key)))
        if (wrong) return { ...wrong, line: formatExchange(exchange), exchange: exchange.seq }
        if (!isTry(observation)) {
          tries.delete(key)
          succeeded.set(key, moment.at)
          return undefined
        }
        const seconds = asksToWait(exchange.status, entry.recorded.responseHeaders['retry-after'])
        const asked =
          seconds === undefined
            ? undefined
            : { wall: wall.to, at: moment.at, wait: seconds * 1000, status: exchange.status }
        tries.set(key, {
          at: [...(before?.at ?? []), moment.at],
          wall: [...(before?.wall ?? []), wall.from],
          asked,
        })
        return undefined
      },
    }
  },
}

type Exchanged = Extract<Observation, { readonly type: 'exchange' }>
type Wrong = Pick<Violation, 'found' | 'differences'>

/** Returns whether a request failed, or was a write that was refused, so that an equal one is another try. */
function isTry({ exchange }: Exchanged): boolean {
  const isRefused = exchange.status >= 400 && exchange.status < 500 && exchange.method !== 'GET'
  return isRefused || isFailure(exchange)
}

function tooEarly({ asked }: Tries, { wall, moment }: Exchanged): Wrong | undefined {
  // A request that was sent before the response arrived could not take it into account.
  if (!asked || wall.from < asked.wall) return undefined
  // A client may wait in wall time or in story time.
  const waited = Math.max(wall.from - asked.wall, moment.at - asked.at)
  if (waited + early >= asked.wait) return undefined
  const [shown, wanted] = [formatDuration(Math.round(waited)), formatDuration(asked.wait)]
  return {
    found: `a request repeated ${shown} after a response ${asked.status} that asked to wait ${wanted}`,
    differences: [`expected a wait of ${wanted}, found ${shown}`],
  }
}

function tooOften({ at, wall }: Tries, next: Exchanged, succeededAt: number | undefined): Wrong | undefined {
  if (!isTry(next) || at.length < freeTries) return undefined
  const times = [...at, next.moment.at]
  const walls = [...wall, next.wall.from]
  const pauses = times.slice(1).map((time, index) => {
    return Math.max(time - (times[index] as number), (walls[index + 1] as number) - (walls[index] as number))
  })
  const sum = (some: readonly number[]): number => some.reduce((all, one) => all + one, 0)
  const half = Math.floor(pauses.length / 2)
  const [first, last] = [sum(pauses.slice(0, half)), sum(pauses.slice(-half))]
  if (last >= growth * first) return undefined
  const usual = succeededAt === undefined ? undefined : (at[0] as number) - succeededAt
  if (usual !== undefined && usual > 0 && last >= usual * half * 0.9) return undefined
  const tried = at.length + 1
  return {
    found: `a request sent ${tried} times while it failed, without longer pauses`,
    differences: [
      `the first ${half} pauses took ${formatDuration(Math.round(first))}, the last ${half} ${formatDuration(Math.round(last))}`,
    ],
  }
}
