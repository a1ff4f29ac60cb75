import { authTokenSchema } from '../../contract/auth-token.js'
import { eventTypes } from '../../contract/events.js'
import { z } from '../../contract/schema.js'
import { webhookUrlSchema } from '../../contract/webhook-url.js'
import type { WebhookRow } from '../../model/index.js'
import { CommandError } from '../errors.js'
import { defineCommand, organizationOf } from './command.js'

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
    if (handle !== null && !world.store.identityByHandle(organization.id, handle)) {
      throw new CommandError(
        'not-found',
        `There is no agent "${handle}" for the subscription to be scoped to.`,
      )
    }
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
    return webhook
  },
})
