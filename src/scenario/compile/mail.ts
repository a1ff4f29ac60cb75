import {
  formatMailbox,
  furtherReferences,
  parseMailboxList,
  sameAddress,
  sizeOfBase64,
} from '../../mail/index.js'
import {
  type Direction,
  factsMarked,
  factsOfEmptyThread,
  factsWithMessage,
  type HeaderField,
  type IdentityRow,
  type MessageRow,
  type ThreadFacts,
} from '../../model/index.js'
import type { ScenarioMessage } from '../format/index.js'
import type { Enclosed, FileToAttach } from '../resolve/enclosures.js'
import { fieldAt, type Place } from '../resolve/parts.js'
import type { Compilation } from './compilation.js'

/** A mail: what the scenario says, over what its `.eml` file holds. */
export interface Mail {
  /** `Ann <ann@example.com>`; undefined where neither says. */
  readonly from: string | undefined
  /** The recipients that its file has. */
  readonly to: string[] | undefined
  readonly subject: string | undefined
  readonly text: string | null
  readonly html: string | null
  readonly files: FileToAttach[]
  readonly message_id: string | null
  readonly in_reply_to: string | null
  readonly references: string[]
  readonly headers: readonly HeaderField[] | null
}

/** What a scenario itself says of a mail, templates filled in. */
type MailWords = Partial<Pick<Mail, 'from' | 'subject' | 'text' | 'html'>>

/** Puts what a scenario says of a mail over what its files hold. */
export function mergeMail(words: MailWords, { eml, files = [] }: Enclosed): Mail {
  const inMail = (eml?.attachments ?? []).map(({ filename, contentType, contentId, content }) => {
    return { filename, content_type: contentType, content_id: contentId, content }
  })
  return {
    from: words.from ?? (eml && formatMailbox(eml.from)),
    to: eml?.to.map(({ address }) => address),
    subject: words.subject ?? eml?.subject,
    text: words.text ?? eml?.text ?? null,
    html: words.html ?? eml?.html ?? null,
    files: [...inMail, ...files],
    message_id: eml?.messageId ?? null,
    in_reply_to: eml?.inReplyTo ?? null,
    references: eml ? furtherReferences(eml) : [],
    headers: eml?.headers ?? null,
  }
}

/** The mail of a message or of an entry, templates filled in from the streams of its fields. */
export async function mailOf(
  { texts, enclosed }: Compilation,
  message: Pick<ScenarioMessage, 'from' | 'subject' | 'text' | 'html'>,
  place: Place,
  files = enclosed.get(message),
): Promise<Mail> {
  const words: { -readonly [Field in keyof MailWords]: string } = {}
  if (message.from !== undefined) words.from = await texts.sender(message.from, fieldAt(place, 'from'))
  for (const field of ['subject', 'text', 'html'] as const) {
    const template = message[field]
    if (template !== undefined) words[field] = await texts.fill(template, fieldAt(place, field))
  }
  return mergeMail(words, files ?? {})
}

/** A message before it has its place among the others. */
export type NewMessage = Omit<MessageRow, 'ordinal'>

/** What a mail does not say of the message it becomes. */
export interface MessagePlace
  extends Pick<MessageRow, 'direction' | 'from' | 'to' | 'subject' | 'created_at'> {
  readonly name: string
  readonly identity: IdentityRow
  readonly threadId: string
}

/** The row of a mail in a mailbox; its files become attachments. */
export function messageRow(compilation: Compilation, mail: Mail, place: MessagePlace): NewMessage {
  const { name, identity, threadId, ...own } = place
  const id = compilation.id('message', name)
  return {
    id,
    organization_id: identity.organization_id,
    identity_id: identity.id,
    thread_id: threadId,
    ...own,
    text: mail.text,
    html: mail.html,
    body_key: null,
    attachment_ids: mail.files.map((file, index) =>
      attach(compilation, id, `${name}/attachments/${index}`, file),
    ),
    message_id: mail.message_id,
    in_reply_to: mail.in_reply_to,
    headers: mail.headers,
  }
}

function attach(compilation: Compilation, messageId: string, name: string, file: FileToAttach): string {
  const id = compilation.id('attachment', name)
  const size_bytes = sizeOfBase64(file.content)
  compilation.add('attachment', { id, message_id: messageId, size_bytes, ...file })
  return id
}

/** What the messages of a thread have in common. */
export interface Conversation {
  readonly identity: IdentityRow
  readonly threadId: string
  /** Who writes from outside where a message does not say. */
  readonly outside: () => Promise<string>
  /** The thread's own subject, where it has one. */
  readonly subject: string | undefined
}

/** Returns `outbound` for what the agent's own address sent. */
export function directionOf({ mailbox_address }: IdentityRow, from: string): Direction {
  const [sender] = parseMailboxList(from)
  return sender && sameAddress(sender.address, mailbox_address) ? 'outbound' : 'inbound'
}

/** A thread that is about to be added, with its messages, the oldest first. */
interface NewThread {
  readonly id: string
  readonly identity: IdentityRow
  /** That of the first message otherwise. */
  readonly subject?: string | undefined
  /** Whether it is unread, where that is said. */
  readonly unread?: boolean | undefined
  readonly messages: readonly NewMessage[]
}

/** Adds a thread and its messages. */
export function addThreadRows(
  compilation: Compilation,
  { id, identity, subject, unread, messages }: NewThread,
): void {
  const createdAt = messages[0]?.created_at ?? compilation.start
  const facts = messages.reduce<ThreadFacts>((before, message) => {
    const after = factsWithMessage(before, message)
    const wasSeen = compilation.seen.has(message.id) && message.direction === 'inbound'
    return wasSeen ? factsMarked(after, before.unread) : after
  }, factsOfEmptyThread(createdAt))
  for (const message of messages) compilation.add('message', message)
  compilation.add('thread', {
    id,
    organization_id: identity.organization_id,
    identity_id: identity.id,
    subject: subject ?? messages[0]?.subject ?? '',
    ...(unread === undefined ? facts : factsMarked(facts, unread)),
    created_at: createdAt,
  })
}
