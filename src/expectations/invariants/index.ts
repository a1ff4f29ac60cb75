import type { InvariantName } from '../../world/index.js'
import { answersDeliveries } from './answers-deliveries.js'
import { ends } from './ends.js'
import { givesUp } from './gives-up.js'
import { handlesEventsOnce } from './handles-events-once.js'
import type { Invariant } from './invariant.js'
import { obeysRetryAfter } from './obeys-retry-after.js'
import { writesNothingElse } from './writes-nothing-else.js'

export type { Invariant } from './invariant.js'
export { writeOf } from './writes.js'

/** Every invariant by its name. */
export const invariants: Readonly<Record<InvariantName, Invariant>> = {
  ends,
  'gives-up': givesUp,
  'obeys-retry-after': obeysRetryAfter,
  'handles-events-once': handlesEventsOnce,
  'answers-deliveries': answersDeliveries,
  'writes-nothing-else': writesNothingElse,
}
