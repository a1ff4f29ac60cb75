import type { EventType } from '../../contract/events.js'
import type { Delivery } from '../../world/index.js'
import {
  checkDeliveryMatch,
  type DeliveryMatch,
  deliveryDistance,
  deliveryMismatches,
  explainDelivery,
  explainNone,
  formatDelivery,
  isGoingOn,
} from '../delivery-matching.js'
import { describeValues, formatMismatch, nearest } from '../matching.js'
import type { Simulator } from '../simulator.js'
import {
  describeFitting,
  describeNumber,
  formatJudged,
  isWantedNumber,
  type Judged,
  judge,
  listed,
  type MatcherResult,
  simulatorIn,
} from './matcher.js'

/** The wanted values of deliveries; the status is `succeeded` where none is given. */
export interface DeliveryDescription extends DeliveryMatch {
  /** How many deliveries are to fit, exactly; at least one when it is left out. */
  readonly times?: number
}

/** Whether subscriptions of a simulator were told of an event. */
export function toHaveDelivered(
  received: unknown,
  event: EventType,
  { times, status = 'succeeded', ...rest }: DeliveryDescription = {},
): MatcherResult {
  const mailbox = simulatorIn(received, 'toHaveDelivered')
  const match: DeliveryMatch = { status, ...rest }
  checkDeliveryMatch(event, match)
  const { judged, fitting } = judge(mailbox.deliveries.list(), (delivery) => {
    return deliveryMismatches(event, match, delivery, mailbox.masker)
  })
  const pass = isWantedNumber(fitting.length, times)
  return {
    pass,
    message() {
      const values = describeValues(status === 'any' ? rest : match)
      const number = describeNumber(pass, times, 'delivery', 'deliveries')
      const what = `Expected ${number} of ${event}${values && ` with ${values}`}.`
      if (judged.every(({ thing }) => thing.event.type !== event)) {
        return `${what} ${explainNone(mailbox, event)}`
      }
      const count = judged.length === 1 ? '1 delivery was made' : `${judged.length} deliveries were made`
      const made = `${count}, of which ${describeFitting(fitting.length)}`
      const blocks = (pass ? fitting : nearest(judged, deliveryDistance)).map((one) => {
        return formatJudgedDelivery(one, mailbox)
      })
      return `${what}\n${made}${pass ? ':' : '; the nearest first:'}\n${listed(blocks, 8)}`
    },
  }
}

function formatJudgedDelivery({ thing, mismatches }: Judged<Delivery>, { clock }: Simulator): string {
  const isOther = mismatches.some(({ name }) => name === 'event')
  const lines = [...mismatches.map(formatMismatch), ...(isOther ? [] : explain(thing, clock))]
  return formatJudged(formatDelivery(thing), mismatches.length === 0, lines)
}

function explain(delivery: Delivery, clock: Simulator['clock']): string[] {
  const remedy = `Wait for it: await mailbox.waitFor({ delivery: '${delivery.event.type}' }).`
  return explainDelivery(delivery, clock).map((line) => (isGoingOn(delivery) ? `${line} ${remedy}` : line))
}
