import type { MailboxStore } from '../model/index.js'

/** How much a world holds. */
export interface WorldSummary {
  readonly agents: number
  readonly threads: number
  readonly messages: number
  readonly webhooks: number
}

/** Counts what is in a store; costs the same whatever the mailboxes hold. */
export function summarize(store: MailboxStore): WorldSummary {
  const ids = [...store.all('organization')].map(({ id }) => id)
  return {
    agents: ids.reduce((sum, id) => sum + store.identities(id).count, 0),
    threads: store.threads(...ids).count,
    messages: store.messages(...ids).count,
    webhooks: ids.reduce((sum, id) => sum + store.webhooks(id).count, 0),
  }
}
