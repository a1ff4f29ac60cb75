import { z } from '../../../base/schema.js'
import {
  isBefore,
  joins,
  type MailToThread,
  type ThreadOfMails,
  threadingFacts,
  threadingKeys,
  threadMails,
  threadOfMails,
  withMail,
} from '../../../mail/threading.js'
import { withDistinctInstants } from '../../model/instants.js'
import {
  factsMarked,
  factsOfEmptyThread,
  factsWithMessage,
  type IdentityRow,
  type MessageRow,
  type ThreadFacts,
  type ThreadRow,
} from '../../model/rows.js'
import { type CommandContext, defineCommand, existing } from './command.js'

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

/** The fields of an incoming message that determine its thread. */
export type UnplacedMail = Pick<MessageRow, 'message_id' | 'in_reply_to' | 'headers' | 'created_at'>

/** How another message changes the threads of a mailbox. */
export interface Regrouping {
  /** The thread of the message; undefined if it starts a new one. */
  readonly thread: ThreadRow | undefined
  /** Threads whose messages change, except the message's own. */
  readonly others: readonly Group[]
  /** The other messages of the message's own thread afterwards; undefined if they do not change. */
  readonly messages: readonly MessageRow[] | undefined
  /** Whether the message was written before all of them. */
  readonly isFirst: boolean
  /** Threads that were merged into others. */
  readonly removed: readonly ThreadRow[]
  /** The facts of the messages in the message's own thread, if already known. */
  readonly known?: ThreadOfMails | undefined
}

/** A thread with its messages afterwards; a new one if it was split off. */
interface Group {
  readonly thread: ThreadRow | undefined
  /** In the order in which they were written. */
  readonly messages: readonly MessageRow[]
}

/**
 * Finds the thread of a message that was received as an `.eml`, so that a mailbox has the same threads as a
 * `maildir:` with the same messages, in any order: a message may merge threads that were unconnected, and may
 * split threads that only an equal subject connected. Threads that a scenario or a client put together stay
 * unchanged.
 * @param nearest The thread of the nearest message that the message refers to.
 * @see docs/decisions/0007-threading.md
 */
export function regroup(
  world: CommandContext,
  identity: IdentityRow,
  mail: UnplacedMail,
  nearest: ThreadRow | undefined,
): Regrouping {
  const facts = threadingFacts({ ...mail, id: '' })
  const mailbox = identity.mailbox_address.toLowerCase()
  const { linked, related } = reachedBy(world, identity, threadingKeys(facts, mailbox))
  const ids = new Set([...related, ...(nearest ? [nearest.id] : [])])
  const [id] = ids
  if (id === undefined) return keeping(undefined)
  const isLinked = linked.has(id)
  if (ids.size === 1 && (!nearest || isLinked)) {
    const thread = existing(world, 'thread', id)
    const known = mailsOf(world, thread, mailbox)
    const joined = joins(facts, known, isLinked, mailbox)
    if (joined === false) return keeping(undefined)
    // The usual case: a reply in a thread that it cannot change.
    if (joined || (nearest && comesLater(world, identity, facts))) {
      const isFirst = joined === true && isBefore(facts, known.first)
      return {
        ...keeping(thread),
        isFirst,
        known: known.isOne ? withMail(known, facts, isLinked) : undefined,
      }
    }
  }
  const threads = [...ids].map((id) => existing(world, 'thread', id))
  const grouped = threads.filter((thread) => mailsOf(world, thread, mailbox).isOne)
  if (!grouped.some(({ id }) => nearest === undefined || id === nearest.id)) return keeping(nearest)
  const rows = grouped.flatMap((thread) => messagesOf(world, thread))
  const known = rows.map((row) => world.store.threadingOf(row))
  const all = [...known, facts].map((one) => canonical(world, identity, one))
  const groups = threadMails(all, mailbox).map(({ mails }) => mails)
  return assigned(grouped, rows, groups)
}

/** Returns whether a message refers to an earlier one that exists. */
function comesLater(
  { store }: CommandContext,
  identity: IdentityRow,
  { date, named }: MailToThread,
): boolean {
  return named.some((id) => {
    const row = store.messageByMessageId(identity.id, id)
    const earliest = row && store.threadingOf(row).date
    return date !== undefined && earliest !== undefined && earliest < date
  })
}

/** Returns the regrouping for a message that joins or starts a thread and changes no other. */
export function keeping(thread: ThreadRow | undefined): Regrouping {
  return { thread, others: [], messages: undefined, removed: [], isFirst: false }
}

