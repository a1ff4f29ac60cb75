import type { GapCases } from '../gap-case.js'
import { identityCases } from './identities.js'
import { listCases } from './lists.js'
import { requestCases } from './requests.js'

/** How a client meets each gap. */
export const cases: GapCases = { ...requestCases, ...identityCases, ...listCases }
