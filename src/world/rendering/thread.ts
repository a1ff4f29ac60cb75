import type { Thread } from '../../contract/resources.js'
import { snippetOf } from '../../mail/index.js'
import type { MailboxStore, ThreadRow } from '../../model/index.js'
import type { Render } from './renderer.js'
import { timestamp } from './timestamp.js'

/** A thread as answers carry it. @see interface 2.2 */
export const renderThread: Render<ThreadRow> = (row, { store, settle }): Thread => ({
  id: row.id,
  subject: row.subject,
  snippet: settle('threads.snippet', {
    latest: () => snippetOfMessage(store, row.last_message_id),
    first: () => snippetOfMessage(store, row.first_message_id),
  }),
  unread: settle('threads.unread-after-reply', {
    'stays-unread': () => row.unread,
    'becomes-read': () => row.unread && !row.answered,
  }),
  message_count: row.message_count,
  last_message_at: timestamp(row.last_message_at, settle),
  created_at: timestamp(row.created_at, settle),
})

function snippetOfMessage(store: MailboxStore, id: string | null): string {
  const message = id === null ? undefined : store.get('message', id)
  return message ? snippetOf(store.bodyOf(message)) : ''
}
