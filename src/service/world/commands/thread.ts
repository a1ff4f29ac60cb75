import { z } from '../../../base/schema.js'
import { factsMarked, type ThreadRow } from '../../model/rows.js'
import { defineCommand, existing } from './command.js'

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
