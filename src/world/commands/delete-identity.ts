import { z } from '../../contract/schema.js'
import type { IdentityRow, MailboxStore } from '../../model/index.js'
import { defineCommand, existing } from './command.js'

/**
 * Removes an agent with its mailbox: the threads, the messages with their files, and the subscriptions scoped
 * to it.
 */
export const deleteIdentity = defineCommand({
  schema: () => z.strictObject({ type: z.literal('delete-identity'), identity_id: z.string() }),
  apply(world, { identity_id }): IdentityRow {
    const { store } = world
    const identity = existing(world, 'identity', identity_id)
    for (const message of store.rows('message', everyId(store.messages(identity_id)))) {
      for (const id of message.attachment_ids) store.remove('attachment', id)
      store.remove('message', message.id)
    }
    for (const id of everyId(store.threads(identity_id))) store.remove('thread', id)
    for (const webhook of store.rows('webhook', everyId(store.webhooks(identity.organization_id)))) {
      if (webhook.agent_handle === identity.agent_handle) store.remove('webhook', webhook.id)
    }
    store.remove('identity', identity_id)
    return identity
  },
})

function everyId(list: ReturnType<MailboxStore['threads']>): string[] {
  return list.page({ order: 'created', offset: 0, limit: list.count })
}