/** Returns the threads that a message may change, and which of them its ids connect it to. */
function reachedBy({ store }: CommandContext, { id }: IdentityRow, keys: readonly string[]) {
  const isAnswer = keys.some((key) => key.startsWith('answer '))
  const [linked, related] = [new Set<string>(), new Set<string>()]
  for (const key of keys) {
    // Replies with the same subject may be joined to a message that is not a reply.
    const sought = isAnswer ? key : key.replace(/^subject /, 'answer ')
    for (const thread of store.threadsByThreadingKey(id, sought)) {
      related.add(thread)
      if (key.startsWith('id ')) linked.add(thread)
    }
  }
  return { linked, related }
}

function mailsOf(world: CommandContext, thread: ThreadRow, mailbox: string): ThreadOfMails {
  return world.store.mailsOf(thread, () => {
    const mails = messagesOf(world, thread).map((row) => world.store.threadingOf(row))
    return threadOfMails(mails, mailbox)
  })
}

function messagesOf(world: CommandContext, { id }: ThreadRow): MessageRow[] {
  const rows = world.store.rows('message', world.store.messages(id).page({ order: 'created' }))
  return rows.sort((a, b) => a.ordinal - b.ordinal)
}

/** Returns the facts with generated Message-IDs in one form, whatever their domain. */
function canonical(world: CommandContext, identity: IdentityRow, facts: MailToThread): MailToThread {
  const named = facts.named.map((id) => {
    const row = world.store.get('message', id.replace(/^<|[@>].*$/g, ''))
    return row?.identity_id === identity.id && row.message_id === null ? `<${row.id}>` : id
  })
  return { ...facts, named }
}

/**
 * Assigns a thread to each group: the group's oldest thread; a thread that is split stays with its first
 * message. The new message comes after all rows.
 */
function assigned(
  threads: readonly ThreadRow[],
  rows: readonly MessageRow[],
  groups: readonly (readonly number[])[],
): Regrouping {
  const removed = new Set(threads)
  const made = groups.map((mails) => {
    const own = new Set(mails.map((position) => rows[position]?.id))
    const begun = threads.filter(({ first_message_id }) => own.has(first_message_id ?? ''))
    const [thread] = begun.toSorted((a, b) => a.ordinal - b.ordinal)
    if (thread) removed.delete(thread)
    const messages = mails.flatMap((position) => rows[position] ?? [])
    return { thread, messages, isOfMail: mails.includes(rows.length), isFirst: mails[0] === rows.length }
  })
  const isChanged = ({ thread, messages }: Group) =>
    messages.length !== thread?.message_count || messages.some(({ thread_id }) => thread_id !== thread.id)
  const own = made.find(({ isOfMail }) => isOfMail) as (typeof made)[number]
  return {
    thread: own.thread,
    messages: own.messages.length > 0 ? own.messages : undefined,
    isFirst: own.isFirst,
    others: made.filter((group) => !group.isOfMail && isChanged(group)),
    removed: [...removed],
  }
}

/** Stores the threads whose messages change; returns the message's own. */
export function storeRegrouping(
  world: CommandContext,
  own: ThreadRow,
  { others, removed, messages }: Regrouping,
): ThreadRow {
  if (others.length > 0) world.store.put('thread', own)
  for (const { thread, messages } of others) {
    const { organization_id, identity_id } = messages[0] as MessageRow
    const begun = () => ({ id: world.newId('thread'), ordinal: world.store.nextOrdinal('thread') })
    storeGroup(world, thread ?? { ...begun(), organization_id, identity_id }, messages)
  }
  const thread = messages ? storeGroup(world, own, messages) : own
  for (const { id } of removed) world.store.remove('thread', id)
  return thread
}

type ThreadOwner = Pick<ThreadRow, 'id' | 'ordinal' | 'organization_id' | 'identity_id'>

/**
 * Stores a thread with those messages: unread if one of their former threads was unread, with the subject of the message
 * that was written first.
 */
function storeGroup(world: CommandContext, owner: ThreadOwner, messages: readonly MessageRow[]): ThreadRow {
  const { id, ordinal, organization_id, identity_id } = owner
  // Messages of two threads may have been created at the same instant.
  const dated = withDistinctInstants(
    messages.toSorted((a, b) => a.created_at - b.created_at || a.ordinal - b.ordinal),
  )
  const inOrder = dated.toSorted((a, b) => a.ordinal - b.ordinal)
  const created_at = Math.min(...inOrder.map((row) => row.created_at))
  const facts = inOrder.reduce<ThreadFacts>(factsWithMessage, factsOfEmptyThread(created_at))
  const before = new Set(messages.map(({ thread_id }) => thread_id))
  const unread = [...before].some((from) => existing(world, 'thread', from).unread)
  const owned = { id, ordinal, organization_id, identity_id }
  const thread: ThreadRow = { ...owned, subject: messages[0]?.subject ?? '', created_at, ...facts, unread }
  const known = new Set(messages)
  for (const row of dated) {
    if (row.thread_id !== id || !known.has(row)) world.store.put('message', { ...row, thread_id: id })
  }
  world.store.put('thread', thread)
  return thread
}
