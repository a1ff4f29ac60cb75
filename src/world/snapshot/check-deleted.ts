import type { Base, MailboxStore, ModelName, Rows } from '../../model/index.js'
import type { Snapshot } from './document.js'
import { contradiction } from './refusal.js'

/** What would be left behind by a row that is deleted; nothing where all of it is deleted too. */
type LeftBehind<Row> = (row: Row, store: MailboxStore) => string | undefined

/** Checks that with each row that is deleted, everything that belongs to it is. @throws SnapshotError */
export function checkDeleted({ deleted }: Snapshot, base: Base, store: MailboxStore): void {
  for (const [index, { model, id }] of deleted.entries()) {
    const row = base.database.get(model, id)
    const left = row && (leftBehind[model] as LeftBehind<Rows[ModelName]>)(row, store)
    if (left !== undefined) {
      throw contradiction(['deleted', index], `with the ${model} "${id}", ${left} would be deleted too`)
    }
  }
}

const leftBehind: { readonly [M in ModelName]: LeftBehind<Rows[M]> } = {
  organization: () => 'everything of it',

  identity({ id, organization_id, agent_handle }, store) {
    if (store.threads(id).count > 0) return 'its threads'
    if (store.messages(id).count > 0) return 'its messages'
    if (store.identityByHandle(organization_id, agent_handle)) return undefined
    const webhooks = store.webhooks(organization_id)
    const ids = webhooks.page({ order: 'created', offset: 0, limit: webhooks.count })
    const scoped = store.rows('webhook', ids).some((webhook) => webhook.agent_handle === agent_handle)
    return scoped ? 'its subscriptions' : undefined
  },

  thread: ({ id }, store) => (store.messages(id).count > 0 ? 'its messages' : undefined),

  message: ({ attachment_ids }, store) =>
    attachment_ids.some((id) => store.get('attachment', id)) ? 'its files' : undefined,

  attachment: ({ message_id }, store) =>
    store.get('message', message_id) ? `its message "${message_id}"` : undefined,

  webhook: () => undefined,
}
