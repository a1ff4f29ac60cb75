import { counted } from '../contract/text.js'
import { formatDelivery, shownUrl } from '../simulator/delivery-matching.js'
import { showValue } from '../simulator/matching.js'
import {
  type Delivery,
  type DeliveryExpectation,
  type DeliveryStatus,
  deliveryStatuses,
  formatInstant,
  parseInstant,
} from '../world/index.js'
import { type Moment, TimeWindow } from './time-window.js'
import {
  describeAmount,
  describeExcess,
  type NearestMatch,
  type Observation,
  type RunFacts,
  type Tracker,
  type TrackerResult,
} from './tracker.js'

/** What is kept of a delivery. */
interface ObservedDelivery {
  readonly url: string
  readonly status: DeliveryStatus
  /** When its event happened. */
  readonly began: Moment
  /** When it got its present status. */
  readonly reached: Moment
  /** The delivery in a line, for people. */
  readonly line: string
  /** Why it has come no further, for people. */
  readonly reasons: readonly string[]
}

/** A delivery with its differences from what is expected. */
interface Compared {
  readonly delivery: ObservedDelivery
  readonly differences: readonly string[]
}

/** Follows the deliveries of an event type; what counts is their last status. */
export class DeliveryTracker implements Tracker {
  readonly expected: string
  /** The status of a delivery may change until the run is over. */
  readonly decided = false
  readonly #expectation: DeliveryExpectation
  readonly #window: TimeWindow
  readonly #url: string | null
  /** The deliveries so far, in the order of their events, by id. */
  readonly #deliveries = new Map<string, ObservedDelivery>()
  /** The ids of those that count at present. */
  readonly #counting = new Set<string>()
  /** How often the event happened. */
  #events = 0
  #cameTrueAt: Moment | undefined

  constructor(expectation: DeliveryExpectation, { milestones, simulator }: RunFacts) {
    this.#expectation = expectation
    this.#window = new TimeWindow(expectation.window, milestones, { isCausedByTimeline: true })
    this.#url = expectation.url === null ? null : shownUrl(expectation.url, simulator.masker)
    this.expected = this.#describe()
  }

  get cameTrueAt(): Moment | undefined {
    return this.#cameTrueAt
  }

  observe(observation: Observation): void {
    const { event } = this.#expectation
    if (observation.type === 'event' && observation.event === event) this.#events++
    if (observation.type !== 'delivery' || observation.delivery.event.type !== event) return
    const { id } = observation.delivery
    const delivery = this.#update(observation.delivery, observation.moment)
    if (this.#differences(delivery).length === 0) this.#counting.add(id)
    else this.#counting.delete(id)
    const { least } = this.#expectation.amount
    if (least > 0 && this.#counting.size >= least) this.#cameTrueAt ??= observation.moment
  }

  evaluate(end: number): TrackerResult {
    const { least, most } = this.#expectation.amount
    const compared = this.#compare()
    const counting = compared.filter(({ differences }) => differences.length === 0)
    const found = this.#found(compared, counting.length)
    const over = most === null ? undefined : counting[most]
    if (over && most !== null) {
      const nearest = describeNearest(over.delivery, [describeExcess(most, 'delivery')])
      return { passed: false, found, nearest }
    }
    const passed = counting.length >= least
    const at = this.#window.endBy(end)
    return { passed, at, found, nearest: passed ? null : findNearest(compared) }
  }

  #update(delivery: Delivery, moment: Moment): ObservedDelivery {
    const { id, event, url, status, reason, attempts } = delivery
    const before = this.#deliveries.get(id)
    const error = attempts.at(-1)?.error?.message
    const observed = {
      url,
      status,
      began: before?.began ?? { at: parseInstant(event.at) ?? moment.at, seq: moment.seq },
      reached: before?.status === status ? before.reached : moment,
      line: formatDelivery(delivery),
      reasons: [...new Set([error, reason].flatMap((text) => text ?? []))],
    }
    this.#deliveries.set(id, observed)
    return observed
  }

  #compare(): Compared[] {
    return [...this.#deliveries.values()].map((delivery) => {
      return { delivery, differences: this.#differences(delivery) }
    })
  }

  #differences(delivery: ObservedDelivery): string[] {
    return [...this.#mismatches(delivery), ...this.#outOfTime(delivery)]
  }

  #mismatches({ status, url }: ObservedDelivery): string[] {
    const { status: wanted } = this.#expectation
    const isOther = wanted !== null && wanted !== status
    const isElsewhere = this.#url !== null && this.#url !== url
    return [
      ...(isOther ? [`status: expected ${wanted}, found ${status}`] : []),
      ...(isElsewhere ? [`url: expected ${showValue(this.#url)}, found ${showValue(url)}`] : []),
    ]
  }

  /** If a status is expected, what counts is when the delivery got it; otherwise when its event happened. */
  #outOfTime({ began, reached }: ObservedDelivery): string[] {
    const { status } = this.#expectation
    return this.#window.differences(status === null ? began : reached, began)
  }

  #found(compared: readonly Compared[], counting: number): string {
    const { event } = this.#expectation
    const { missing } = this.#window
    const lacks = missing === undefined ? '' : `; ${missing} did not come`
    if (compared.length === 0) return `no delivery of ${event}; ${this.#whyNone()}${lacks}`
    const all = counted(compared.length, 'delivery', 'deliveries')
    return `${counting} of ${all} of ${event}: ${statusesOf(compared)}${lacks}`
  }

  #whyNone(): string {
    if (this.#events === 0) return 'it did not happen'
    const times = this.#events === 1 ? 'once' : `${this.#events} times`
    return `it happened ${times}, and no subscription was notified`
  }

  #describe(): string {
    const { event, status, amount } = this.#expectation
    return [
      `${describeAmount(amount, 'delivery', 'deliveries')} of ${event}`,
      this.#url === null ? '' : `to ${this.#url}`,
      status === null ? '' : `with status ${status}`,
      this.#window.describe(),
    ]
      .filter((part) => part !== '')
      .join(' ')
  }
}

/** Counts the deliveries by status: `38 succeeded, 4 failed`. */
function statusesOf(compared: readonly Compared[]): string {
  const count = (status: DeliveryStatus): number => {
    return compared.filter(({ delivery }) => delivery.status === status).length
  }
  return deliveryStatuses
    .filter((status) => count(status) > 0)
    .map((status) => `${count(status)} ${status}`)
    .join(', ')
}

/** Returns the delivery with the fewest differences; of equals the first. */
function findNearest(compared: readonly Compared[]): NearestMatch | null {
  const [nearest] = compared
    .filter(({ differences }) => differences.length > 0)
    .toSorted((a, b) => a.differences.length - b.differences.length)
  if (!nearest) return null
  const { delivery, differences } = nearest
  const isOther = differences.some((line) => line.startsWith('status:'))
  return describeNearest(delivery, [...differences, ...(isOther ? delivery.reasons : [])])
}

function describeNearest(delivery: ObservedDelivery, differences: readonly string[]): NearestMatch {
  return {
    line: delivery.line,
    exchange: null,
    at: formatInstant(delivery.began.at),
    differences,
  }
}
