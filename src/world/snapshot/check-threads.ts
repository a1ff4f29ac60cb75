import {
  type Base,
  factsOfEmptyThread,
  factsWithMessage,
  type MailboxStore,
  type ThreadFacts,
  type ThreadRow,
} from '../../model/index.js'
import type { Snapshot } from './document.js'
import { contradiction, type Place } from './refusal.js'

/** What a thread says of its messages. */
const facts = ['message_count', 'first_message_id', 'last_message_id', 'last_message_at'] as const

/** Checks that a thread says of its messages what is so, where it or any of them changed. @throws SnapshotError */
export function checkThreads(snapshot: Snapshot, base: Base, store: MailboxStore): void {
  for (const [id, { place, written }] of changedThreads(snapshot, base)) {
    const thread = store.get('thread', id)
    if (!thread) continue
    const expected = factsOf(thread, store)
    const wrong = facts.find((fact) => thread[fact] !== expected[fact])
    if (wrong === undefined) continue
    const right = JSON.stringify(expected[wrong])
    throw written
      ? contradiction(
          [...place, wrong],
          `expected ${right} by its messages; found ${JSON.stringify(thread[wrong])}`,
        )
      : contradiction(
          place,
          `with it, ${wrong} of the thread "${id}" is ${right}; rows.thread must have that thread`,
        )
  }
}

interface ChangedThread {
  readonly place: Place
  /** Whether the place is the thread's own row. */
  readonly written: boolean
}

/** The threads that changed, or have messages that did, by id; each with the place that says so. */
function changedThreads({ rows, deleted }: Snapshot, { database }: Base): Map<string, ChangedThread> {
  const threads = new Map<string, ChangedThread>()
  for (const [index, { model, id }] of deleted.entries()) {
    const message = model === 'message' ? database.get('message', id) : undefined
    if (message) threads.set(message.thread_id, { place: ['deleted', index], written: false })
  }
  for (const [index, { thread_id: id }] of rows.message.entries()) {
    threads.set(id, { place: ['rows', 'message', index], written: false })
  }
  for (const [index, { id }] of rows.thread.entries()) {
    threads.set(id, { place: ['rows', 'thread', index], written: true })
  }
  return threads
}

/** What follows from the messages of a thread, in the order in which they came to it. */
function factsOf({ id, created_at }: ThreadRow, store: MailboxStore): ThreadFacts {
  const list = store.messages(id)
  const ids = list.page({ order: 'created', offset: 0, limit: list.count })
  return store
    .rows('message', ids)
    .sort((a, b) => a.ordinal - b.ordinal)
    .reduce<ThreadFacts>(factsWithMessage, factsOfEmptyThread(created_at))
}
