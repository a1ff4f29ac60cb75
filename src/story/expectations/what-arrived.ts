import { counted } from '../../base/text.js'
import { type Delivery, reachedReceiver } from '../../service/webhooks/delivery.js'
import { firstLine } from './refusals.js'

/** Describes the delivery of several that says most, and how many others there are. */
export function describeWorst(deliveries: readonly Delivery[]): string {
  const failed = deliveries.filter((one) => !wasAccepted(one))
  const [first] = failed.length > 0 ? failed : deliveries
  const others = deliveries.length - 1
  const more = others === 0 ? '' : ` (and ${counted(others, 'other delivery', 'other deliveries')})`
  return `${describeDelivery(first as Delivery)}${more}`
}

/** Returns whether an attempt of a delivery reached a receiver. */
export function hasReached({ attempts }: Delivery): boolean {
  return attempts.some(({ error, duration_ms }) => duration_ms !== null && reachedReceiver(error))
}

/** Returns whether a receiver accepted a delivery. */
export function wasAccepted({ status }: Delivery): boolean {
  return status === 'succeeded'
}

/** Describes a delivery by its most telling attempt: `message.received to http://…/hook got 401 "bad signature"`. */
function describeDelivery({ event, url, attempts, reason }: Delivery): string {
  const ended = attempts.filter(({ duration_ms }) => duration_ms !== null)
  const { response, error } = ended.find((one) => one.response !== null) ?? ended[0] ?? {}
  const body = response?.body ? ` ${JSON.stringify(firstLine(response.body))}` : ''
  const what = `the delivery of ${event.type} to ${url}`
  if (error && !response) return `${what} failed: ${error.message.replace(/\.$/, '')}`
  if (response) return `${what} got ${response.status}${body}`
  return `${what} got no answer${reason === null ? '' : `: ${reason}`}`
}
