import type { Path } from '../../base/mistake.js'
import { formatMailbox, parseMailboxList, sameAddress } from '../../mail/address.js'
import { suspicionAbout } from '../../mail/mbox.js'
import { contentTypeOf } from '../../mail/media-types.js'
import { parseEml } from '../../mail/parse-eml.js'
import { MailLimitError, type ParsedMail } from '../../mail/parsed-mail.js'
import { furtherReferences } from '../../mail/threading.js'
import { sizeOfBase64, toBase64 } from '../../mail/transfer-encoding.js'
import type { AuthenticationInput } from '../../service/model/authentication.js'
import {
  type AttachmentRow,
  type Direction,
  factsMarked,
  factsOfEmptyThread,
  factsWithMessage,
  type IdentityRow,
  type MessageRow,
  type ThreadFacts,
} from '../../service/model/rows.js'
import { formatMailDate, withDistinctInstants } from '../../service/time/time.js'
import { authenticationOfRow, headerOfRow } from '../../service/world/commands/mail-fields.js'
import type { ScenarioAttachment, ScenarioMessage } from '../format/mailbox.js'
import { FileError, reasonOf, type ScenarioFiles } from '../read/files.js'
import type { ProblemAt } from '../read/problem.js'
import type { Compilation, Enclosed, FileToAttach } from './compilation.js'
import { earlierLetter, inForms, type Letter, type LetterFormName } from './forms.js'
import { type Agent, fieldAt, type Place } from './parts.js'

/**
 * Reads every file that the messages of agents and the `mails` of a timeline name; `warn` is told of mail that hardly looks like
 * mail. A file that cannot be used is a problem.
 */
export async function readEnclosures(
  agents: readonly Agent[],
  mails: readonly { readonly mail: Pick<ScenarioMessage, 'eml' | 'attachments'>; readonly path: Path }[],
  { read }: ScenarioFiles,
  { problems, warn }: { readonly problems: ProblemAt[]; warn(warning: string): void },
): Promise<ReadonlyMap<object, Enclosed>> {
  /** The contents of files, by the message or the entry that names them. */
  const enclosed = new Map<object, Enclosed>()
  const attempt = async <Value>(path: Path, read: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await read()
    } catch (error) {
      problems.push({ path, message: reasonOf(error) })
      return undefined
    }
  }

  /** Reads an `.eml` file; a name of several lines is the message itself. */
  const readEml = async (name: string): Promise<ParsedMail> => {
    const isMail = name.includes('\n')
    const source = isMail ? new TextEncoder().encode(name) : await read(name)
    return parseMailFile(isMail ? 'the mail' : name, source, warn)
  }

  const written = agents.flatMap(({ threads }) => threads.flatMap(({ messages }) => messages))
  const all = [...written.map(({ message, path }) => ({ mail: message, path })), ...mails]
  for (const { mail, path } of all) {
    const { eml: file, attachments = [] } = mail
    if (file === undefined && attachments.length === 0) continue
    const eml = file === undefined ? undefined : await attempt([...path, 'eml'], () => readEml(file))
    const files: FileToAttach[] = []
    for (const [index, attachment] of attachments.entries()) {
      const found = await attempt([...path, 'attachments', index], () => attachmentOf(attachment, read))
      if (found) files.push(found)
    }
    enclosed.set(mail, { eml, files })
  }
  return enclosed
}

/** Returns the file that an attachment names, or its own content. @throws FileError */
async function attachmentOf(given: ScenarioAttachment, read: ScenarioFiles['read']): Promise<FileToAttach> {
  const wanted: Exclude<ScenarioAttachment, string> = typeof given === 'string' ? { file: given } : given
  const { file = '', text, filename = file.split('/').at(-1) || 'attachment.txt' } = wanted
  const content =
    wanted.content ?? toBase64(text === undefined ? await read(file) : new TextEncoder().encode(text))
  const content_type = wanted.content_type ?? contentTypeOf(filename)
  return { filename, content_type, content_id: wanted.content_id ?? null, content }
}

/** Parses a mail file; warns if it hardly looks like a message. @throws FileError if it exceeds the limits of a message */
export function parseMailFile(
  name: string,
  source: Uint8Array,
  warn?: (warning: string) => void,
): ParsedMail {
  const doubt = warn && suspicionAbout(source)
  if (doubt !== undefined) warn?.(`"${name}" ${doubt}`)
  try {
    return parseEml(source)
  } catch (error) {
    if (!(error instanceof MailLimitError)) throw error
    throw new FileError('too-large', name, `is not read: ${error.message}`)
  }
}

