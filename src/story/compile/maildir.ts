import type { ParsedMail } from '../../mail/parsed-mail.js'
import { inDateOrder, type MailToThread, threadingFacts, threadMails } from '../../mail/threading.js'
import { lastInstant } from '../../service/model/instants.js'
import type { Direction, IdentityRow, MessageRow } from '../../service/model/rows.js'
import type { Compilation } from '../compilation/compilation.js'
import {
  addThreadRows,
  type Conversation,
  directionOf,
  mergeMail,
  messageRow,
  type NewMessage,
} from '../compilation/mail.js'
import type { FiledMail } from '../resolve/mail-folder.js'
import { type MessagePart, nameParts } from '../resolve/parts.js'

/** A message with its threading facts and its date in milliseconds since the epoch. */
interface DatedMail extends FiledMail {
  readonly facts: MailToThread
  readonly date: number
}

/** Fills an identity's mailbox with the mail of one or more folders, threaded by the messages' headers. */
export function addMaildirs(
  compilation: Compilation,
  identity: IdentityRow,
  folders: readonly (readonly FiledMail[])[],
): void {
  // Named by position in the list, because the path may differ between machines.
  const filed = nameParts(folders, () => 'maildir').flatMap(([folderName, mails]) => {
    return mails.map((mail) => ({ ...mail, name: `${identity.id}/${folderName}/${mail.name}` }))
  })
  const dated = withDates(compilation, filed)
  const facts = dated.map((mail) => mail.facts)
  const threads = threadMails(facts, identity.mailbox_address).map(({ root, mails }) => {
    const own = mails.map((position) => dated[position] as DatedMail)
    const name = root === undefined ? (own[0] as DatedMail).name : `${identity.id}/conversations/${root}`
    const id = compilation.id('thread', name)
    const messages = own.map((mail) => filedMessage(compilation, { identity, threadId: id }, mail))
    const subject = messages[0]?.subject
    messages.sort((a, b) => a.created_at - b.created_at)
    return { id, identity, subject, messages, begun: messages[0]?.created_at ?? 0 }
  })
  for (const thread of threads.sort((a, b) => a.begun - b.begun)) addThreadRows(compilation, thread)
}

/** Creates the messages of the folder that a message of a written thread names, oldest first. */
export function messagesOfFolder(
  compilation: Compilation,
  conversation: Conversation,
  { name, message }: MessagePart,
  earlier: readonly NewMessage[],
): NewMessage[] {
  const [mails = []] = compilation.enclosed.get(message)?.folders ?? []
  // No message of a scenario has a name with this prefix.
  const named = mails.map((mail) => ({ ...mail, name: `maildir of ${name}/${mail.name}` }))
  const dated = withDates(compilation, named, earlier)
  return inDateOrder(dated.map(({ facts }) => facts)).map((position) => {
    return filedMessage(compilation, conversation, dated[position] as DatedMail, message.direction)
  })
}

function withDates(
  { start }: Compilation,
  filed: readonly FiledMail[],
  earlier: readonly NewMessage[] = [],
): DatedMail[] {
  const facts = filed.map(({ mail }) => factsOf(mail))
  const dates = datesOf(facts, start, earlier)
  return filed.map((mail, position) => {
    return { ...mail, facts: facts[position] as MailToThread, date: dates[position] as number }
  })
}

function filedMessage(
  compilation: Compilation,
  { identity, threadId }: Pick<Conversation, 'identity' | 'threadId'>,
  { mail: eml, name, seen, date }: DatedMail,
  direction?: Direction,
): NewMessage {
  const mail = mergeMail({}, { eml })
  const from = mail.from as string
  const message = messageRow(compilation, mail, {
    name,
    identity,
    threadId,
    direction: direction ?? directionOf(identity, from),
    from,
    to: mail.to ?? [],
    subject: mail.subject ?? '',
    created_at: date,
  })
  if (seen) compilation.seen.add(message.id)
  return message
}

const minute = 60_000

/** Returns the facts that determine a message's thread and date. */
export function factsOf({ messageId, inReplyTo, headers }: ParsedMail): MailToThread {
  const kept = { id: '', message_id: messageId, in_reply_to: inReplyTo, headers, created_at: 0 }
  return threadingFacts(kept)
}

/**
 * Returns when each message was written, in milliseconds since the epoch: its own Date; if that is missing or
 * invalid, the latest valid date of its Received headers; or else a minute after the message it replies to;
 * or else `start`.
 * @param others Other messages to which the messages may reply.
 */
export function datesOf(
  mails: readonly MailToThread[],
  start: number,
  others: readonly Pick<MessageRow, 'message_id' | 'created_at'>[] = [],
): number[] {
  const known = others.map(({ message_id, created_at }) => {
    return { messageId: message_id, named: [], date: created_at }
  })
  const all = [...mails, ...known]
  const dates = all.map(({ date }) => date)
  const positions = new Map<string, number>()
  for (const [position, { messageId }] of all.entries()) {
    if (messageId !== null && !positions.has(messageId)) positions.set(messageId, position)
  }
  for (const position of all.keys()) {
    const undated = new Set<number>()
    let at: number | undefined = position
    // Not recursive: a chain of undated messages may be as long as the mailbox, or circular.
    while (at !== undefined && dates[at] === undefined && !undated.has(at)) {
      undated.add(at)
      const { named, messageId } = all[at] as (typeof all)[number]
      at = positions.get(named.findLast((id) => id !== messageId && positions.has(id)) ?? '')
    }
    let date = at === undefined ? undefined : dates[at]
    for (const answer of [...undated].reverse()) {
      date = date === undefined ? start : Math.min(date + minute, lastInstant)
      dates[answer] = date
    }
  }
  return dates.slice(0, mails.length) as number[]
}
