import type { ReceivedDelivery } from './received-events.js'
import type { Moment, ReceivedAttempt } from './receiver.js'

/** A span of seconds by the clock of the service. */
export type Span = readonly [minimum: number, maximum: number]

/** Returns the seconds by which an event may be noticed late, given the network and the load of the machine. */
function lateness({ late }: Moment): number {
  return 0.2 + (2 * late) / 1000
}

/** The error of event times in seconds: they may be whole seconds, and attempts slightly delayed. */
const uncertainty = 1.5

/**
 * Estimates how time passes for a service from its deliveries: a simulator's clock may be faster, frozen, or jump.
 * Unknown times are wide spans.
 */
export class ServiceClock {
  readonly #deliveries: readonly ReceivedDelivery[]
  readonly #now: number
  /** The seconds of the service per second of wall time. */
  readonly #speed: Span
  /** Whether all deliveries agree that it runs at the speed of wall time. */
  readonly isReal: boolean

  /** `now` is wall time in milliseconds. */
  constructor(deliveries: readonly ReceivedDelivery[], now: number) {
    this.#deliveries = deliveries
    this.#now = now
    const { span, isSteady } = speedOf(deliveries) ?? { span: [0, Number.POSITIVE_INFINITY], isSteady: false }
    this.#speed = span
    this.isReal = isSteady && span[1] === 1
  }

  /** Returns the time between two moments on the clock of the service. */
  between(from: Moment, to: Moment): Span {
    const [slowest, fastest] = this.#speed
    const passed = (to.at - from.at) / 1000
    // Only this process can have noticed the beginning late.
    const early = 0.1 + (2 * from.late) / 1000
    return [Math.max(0, passed - lateness(to)) * slowest, (passed + early) * fastest]
  }

  /** Returns the minimum seconds on the clock of the service since an attempt. */
  since(attempt: ReceivedAttempt): number {
    const { at, body } = attempt
    const [onWall] = this.between(attempt, { at: this.#now, late: 0 })
    const own = this.#deliveries.find(({ first }) => first.body === body)?.event.happenedAt
    if (own === undefined) return onWall
    // An attempt that waited for others is late: the time of its event does not show when it arrived.
    const later = this.#deliveries.filter(({ first }) => first.at > at)
    const latest = Math.max(own, ...later.map(({ event }) => event.happenedAt ?? 0))
    const waited = this.#deliveries.some(({ action, first }) => action === 'hold' && first.at <= at)
    return waited ? onWall : Math.max(onWall, (latest - own) / 1000 - uncertainty)
  }
}

/** Returns the speeds that the times of deliveries allow, and whether all agree; undefined if most disagree. */
function speedOf(
  deliveries: readonly ReceivedDelivery[],
): { readonly span: Span; readonly isSteady: boolean } | undefined {
  const samples = deliveries.flatMap(({ first, event: { happenedAt } }) => {
    if (happenedAt === undefined) return []
    return [{ at: first.at / 1000, happened: happenedAt / 1000, late: lateness(first) }]
  })
  const held = deliveries
    .filter(({ action }) => action === 'hold')
    .map(({ first }) => ({ from: first.at / 1000, to: (first.hungUp?.at ?? Infinity) / 1000 }))
  // Others may wait behind an attempt that is not answered: they may have been due at any time since then.
  const dueSince = (at: number): number => held.find(({ from, to }) => at > from && at < to + 2)?.from ?? at
  const spans = samples.flatMap((start, index) => {
    return samples.slice(index + 1).map(({ at, happened, late }): Span => {
      const [longest, shortest] = [at - dueSince(start.at) + start.late, dueSince(at) - start.at - late]
      const fastest =
        shortest > 0 ? (happened - start.happened + uncertainty) / shortest : Number.POSITIVE_INFINITY
      return [Math.max(0, (happened - start.happened - uncertainty) / longest), fastest]
    })
  })
  const agreeing = (speed: number): Span[] =>
    spans.filter(([minimum, maximum]) => speed >= minimum && speed <= maximum)
  // A late delivery makes a few spans wrong, so the speed that most spans allow is taken.
  const [best = []] = spans.map(([minimum]) => agreeing(minimum)).toSorted((a, b) => b.length - a.length)
  if (best.length < spans.length * (2 / 3)) return undefined
  const slowest = best.reduce((bound, [minimum]) => Math.max(bound, minimum), 0)
  const fastest = best.reduce((bound, [, maximum]) => Math.min(bound, maximum), Number.POSITIVE_INFINITY)
  const isAbout = (speed: number): boolean => {
    return slowest <= speed && fastest >= speed && slowest > speed * 0.6 && fastest < speed * 2
  }
  // Services run at the speed of wall time, and simulators usually ten times as fast.
  const known = [1, 10].find(isAbout)
  const span: Span = known === undefined ? [slowest * 0.95, fastest * 1.05] : [known, known]
  return { span, isSteady: best.length === spans.length }
}
