import { formatMailbox, parseMailboxList } from '../../mail/address.js'
import type { Compilation } from '../compile/compilation.js'
import type { ThreadWanted } from '../compile/lookups.js'
import type { MergedMail } from '../compile/mail.js'
import type { KeyedThread } from '../compile/names.js'
import { type Agent, fieldAt, type Place } from '../compile/parts.js'
import type { ActionContext } from './action.js'

/** The mailbox that receives or sends a message, and the thread that the message joins there. */
export interface Receipt {
  readonly owner: Agent
  readonly thread: KeyedThread | undefined
}

/** Resolves the mailbox (the named one, the one that has the thread, or the only one) and the thread in it. */
export function receiptOf(
  { lookups, resolvedEntry, path }: ActionContext,
  { key, ...wanted }: Omit<ThreadWanted, 'key' | 'owner'> & { readonly key: string | undefined },
  named: Agent | undefined,
): Receipt | undefined {
  if (key !== undefined) {
    const thread = lookups.thread({ key, owner: named, ...wanted }, [...path, 'thread'], resolvedEntry)
    return thread && { owner: thread.owner, thread }
  }
  const owner = named ?? lookups.names.onlyAgent
  if (!owner) {
    const message = 'is missing; expected the handle of an agent, because the scenario has several'
    lookups.problem([...path, wanted.ownerKey], message)
  }
  return owner && { owner, thread: undefined }
}

/** Returns the outside person of the thread that a message joins, or else one drawn for a new thread. */
export async function outsideOf(compilation: Compilation, { thread }: Receipt, at: Place): Promise<string> {
  if (!thread) return compilation.texts.somebody(at.name, at.locale)
  return (await firstPersonOf(compilation, thread)) ?? compilation.outsideOf(thread)
}

/** Returns the person that the message of the timeline states that begins a thread: its sender, or its first recipient. */
async function firstPersonOf(
  { texts, names }: Compilation,
  { begunBy, owner }: KeyedThread,
): Promise<string | undefined> {
  if (!begunBy?.mail) return undefined
  const { people, peopleInFile, isSent, place } = begunBy.mail
  const field = fieldAt({ ...place, locale: owner.locale }, isSent ? 'to' : 'from')
  const [first] = people
  if (!isSent && first !== undefined) return texts.sender(first, field)
  const stated = people.length > 0 ? await texts.fillAll(people, field) : peopleInFile
  const [person] = stated.flatMap((text) => (names.agent(text) ? [] : parseMailboxList(text)))
  return person && formatMailbox(person)
}

/** Returns the mailbox and the thread of a command, and the ids of what it creates. */
export function destinationOf(compilation: Compilation, { owner, thread }: Receipt, name: string) {
  return {
    identity_id: owner.id,
    ...(thread && { thread_id: thread.id }),
    ids: { message: compilation.id('message', name), thread: thread?.id ?? compilation.id('thread', name) },
  }
}

/** Returns the fields of a message in a command. */
export function contentOf({ from: _, to: __, subject, files, headers, ...content }: MergedMail) {
  return {
    ...content,
    ...(subject !== undefined && { subject }),
    attachments: files,
    headers: headers === null ? null : headers.map(([field, value]): [string, string] => [field, value]),
  }
}
