import { counted } from '../../contract/counted.js'
import type { EventType } from '../../contract/events.js'
import type { Delivery } from '../../world/index.js'
import { explainDelivery, explainNone, formatDelivery, isGoingOn } from '../delivery-line.js'
import {
  checkDeliveryMatch,
  type DeliveryMatch,
  deliveryMismatches,
  nearestDeliveries,
} from '../delivery-matching.js'
import { formatMismatch, type Mismatch } from '../matching.js'
import type { Simulator } from '../simulator.js'
import { describeValues } from './describe-values.js'
import { listed, type MatcherResult, simulatorIn } from './matcher.js'

/** What is asked of deliveries; they are to have succeeded where no status is given. */
export interface DeliveryDescription extends DeliveryMatch {
  /** How many deliveries are to fit, exactly; at least one when it is left out. */
  readonly times?: number
}

interface Judged {
  readonly delivery: Delivery
  readonly mismatches: readonly Mismatch[]
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
  const judged = mailbox.deliveries.list().map((delivery): Judged => {
    return { delivery, mismatches: deliveryMismatches(event, match, delivery, mailbox.masker) }
  })
  const fitting = judged.filter(({ mismatches }) => mismatches.length === 0)
  const pass = times === undefined ? fitting.length > 0 : fitting.length === times
  return {
    pass,
    message() {
      const values = describeValues(status === 'any' ? rest : match)
      const what = `${wantedNumber(pass, times)} of ${event}${values && ` with ${values}`}`
      if (judged.every(({ delivery }) => delivery.event.type !== event)) {
        return `Expected ${what}. ${explainNone(mailbox, event)}`
      }
      const shown = pass ? fitting : nearestDeliveries(judged)
      const fit =
        fitting.length === 0 ? 'none fits' : `${fitting.length} ${fitting.length === 1 ? 'fits' : 'fit'}`
      const made = judged.length === 1 ? '1 delivery was made' : `${judged.length} deliveries were made`
      const order = pass ? ':' : '; the nearest first:'
      const blocks = shown.map((one) => formatJudged(one, mailbox))
      return `Expected ${what}.\n${made}, of which ${fit}${order}\n${listed(blocks, 8)}`
    },
  }
}

function wantedNumber(pass: boolean, times: number | undefined): string {
  if (times === undefined) return pass ? 'no delivery' : 'a delivery'
  return `${pass ? 'not ' : ''}exactly ${counted(times, 'delivery', 'deliveries')}`
}

function formatJudged({ delivery, mismatches }: Judged, { clock }: Simulator): string {
  const mark = mismatches.length === 0 ? '✓' : '✗'
  const isOther = mismatches.some(({ name }) => name === 'event')
  const explained = isOther ? [] : explain(delivery, clock)
  const lines = [...mismatches.map(formatMismatch), ...explained]
  return [`${mark} ${formatDelivery(delivery)}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

function explain(delivery: Delivery, clock: Simulator['clock']): string[] {
  const remedy = `Wait for it: await mailbox.waitFor({ delivery: '${delivery.event.type}' }).`
  return explainDelivery(delivery, clock).map((line) => (isGoingOn(delivery) ? `${line} ${remedy}` : line))
}
