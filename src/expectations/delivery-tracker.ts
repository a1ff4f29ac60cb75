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
import { describeAmount, describeExcess, type NearestMatch, type RunFacts, type Tracker } from './tracker.js'

/** A delivery, reduced to what the tracker needs. */
interface ObservedDelivery {
  readonly url: string
  readonly status: DeliveryStatus
  /** The moment of its event. */
  readonly began: Moment
  /** The moment at which it got its current status. */
  readonly reached: Moment
  /** The delivery in a line, for people. */
  readonly line: string
  /** Why it did not succeed, in words. */
  readonly reasons: readonly string[]
}

/** A delivery with its differences from the expected one. */
interface Compared {
  readonly delivery: ObservedDelivery
  readonly differences: readonly string[]
}

/** Counts the deliveries of an event type by their last status. */
export function trackDeliveries(
  expectation: DeliveryExpectation,
  { milestones, simulator }: RunFacts,
): Tracker {
  const { event, status: wanted, amount } = expectation
  const { least, most } = amount
  const url = expectation.url === null ? null : shownUrl(expectation.url, simulator.masker)
  const window = new TimeWindow(expectation.window, milestones, { isCausedByTimeline: true })
  /** The deliveries so far, in the order of their events, by id. */
  const deliveries = new Map<string, ObservedDelivery>()
  /** The ids of the deliveries that currently match. */
  const counting = new Set<string>()
  let events = 0
  let cameTrueAt: Moment | undefined

  function differencesOf({ status, url: found, began, reached }: ObservedDelivery): string[] {
    const isElsewhere = url !== null && url !== found
    return [
      ...(wanted !== null && wanted !== status ? [`status: expected ${wanted}, found ${status}`] : []),
      ...(isElsewhere ? [`url: expected ${showValue(url)}, found ${showValue(found)}`] : []),
      // For an expected status, the time at which the delivery got it counts; otherwise the time of its event.
      ...window.differences(wanted === null ? began : reached, began),
    ]
  }

  function describeFound(compared: readonly Compared[], count: number): string {
    const { missing } = window
    const lacks = missing === undefined ? '' : `; ${missing} did not come`
    if (compared.length > 0) {
      const all = counted(compared.length, 'delivery', 'deliveries')
      return `${count} of ${all} of ${event}: ${statusesOf(compared)}${lacks}`
    }
    const times = events === 1 ? 'once' : `${events} times`
    const why = events === 0 ? 'it did not happen' : `it happened ${times}, and no subscription was notified`
    return `no delivery of ${event}; ${why}${lacks}`
  }

  const parts = [
    `${describeAmount(amount, 'delivery', 'deliveries')} of ${event}`,
    url === null ? '' : `to ${url}`,
    wanted === null ? '' : `with status ${wanted}`,
    window.describe(),
  ]
  return {
    expected: parts.filter((part) => part !== '').join(' '),
    get cameTrueAt() {
      return cameTrueAt
    },
    observe(observation) {
      if (observation.type === 'event' && observation.event === event) events++
      if (observation.type !== 'delivery' || observation.delivery.event.type !== event) return
      const { delivery, moment } = observation
      const observed = updated(deliveries.get(delivery.id), delivery, moment)
      deliveries.set(delivery.id, observed)
      if (differencesOf(observed).length === 0) counting.add(delivery.id)
      else counting.delete(delivery.id)
      if (least > 0 && counting.size >= least) cameTrueAt ??= moment
    },
    evaluate(end) {
      const compared = [...deliveries.values()].map((delivery) => {
        return { delivery, differences: differencesOf(delivery) }
      })
      const fitting = compared.filter(({ differences }) => differences.length === 0)
      const found = describeFound(compared, fitting.length)
      const over = most === null ? undefined : fitting[most]
      if (over && most !== null) {
        const nearest = describeNearest(over.delivery, [describeExcess(most, 'delivery')])
        return { passed: false, found, nearest }
      }
      const passed = fitting.length >= least
      return { passed, at: window.endBy(end), found, nearest: passed ? null : findNearest(compared) }
    },
  }
}

function updated(before: ObservedDelivery | undefined, delivery: Delivery, moment: Moment): ObservedDelivery {
  const { event, url, status, reason, attempts } = delivery
  const error = attempts.at(-1)?.error?.message
  return {
    url,
    status,
    began: before?.began ?? { at: parseInstant(event.at) ?? moment.at, seq: moment.seq },
    reached: before?.status === status ? before.reached : moment,
    line: formatDelivery(delivery),
    reasons: [...new Set([error, reason].flatMap((text) => text ?? []))],
  }
}

/** Counts the deliveries by status: `38 succeeded, 4 failed`. */
function statusesOf(compared: readonly Compared[]): string {
  const counts = deliveryStatuses.map((status) => {
    return [compared.filter(({ delivery }) => delivery.status === status).length, status] as const
  })
  return counts.flatMap(([count, status]) => (count > 0 ? `${count} ${status}` : [])).join(', ')
}

/** Returns the delivery with the fewest differences; on a tie, the first. */
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
