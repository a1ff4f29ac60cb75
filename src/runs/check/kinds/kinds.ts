import type { Kind, KindName } from '../disturbance.js'
import { assumptionKind } from './assumptions.js'
import { faultKind } from './faults.js'

/** Every kind of disturbances that exists, in the order of reports. */
export const kinds: Readonly<Partial<Record<KindName, Kind>>> = {
  faults: faultKind,
  assumptions: assumptionKind,
}
