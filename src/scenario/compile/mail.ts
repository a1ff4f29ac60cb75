import {
  formatMailbox,
  furtherReferences,
  type ParsedMail,
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
import type { Compilation } from './compilation.js'
import { fieldAt, type Place, type Texts } from './texts.js'

/** What a scenario itself says of a mail, templates filled in. */
export interface MailWords {
  readonly from?: string | undefined
  readonly subject?: string | undefined
  readonly text?: string | undefined
  readonly html?: string | undefined
}

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

interface MergedFiles extends Pick<Enclosed, 'files'> {
  readonly eml?: Omit<ParsedMail, 'date'> | undefined
}

/** Puts what a scenario says of a mail over what its files hold. */
export function mergeMail(words: MailWords, { eml, files = [] }: MergedFiles): Mail {
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
    references: eml ? furtherReferences(eml as ParsedMail) : [],
    headers: eml?.headers ?? null,
  }
}

/** The words of a message or of an entry's mail, templates filled in from the streams of its fields. */
export async function wordsOf(
  texts: Texts,
  message: Pick<ScenarioMessage, 'from' | 'subject' | 'text' | 'html'>,
  place: Place,
): Promise<MailWords> {
  const filled = async (field: 'subject' | 'text' | 'html'): Promise<string | undefined> => {
    const template = message[field]
    return template === undefined ? undefined : texts.fill(template, fieldAt(place, field))
  }
  return {
    from: message.from === undefined ? undefined : await texts.sender(message.from, fieldAt(place, 'from')),
    subject: await filled('subject'),
    text: await filled('text'),
    html: await filled('html'),
  }
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

/** A thread that is about to be added. */
interface NewThread {
  readonly id: string
  readonly identity: IdentityRow
  /** That of the first message otherwise. */
  readonly subject?: string | undefined
  /** Whether it is unread, where that is said. */
  readonly unread?: boolean | undefined
  /** Ids of messages that were read when they were filed. */
  readonly seen: ReadonlySet<string>
}

/** Adds a thread and its messages, which come the oldest first. */
export function addThreadRows(
  compilation: Compilation,
  { id, identity, subject, unread, seen }: NewThread,
  messages: readonly NewMessage[],
): void {
  const createdAt = messages[0]?.created_at ?? compilation.start
  const facts = messages.reduce<ThreadFacts>((before, message) => {
    const after = factsWithMessage(before, message)
    return seen.has(message.id) && message.direction === 'inbound' ? factsMarked(after, before.unread) : after
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
