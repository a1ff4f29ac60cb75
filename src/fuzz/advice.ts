import { gaps } from '../contract/gaps.js'
import { invariants } from '../expectations/invariants.js'
import type { PlanElement } from './elements.js'
import type { Failure } from './judging.js'

/** Returns what to do about a failure under the elements of a plan, in a sentence. */
export function adviceOn({ judgedBy }: Failure, elements: readonly PlanElement[]): string {
  if (judgedBy !== 'command' && judgedBy !== 'expectation') return invariants[judgedBy].advice
  const [first] = elements.toSorted((one, other) => rank(one) - rank(other))
  if (!first) return ''
  switch (first.vary) {
    case 'readings':
      return gaps[first.gap].advice
    case 'faults':
      return 'Send a request that only reads again after 429 and 503, a few times, when its Retry-After is over.'
    case 'mail':
      return first.form === 'plain' || first.form === 'other-address'
        ? 'Read the first page again until nothing new is on it: mail moves threads between pages.'
        : 'Take whatever mail may hold: no text, HTML alone, a long body, any characters.'
    case 'sizes':
      return 'Ask for the next page until one has fewer entries than its limit.'
    case 'timing':
      return 'Expect every change of the mailbox at any moment, also between two requests.'
    case 'deliveries':
      return 'Keep the ids of the events that were handled, and answer 200 to those that come again.'
  }
}

const order = ['readings', 'mail', 'deliveries', 'timing', 'sizes', 'faults']

function rank({ vary }: PlanElement): number {
  return order.indexOf(vary)
}
