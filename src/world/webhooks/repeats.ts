import { createRandom } from '../random.js'
import type { Settle } from '../settle.js'

/** Of so many deliveries of a subscription one after another, one comes twice where any does. */
const block = 3

/** Whether a delivery that succeeded comes once more; `ordinal` counts those of its subscription from 0. */
export function comesAgain(seed: number, webhookId: string, ordinal: number, settle: Settle): boolean {
  const place = Math.floor(ordinal / block)
  const chosen = createRandom(seed, `webhooks/${webhookId}/duplicates/${place}`).integer(0, block - 1)
  return settle(
    'events.duplicates',
    { 'exactly-once': () => false, 'occasional-duplicate': () => chosen === ordinal % block },
    'shown',
  )
}

/** Milliseconds until the duplicate of the delivery of that path comes. */
export function duplicateAfter(seed: number, path: string): number {
  return createRandom(seed, `${path}/duplicate`).integer(1, 10) * 100
}
