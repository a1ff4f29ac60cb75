import { z } from '../../contract/schema.js'
import type { IdentityRow, MailboxStore } from '../../model/index.js'
import { defineCommand, existing } from './command.js'

/** Removes an agent with its mailbox: the threads, the messages, and the subscriptions scoped to it. */
export const deleteIdentity = defineCommand({
  schema: z.strictObject({ type: z.literal('delete-identity'), identity_id: z.string() }),
  apply(world, { identity_id }): IdentityRow {
    const { store } = world
    const identity = existing(world, 'identity', identity_id)
    removeAll(store, 'message', store.messages(identity_id))
    removeAll(store, 'thread', store.threads(identity_id))
    for (const webhook of store.rows('webhook', everyId(store.webhooks(identity.organization_id)))) {
      if (webhook.agent_handle === identity.agent_handle) store.remove('webhook', webhook.id)
    }
    store.remove('identity', identity_id)
    return identity
  },
})

type List = ReturnType<MailboxStore['threads']>

function removeAll(store: MailboxStore, model: 'message' | 'thread', list: List): void {
  for (const id of everyId(list)) store.remove(model, id)
}

function everyId(list: List): string[] {
  return list.page({ order: 'created', offset: 0, limit: list.count })
}
