import { formatMailbox, type ParsedMail, parseEml, parseMailboxList, sameAddress } from '../../mail/index.js'
import type { Direction, IdentityRow, MessageRow } from '../../model/index.js'
import type { ScenarioMessage } from '../format/index.js'
import { datesOf } from '../maildir/mail-dates.js'
import { FileError } from '../source/file-error.js'
import { attachFiles, type FileToAttach, readAttachments } from './attachments.js'
import { type Building, fill, idFor, instantOf, type ScenarioPath } from './building.js'

/** A message before it has its place among the others. */
export type NewMessage = Omit<MessageRow, 'ordinal'>

/** What the messages of a thread have in common. */
export interface Conversation {
  readonly identity: IdentityRow
  readonly threadId: string
  /** Who writes from outside where a message does not say. */
  readonly outside: () => string
  /** The thread's own subject, where it has one. */
  readonly subject: string | undefined
}

/** Where a message stands: the name its values hang on, and its place in the file. */
export interface Place {
  readonly name: string
  readonly path: ScenarioPath
}

/** A written message, or the one an `.eml` file holds, as a row; what it leaves out follows from the others. */
export async function messageOf(
  building: Building,
  conversation: Conversation,
  message: ScenarioMessage,
  place: Place,
  earlier: readonly NewMessage[],
): Promise<NewMessage> {
  const { identity, threadId } = conversation
  const eml = await readEml(building, message.eml, [...place.path, 'eml'])
  const words = wordsOf(building, message, place)
  const id = idFor(building, 'message', place.name)
  const from = words.from ?? (eml && formatMailbox(eml.from))
  const direction = message.direction ?? (eml && from ? directionOf(identity, from) : 'inbound')
  const listed = await readAttachments(building, message.attachments ?? [], [...place.path, 'attachments'])
  return {
    id,
    organization_id: identity.organization_id,
    identity_id: identity.id,
    thread_id: threadId,
    direction,
    from: from ?? senderOf(conversation, direction),
    to: words.to ?? recipientsOf(eml, conversation, direction, earlier),
    subject: words.subject ?? eml?.subject ?? subjectAfter(conversation, earlier),
    text: words.text ?? eml?.text ?? null,
    html: words.html ?? eml?.html ?? null,
    body_key: null,
    attachment_ids: attachFiles(building, id, place.name, [...filesOf(eml), ...listed]),
    message_id: eml?.messageId ?? null,
    in_reply_to: eml?.inReplyTo ?? null,
    headers: eml?.headers ?? null,
    created_at: timeOf(building, message, eml, earlier),
  }
}

/** What an agent's own address sent went out; everything else came in. */
export function directionOf({ mailbox_address }: IdentityRow, from: string): Direction {
  const [sender] = parseMailboxList(from)
  return sender && sameAddress(sender.address, mailbox_address) ? 'outbound' : 'inbound'
}

interface Words {
  readonly from: string | undefined
  readonly to: string[] | undefined
  readonly subject: string | undefined
  readonly text: string | undefined
  readonly html: string | undefined
}

/** What the message itself says, templates filled in. */
function wordsOf(building: Building, message: ScenarioMessage, { name, path }: Place): Words {
  const filled = (field: 'from' | 'subject' | 'text' | 'html'): string | undefined => {
    const template = message[field]
    return template === undefined ? undefined : fill(building, template, `${name}/${field}`, [...path, field])
  }
  const to = message.to === undefined ? undefined : [message.to].flat()
  const from = filled('from')
  return {
    from: from === undefined ? undefined : checkedSender(building, from, [...path, 'from']),
    to: to && checkedRecipients(building, to, name, [...path, 'to']),
    subject: filled('subject'),
    text: filled('text'),
    html: filled('html'),
  }
}

function checkedSender(building: Building, from: string, path: ScenarioPath): string {
  const [mailbox] = parseMailboxList(from)
  if (mailbox) return formatMailbox(mailbox)
  building.problem(path, `"${from}" is not of the form "Ann <ann@example.com>"`)
  return from
}

function checkedRecipients(
  building: Building,
  to: readonly string[],
  name: string,
  path: ScenarioPath,
): string[] {
  const recipients = to.flatMap((recipient, index) => {
    return parseMailboxList(fill(building, recipient, `${name}/to/${index}`, path))
  })
  if (recipients.length === 0) building.problem(path, 'expected at least one email address')
  return recipients.map(({ address }) => address)
}

function senderOf({ identity, outside }: Conversation, direction: Direction): string {
  if (direction === 'inbound') return outside()
  return formatMailbox({ name: identity.display_name ?? '', address: identity.mailbox_address })
}

/** The agent, or, for what the agent writes, whoever wrote last from outside. */
function recipientsOf(
  eml: ParsedMail | undefined,
  { identity, outside }: Conversation,
  direction: Direction,
  earlier: readonly NewMessage[],
): string[] {
  if (eml) return eml.to.map(({ address }) => address)
  if (direction === 'inbound') return [identity.mailbox_address]
  const asked = earlier.findLast((message) => message.direction === 'inbound')
  return parseMailboxList(asked?.from ?? outside()).map(({ address }) => address)
}

/** The thread's subject for its first message, a reply's for the others. */
function subjectAfter({ subject }: Conversation, earlier: readonly NewMessage[]): string {
  const first = subject ?? earlier[0]?.subject ?? ''
  return earlier.length === 0 || /^re:/i.test(first) ? first : `Re: ${first}`
}

function timeOf(
  building: Building,
  message: ScenarioMessage,
  eml: ParsedMail | undefined,
  earlier: readonly NewMessage[],
): number {
  if (message.at !== undefined) return instantOf(building, message.at)
  return eml === undefined ? building.start : (datesOf([eml], building.start, earlier)[0] as number)
}

/** Reads the mail in an .eml file; one that cannot be read is a problem. */
export async function readEml(
  building: Building,
  file: string | undefined,
  path: ScenarioPath,
): Promise<ParsedMail | undefined> {
  if (file === undefined) return undefined
  try {
    return await parseEml(await building.files.read(file))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    building.problem(path, error.message)
    return undefined
  }
}

/** The files a mail came with. */
export function filesOf(eml: Pick<ParsedMail, 'attachments'> | undefined): FileToAttach[] {
  return (eml?.attachments ?? []).map(({ filename, contentType, contentId, content }) => ({
    filename,
    content_type: contentType,
    content_id: contentId,
    content,
  }))
}
