import { formatDuration } from '../../../base/text.js'
import { asksToWait, isAttempt, isFailure, requestKey } from '../exchanges.js'
import type { Observation } from '../tracker.js'
import type { Invariant, Wrong } from './invariant.js'

/** The milliseconds by which the timer of a client may be early. */
const early = 10

/** The tries after which the pauses between them must have grown. */
const freeTries = 10

/** How much longer the last pauses are than the first if tries come ever more seldom. */
const growth = 1.5

/** When a request came, in milliseconds of story time and of wall time; a client may wait in either. */
interface Time {
  readonly at: number
  readonly wall: number
}

/** A request that failed or was refused: its tries so far, and the end of the last response with the wait that it asked for. */
interface Tries {
  readonly times: readonly Time[]
  readonly asked: (Time & { readonly wait: number; readonly status: number }) | undefined
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
        if (wrong) return wrong
        if (!isTry(observation)) {
          tries.delete(key)
          succeeded.set(key, moment.at)
          return undefined
        }
        const seconds = asksToWait(exchange.status, entry.recorded.responseHeaders['retry-after'])
        const asked =
          seconds === undefined
            ? undefined
            : { at: moment.at, wall: wall.to, wait: seconds * 1000, status: exchange.status }
        tries.set(key, { times: [...(before?.times ?? []), timeOf(observation)], asked })
        return undefined
      },
    }
  },
}

type Exchanged = Extract<Observation, { readonly type: 'exchange' }>

/** Returns whether a request failed, or was a write that was refused, so that an equal one is another try. */
function isTry({ exchange }: Exchanged): boolean {
  const isRefused = exchange.status >= 400 && exchange.status < 500 && exchange.method !== 'GET'
  return isRefused || isFailure(exchange)
}

function timeOf({ moment, wall }: Exchanged): Time {
  return { at: moment.at, wall: wall.from }
}

function between(from: Time, to: Time): number {
  return Math.max(to.at - from.at, to.wall - from.wall)
}

function tooEarly({ asked }: Tries, next: Exchanged): Wrong | undefined {
  // A request that was sent before the response arrived could not take it into account.
  if (!asked || next.wall.from < asked.wall) return undefined
  const waited = between(asked, timeOf(next))
  if (waited + early >= asked.wait) return undefined
  const [shown, wanted] = [formatDuration(Math.round(waited)), formatDuration(asked.wait)]
  return {
    found: `a request repeated ${shown} after a response ${asked.status} that asked to wait ${wanted}`,
    differences: [`expected a wait of ${wanted}, found ${shown}`],
  }
}

function tooOften({ times }: Tries, next: Exchanged, succeededAt: number | undefined): Wrong | undefined {
  const [first] = times
  if (!first || !isTry(next) || times.length < freeTries) return undefined
  const all = [...times, timeOf(next)]
  const pauses = all.slice(1).map((time, index) => between(all[index] as Time, time))
  const sum = (some: readonly number[]): number => some.reduce((total, one) => total + one, 0)
  const half = Math.floor(pauses.length / 2)
  const [early, late] = [sum(pauses.slice(0, half)), sum(pauses.slice(-half))]
  // A client that polls asks as often as it did before.
  const usual = first.at - (succeededAt ?? first.at)
  if (late >= growth * early || (usual > 0 && late >= usual * half * 0.9)) return undefined
  return {
    found: `a request sent ${all.length} times while it failed, without longer pauses`,
    differences: [
      `the first ${half} pauses took ${formatDuration(Math.round(early))}, the last ${half} ${formatDuration(Math.round(late))}`,
    ],
  }
}
