import { z } from '../../contract/schema.js'
import { isAddress } from '../../mail/index.js'
import type { IdentityRow } from '../../model/index.js'
import { CommandError } from '../errors.js'
import { defineCommand, organizationOf } from './command.js'

/** Handles the simulator gives out; the interface does not show the rules. @see interface 2.1 */
export const handlePattern = /^[A-Za-z0-9_.-]{1,64}$/

/** Adds an agent's identity with its mailbox. */
export const createIdentity = defineCommand({
  schema: () =>
    z.strictObject({
      type: z.literal('create-identity'),
      organization_id: z.string().optional(),
      agent_handle: z.string().regex(handlePattern, 'a handle has 1 to 64 letters, digits, "_", "." or "-"'),
      display_name: z.string().optional(),
      description: z.string().default(''),
      mailbox_address: z.string().refine(isAddress, 'not an email address').optional(),
    }),
  apply(world, command): IdentityRow {
    const organization = organizationOf(world, command.organization_id)
    const handle = command.agent_handle
    const address = command.mailbox_address ?? `${handle}@agents.example`
    if (world.store.identityByHandle(organization.id, handle)) {
      throw new CommandError('conflict', `The handle "${handle}" is taken; choose another.`)
    }
    if (world.store.identityByFoldedMailbox(organization.id, address)) {
      throw new CommandError('conflict', `The mailbox address "${address}" is taken; choose another.`)
    }
    const now = world.now()
    const identity: IdentityRow = {
      id: world.newId('identity'),
      ordinal: world.store.nextOrdinal('identity'),
      organization_id: organization.id,
      agent_handle: handle,
      display_name: command.display_name ?? handle,
      description: command.description,
      mailbox_address: address,
      created_at: now,
      updated_at: now,
    }
    world.store.put('identity', identity)
    return identity
  },
})
