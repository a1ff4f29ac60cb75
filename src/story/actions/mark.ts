import { z } from '../../base/schema.js'
import { handle, key } from '../format/values.js'
import { defineAction } from './action.js'

/** Returns the schema of the thread that is marked: each action has its own, since no part of the format names it. */
const markedThread = () =>
  z.strictObject({
    thread: key.describe('The key of a thread.'),
    identity: handle
      .optional()
      .describe('The owner of the thread, if two mailboxes have a thread with that key.'),
  })

export const read = defineMark('A thread is marked read.', false)

export const unread = defineMark('A thread is marked unread.', true)

function defineMark(describe: string, unread: boolean) {
  return defineAction({
    describe,
    schema: markedThread(),
    resolve({ lookups, resolvedEntry, path }, marked) {
      const thread = lookups.target(marked, path, resolvedEntry)?.thread
      return thread && (() => ({ commands: [{ type: 'set-thread-unread', thread_id: thread.id, unread }] }))
    },
  })
}
