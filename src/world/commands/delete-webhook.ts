import { z } from '../../contract/schema.js'
import type { WebhookRow } from '../../model/index.js'
import { defineCommand, existing } from './command.js'

/** Ends a subscription. */
export const deleteWebhook = defineCommand({
  schema: () => z.strictObject({ type: z.literal('delete-webhook'), webhook_id: z.string() }),
  apply(world, { webhook_id }): WebhookRow {
    const webhook = existing(world, 'webhook', webhook_id)
    world.store.remove('webhook', webhook_id)
    return webhook
  },
})
