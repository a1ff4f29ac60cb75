import type { Kind, KindName } from '../disturbance.js'
import { assumptionKind } from './assumptions.js'
import { attackKind } from './attacks.js'
import { deliveryKind } from './deliveries.js'
import { faultKind } from './faults.js'
import { mailKind } from './mail.js'
import { restartKind } from './restarts.js'
import { timeKind } from './time.js'

/** Every kind of disturbances, in the order of reports. */
export const kinds: Readonly<Record<KindName, Kind>> = {
  faults: faultKind,
  deliveries: deliveryKind,
  restarts: restartKind,
  time: timeKind,
  mail: mailKind,
  attacks: attackKind,
  assumptions: assumptionKind,
}
