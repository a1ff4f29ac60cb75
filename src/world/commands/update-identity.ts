import { z } from '../../contract/schema.js'
import type { IdentityRow } from '../../model/index.js'
import { defineCommand, existing } from './command.js'

/** Sets the editable fields of an identity; its time of update moves on in any case. @see interface 4.2 */
export const updateIdentity = defineCommand({
  schema: () =>
    z.strictObject({
      type: z.literal('update-identity'),
      identity_id: z.string(),
      display_name: z.string().nullable().optional(),
      description: z.string().nullable().optional(),
      /** The least step, in milliseconds, by which the time of update moves on. */
      tick: z.int().min(1).default(1),
    }),
  apply(world, { identity_id, display_name, description, tick }): IdentityRow {
    const identity = existing(world, 'identity', identity_id)
    const updated: IdentityRow = {
      ...identity,
      display_name: display_name === undefined ? identity.display_name : display_name,
      description: description === undefined ? identity.description : description,
      updated_at: laterThan(identity.updated_at, world.now(), tick),
    }
    world.store.put('identity', updated)
    return updated
  },
})

/** Now, or the next tick after `previous` where now is not yet a tick later: also on a frozen clock. */
function laterThan(previous: number, now: number, tick: number): number {
  const next = Math.floor(previous / tick) * tick + tick
  return Math.max(now, next)
}