/**
 * A message: the contents of its `.eml` file, overridden by what the scenario says; a field may be in
 * neither.
 */
export type MergedMail = ReturnType<typeof mergeMail>

/** The fields that the scenario itself states, with templates filled in. */
type MailWords = Partial<
  Record<'from' | 'subject' | 'text' | 'html', string> &
    Record<'cc' | 'bcc' | 'reply_to', string[]> & { further_headers: [string, string][] }
>

/** Merges the fields that a scenario states over those of its files. */
export function mergeMail(
  { from, subject, text, html, ...header }: MailWords,
  { eml, files = [] }: Enclosed,
) {
  const isAsWritten =
    [from, subject, text, html, ...Object.values(header)].every((stated) => stated === undefined) &&
    files.length === 0
  const inMail = (eml?.attachments ?? []).map(
    ({ filename, contentType, contentId, content }): FileToAttach => {
      return { filename, content_type: contentType, content_id: contentId, content }
    },
  )
  return {
    ...header,
    from: from ?? (eml && formatMailbox(eml.from)),
    to: eml?.to.map(({ address }) => address),
    subject: subject ?? eml?.subject,
    text: text ?? eml?.text ?? null,
    html: html ?? eml?.html ?? null,
    files: [...inMail, ...files],
    message_id: eml?.messageId ?? null,
    in_reply_to: eml?.inReplyTo ?? null,
    references: eml ? furtherReferences(eml) : [],
    headers: eml?.headers ?? null,
    // What the scenario changes is composed again.
    ...(eml && isAsWritten && { raw: toBase64(eml.source) }),
  }
}

/** Returns the content of a message or an entry; the stream of each field fills in its templates. */
export async function mailOf(
  { texts, names, enclosed }: Compilation,
  message: Pick<ScenarioMessage, 'subject' | 'text' | 'html' | 'cc' | 'bcc' | 'reply_to' | 'headers'>,
  place: Place,
  from?: string,
): Promise<MergedMail> {
  const words: MailWords = {}
  if (from !== undefined) words.from = await texts.sender(from, fieldAt(place, 'from'))
  for (const field of ['subject', 'text', 'html'] as const) {
    const template = message[field]
    if (template !== undefined) words[field] = await texts.fill(template, fieldAt(place, field))
  }
  for (const field of ['cc', 'bcc', 'reply_to'] as const) {
    const templates = message[field]
    if (templates === undefined) continue
    const own = fieldAt(place, field)
    const filled = await texts.fillAll(templates, own)
    words[field] = filled.flatMap((text) => names.agent(text)?.address ?? texts.mailboxes(text, own.path))
  }
  for (const [name, template] of Object.entries(message.headers ?? {})) {
    const value = await texts.fill(template, fieldAt(fieldAt(place, 'headers'), name))
    words.further_headers = [...(words.further_headers ?? []), [name, value.replace(/\s*[\r\n\0]+\s*/g, ' ')]]
  }
  return mergeMail(words, enclosed.get(message) ?? {})
}

/** What the forms of a message depend on. */
interface FormedPlace {
  readonly forms: readonly LetterFormName[] | undefined
  /** The thread that it joins; undefined for a new one. */
  readonly threadId: string | undefined
  /** The address of the agent that receives it. */
  readonly agent: string
  /** When it is written, in milliseconds since the epoch. */
  readonly instant: number
}

/** Returns a message in its forms, and keeps it for the next message of its thread, which may quote it. */
export function mailInForms(
  { latest }: Compilation,
  mail: MergedMail,
  { from, to }: { readonly from: string; readonly to: readonly string[] },
  { forms = [], threadId, agent, instant }: FormedPlace,
) {
  const before = threadId === undefined ? undefined : latest.get(threadId)
  const subject = mail.subject ?? (before ? `Re: ${before.subject.replace(/^re: /i, '')}` : '')
  const letter = { from, to, subject, text: mail.text, html: mail.html }
  if (threadId !== undefined) latest.set(threadId, { ...letter, instant })
  if (forms.length === 0) return { mail, from, to }
  const earlier = before && earlierLetter(before, before.instant)
  const formed = inForms(forms, letter, { agent, date: formatMailDate(instant), earlier })
  return { mail: formedMail(mail, formed), from: formed.from, to: formed.to }
}

