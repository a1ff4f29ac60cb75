import { z } from '../../../base/schema.js'
import { isAddress } from '../../../mail/address.js'
import { WorldError } from '../../model/errors.js'
import { factsMarked, handleSchema, type IdentityRow, type ThreadRow } from '../../model/rows.js'
import { defineCommand, existing, organizationOf } from './command.js'

/** Creates an agent's identity and its mailbox. */
export const createIdentity = defineCommand({
  schema: () =>
    z.strictObject({
      type: z.literal('create-identity'),
      organization_id: z.string().optional(),
      agent_handle: handleSchema(),
      display_name: z.string().optional(),
      description: z.string().default(''),
      mailbox_address: z.string().refine(isAddress, 'not an email address').optional(),
    }),
  apply(world, command): IdentityRow {
    const organization = organizationOf(world, command.organization_id)
    const handle = command.agent_handle
    const address = command.mailbox_address ?? `${handle}@agents.example`
    if (world.store.identityBy('handle', organization.id, handle)) {
      throw new WorldError('conflict', `The handle "${handle}" is taken; choose another.`)
    }
    if (world.store.identityBy('foldedMailbox', organization.id, address)) {
      throw new WorldError('conflict', `The mailbox address "${address}" is taken; choose another.`)
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

/** Sets the editable fields of an identity; `updated_at` always increases. @see interface 4.2 */
export const editIdentity = defineCommand({
  schema: () =>
    z.strictObject({
      type: z.literal('update-identity'),
      identity_id: z.string(),
      display_name: z.string().nullable().optional(),
      description: z.string().nullable().optional(),
      /** The minimum step of `updated_at`, in milliseconds. */
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

/** Returns now, or the next tick after `previous` if now is not a tick later, as on a frozen clock. */
function laterThan(previous: number, now: number, tick: number): number {
  const next = Math.floor(previous / tick) * tick + tick
  return Math.max(now, next)
}

/**
 * Deletes an agent with its mailbox: its threads, its messages with their files, and the subscriptions scoped to it.
 */
export const deleteIdentity = defineCommand({
  schema: () => z.strictObject({ type: z.literal('delete-identity'), identity_id: z.string() }),
  apply(world, { identity_id }): IdentityRow {
    const { store } = world
    const identity = existing(world, 'identity', identity_id)
    for (const message of store.rows('message', store.messages(identity_id).page({ order: 'created' }))) {
      for (const id of message.attachment_ids) store.remove('attachment', id)
      store.remove('message', message.id)
    }
    for (const id of store.threads(identity_id).page({ order: 'created' })) store.remove('thread', id)
    for (const webhook of store.rows(
      'webhook',
      store.webhooks(identity.organization_id).page({ order: 'created' }),
    )) {
      if (webhook.agent_handle !== identity.agent_handle) continue
      world.noteSecrets(webhook)
      store.remove('webhook', webhook.id)
    }
    store.remove('identity', identity_id)
    return identity
  },
})

/** Marks a thread read or unread. @see interface 3 */
export const setThreadUnread = defineCommand({
  schema: () =>
    z.strictObject({
      type: z.literal('set-thread-unread'),
      thread_id: z.string(),
      unread: z.boolean(),
    }),
  apply(world, { thread_id, unread }): ThreadRow {
    const thread = existing(world, 'thread', thread_id)
    const marked = { ...thread, ...factsMarked(thread, unread) }
    world.store.put('thread', marked)
    return marked
  },
})
