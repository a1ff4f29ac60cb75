import { z } from '../../../base/schema.js'
import { authTokenSchema, eventTypes, webhookUrlSchema } from '../../../contract/resources.js'
import type { WebhookRow } from '../../model/rows.js'
import { type CommandContext, defineCommand, existing, noAgent, organizationOf } from './command.js'

/** Subscribes a URL to events. @see interface 2.4 */
export const createWebhook = defineCommand({
  schema: () =>
    z.strictObject({
      type: z.literal('create-webhook'),
      organization_id: z.string().optional(),
      url: webhookUrlSchema(),
      events: z.array(z.enum(eventTypes)).min(1),
      agent_handle: z.string().nullable().default(null),
      auth_token: authTokenSchema().nullable().default(null),
    }),
  apply(world, command): WebhookRow {
    const organization = organizationOf(world, command.organization_id)
    const handle = command.agent_handle
    if (handle !== null) refuseUnknownAgent(world, organization.id, handle)
    const now = world.now()
    const webhook: WebhookRow = {
      id: world.newId('webhook'),
      ordinal: world.store.nextOrdinal('webhook'),
      organization_id: organization.id,
      url: command.url,
      events: command.events,
      agent_handle: handle,
      auth_token: command.auth_token,
      created_at: now,
      updated_at: now,
    }
    world.store.put('webhook', webhook)
    world.noteSecrets(webhook)
    return webhook
  },
})

/** Changes the given fields of a subscription. */
export const updateWebhook = defineCommand({
  schema: () =>
    z.strictObject({
      type: z.literal('update-webhook'),
      webhook_id: z.string(),
      url: webhookUrlSchema().optional(),
      events: z.array(z.enum(eventTypes)).min(1).optional(),
      agent_handle: z.string().nullable().optional(),
      auth_token: authTokenSchema().nullable().optional(),
    }),
  apply(world, { webhook_id, url, events, agent_handle, auth_token }): WebhookRow {
    const webhook = existing(world, 'webhook', webhook_id)
    if (agent_handle) refuseUnknownAgent(world, webhook.organization_id, agent_handle)
    const updated: WebhookRow = {
      ...webhook,
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events }),
      ...(agent_handle !== undefined && { agent_handle }),
      ...(auth_token !== undefined && { auth_token }),
      updated_at: Math.max(world.now(), webhook.updated_at + 1),
    }
    world.noteSecrets(webhook)
    world.noteSecrets(updated)
    world.store.put('webhook', updated)
    return updated
  },
})

/** @throws WorldError `not-found` */
function refuseUnknownAgent({ store }: CommandContext, organizationId: string, handle: string): void {
  if (store.identityBy('handle', organizationId, handle)) return
  const agents = [...store.all('identity')].filter((row) => row.organization_id === organizationId)
  throw noAgent(handle, agents, 'for the subscription to be scoped to')
}

/** Deletes a subscription. */
export const deleteWebhook = defineCommand({
  schema: () => z.strictObject({ type: z.literal('delete-webhook'), webhook_id: z.string() }),
  apply(world, { webhook_id }): WebhookRow {
    const webhook = existing(world, 'webhook', webhook_id)
    world.noteSecrets(webhook)
    world.store.remove('webhook', webhook_id)
    return webhook
  },
})
