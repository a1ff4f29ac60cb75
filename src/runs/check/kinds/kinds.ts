import type { Kind, KindName } from '../disturbance.js'
import { assumptionKind } from './assumptions.js'
import { attackKind } from './attacks.js'
import { deliveryKind } from './deliveries.js'
import { faultKind } from './faults.js'
import { restartKind } from './restarts.js'
import { timeKind } from './time.js'

/** Every kind of disturbances that exists, in the order of reports. */
export const kinds: Readonly<Partial<Record<KindName, Kind>>> = {
  faults: faultKind,
  deliveries: deliveryKind,
  restarts: restartKind,
  time: timeKind,
  attacks: attackKind,
  assumptions: assumptionKind,
}
