import { authenticationGaps } from './gaps/authentication.js'
import { errorGaps } from './gaps/errors.js'
import { eventGaps } from './gaps/events.js'
import { type Assumption, describeAssumptions, type Gap, namesOfAssumptions } from './gaps/gap.js'
import { identityGaps } from './gaps/identities.js'
import { limitGaps } from './gaps/limits.js'
import { messageGaps } from './gaps/messages.js'
import { requestGaps } from './gaps/requests.js'
import { threadGaps } from './gaps/threads.js'
import { webhookGaps } from './gaps/webhooks.js'

/** Every point at which the interface is silent, by id. Ids and assumption names never change. */
export const gaps = {
  ...authenticationGaps,
  ...errorGaps,
  ...requestGaps,
  ...identityGaps,
  ...threadGaps,
  ...messageGaps,
  ...webhookGaps,
  ...eventGaps,
  ...limitGaps,
} as const

/** The register of gaps, typed entry by entry. */
export type Gaps = typeof gaps

/** The id of a gap, e.g. `threads.total`. */
export type GapId = keyof Gaps

/** The names of the assumptions of one gap, e.g. `'all-matches' | 'page-size' | 'all-threads'`. */
export type AssumptionOf<G extends GapId> = Gaps[G] extends Gap<infer Name> ? Name : never

/** A complete choice: one assumption for each gap. */
export type Assumptions = { readonly [G in GapId]: AssumptionOf<G> }

/** Ids of all gaps, in the order of the register. */
export const gapIds = Object.keys(gaps) as GapId[]

/** The default assumption of every gap: its first. */
export const defaultAssumptions = Object.fromEntries(
  gapIds.map((id) => [id, namesOfAssumptions(gaps[id])[0]]),
) as unknown as Assumptions

/** Returns the assumptions of a gap, the default first. */
export function assumptionsOf(gap: GapId): readonly Assumption[] {
  return describeAssumptions(gaps[gap])
}