/** Returns a message with the words and the header fields of its forms; it is composed again. */
export function formedMail(
  { raw: _, ...mail }: MergedMail,
  { text, html, headers = [] }: Letter,
): MergedMail {
  const added = headers.map(([name, value]): [string, string] => [name, value])
  const further = [...(mail.further_headers ?? []), ...added]
  return { ...mail, text, html, ...(further.length > 0 && { further_headers: further }) }
}

/** A message without its ordinal. */
export type NewMessage = Omit<MessageRow, 'ordinal'>

/** The fields of a message that its content does not determine. */
interface MessagePlace extends Pick<MessageRow, 'direction' | 'from' | 'to' | 'subject' | 'created_at'> {
  readonly name: string
  readonly identity: IdentityRow
  readonly threadId: string
  /** What the story says about its sender. */
  readonly authentication?: AuthenticationInput | undefined
}

/** Adds the row of an attachment; returns its id. */
export function addFileRow(
  compilation: Compilation,
  file: Omit<AttachmentRow, 'size_bytes' | 'ordinal'>,
): string {
  return compilation.builder.add('attachment', { ...file, size_bytes: sizeOfBase64(file.content) }).id
}

/** Creates the row of a message; adds its files as attachments. */
export function messageRow(compilation: Compilation, mail: MergedMail, place: MessagePlace): NewMessage {
  const { name, identity, threadId, authentication, ...own } = place
  const id = compilation.id('message', name)
  const attachment_ids = mail.files.map((file, index) => {
    const own = compilation.id('attachment', `${name}/attachments/${index}`)
    return addFileRow(compilation, { id: own, message_id: id, ...file })
  })
  return {
    id,
    organization_id: identity.organization_id,
    identity_id: identity.id,
    thread_id: threadId,
    ...own,
    text: mail.text,
    html: mail.html,
    body_key: null,
    attachment_ids,
    message_id: mail.message_id,
    in_reply_to: mail.in_reply_to,
    ...headerOfRow({ ...mail, direction: own.direction, to: own.to }),
    ...authenticationOfRow({ ...own, headers: mail.headers, authentication }, identity, (address) => {
      return compilation.names.agent(address) !== undefined
    }),
    ...(mail.raw !== undefined && { raw: mail.raw }),
  }
}

/** The context that the messages of a thread share. */
export interface Conversation {
  readonly identity: IdentityRow
  readonly threadId: string
  /** Returns the default outside sender. */
  readonly outside: () => Promise<string>
  /** The subject of the thread, if it states one. */
  readonly subject: string | undefined
}

/** Returns `outbound` for a message from the agent's own address. */
export function directionOf({ mailbox_address }: IdentityRow, from: string): Direction {
  const [sender] = parseMailboxList(from)
  return sender && sameAddress(sender.address, mailbox_address) ? 'outbound' : 'inbound'
}

/** A thread that is about to be added, with its messages, the oldest first. */
interface NewThread {
  readonly id: string
  readonly identity: IdentityRow
  /** Defaults to that of the first message. */
  readonly subject?: string | undefined
  /** Overrides whether it is unread. */
  readonly unread?: boolean | undefined
  readonly messages: readonly NewMessage[]
}

/** Adds a thread and its messages. */
export function addThreadRows(
  compilation: Compilation,
  { id, identity, subject, unread, messages: stated }: NewThread,
): void {
  const messages = withDistinctInstants(stated)
  const createdAt = messages[0]?.created_at ?? compilation.start
  const facts = messages.reduce<ThreadFacts>((before, message) => {
    const after = factsWithMessage(before, message)
    const wasSeen = compilation.seen.has(message.id) && message.direction === 'inbound'
    return wasSeen ? factsMarked(after, before.unread) : after
  }, factsOfEmptyThread(createdAt))
  for (const [index, message] of messages.entries()) {
    const answered = message.headers === null ? (messages[index - 1]?.id ?? null) : null
    compilation.builder.add('message', { ...message, in_reply_to: message.in_reply_to ?? answered })
  }
  compilation.builder.add('thread', {
    id,
    organization_id: identity.organization_id,
    identity_id: identity.id,
    subject: subject ?? messages[0]?.subject ?? '',
    ...(unread === undefined ? facts : factsMarked(facts, unread)),
    created_at: createdAt,
  })
}
