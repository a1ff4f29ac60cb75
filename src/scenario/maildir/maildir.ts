import { formatMailbox, inDateOrder, type ParsedMail, threadMails } from '../../mail/index.js'
import type { Direction, IdentityRow } from '../../model/index.js'
import { attachFiles } from '../building/attachments.js'
import { type Building, idFor, type ScenarioPath } from '../building/building.js'
import { type Conversation, directionOf, filesOf, type NewMessage, type Place } from '../building/messages.js'
import { nameParts } from '../building/names.js'
import { addThreadRows } from '../building/thread-rows.js'
import type { ScenarioMessage } from '../format/index.js'
import { datesOf } from './mail-dates.js'
import { type FiledMail, readMailFolder } from './mail-folder.js'

/** A filed mail as a message. */
export interface FiledMessage {
  readonly message: NewMessage
  /** Whether it was read when it was filed. */
  readonly seen: boolean
}

interface DatedMail extends Pick<FiledMail, 'name' | 'seen'> {
  readonly mail: Omit<ParsedMail, 'date'> & { readonly date: number }
}

/** Fills an identity's mailbox with the mail of one or more folders, threaded by what the mails say. */
export async function addMaildirs(
  building: Building,
  identity: IdentityRow,
  folders: string | readonly string[],
  path: ScenarioPath,
): Promise<void> {
  const filed: FiledMail[] = []
  // By its place in the list, not by its path, which may be another on another machine
  for (const [index, [folderName, folder]] of nameParts([folders].flat(), () => 'maildir').entries()) {
    const place = typeof folders === 'string' ? path : [...path, index]
    for (const mail of await readMailFolder(building, folder, place)) {
      filed.push({ ...mail, name: `${identity.id}/${folderName}/${mail.name}` })
    }
  }
  const dated = withDates(building, filed)
  const threads = threadMails(
    dated.map(({ mail }) => mail),
    identity.mailbox_address,
  )
  for (const { root, mails } of threads) {
    const own = mails.map((position) => dated[position] as DatedMail)
    const name = root === undefined ? (own[0] as DatedMail).name : `${identity.id}/conversations/${root}`
    const id = idFor(building, 'thread', name)
    const messages = own.map((mail) => filedMessage(building, { identity, threadId: id }, mail))
    addThreadRows(
      building,
      { id, identity, seen: seenIds(messages) },
      messages.map(({ message }) => message),
    )
  }
}

function seenIds(messages: readonly FiledMessage[]): ReadonlySet<string> {
  return new Set(messages.flatMap(({ message, seen }) => (seen ? [message.id] : [])))
}

/** The mail of the folder that a message of a written thread names, the oldest first. */
export async function messagesOfFolder(
  building: Building,
  conversation: Conversation,
  message: ScenarioMessage & { readonly maildir: string },
  { name, path }: Place,
  earlier: readonly NewMessage[],
): Promise<FiledMessage[]> {
  refuseOtherKeys(building, message, path)
  const filed = await readMailFolder(building, message.maildir, [...path, 'maildir'])
  // No message of a scenario has a name that begins like this
  const named = filed.map((mail) => ({ ...mail, name: `maildir of ${name}/${mail.name}` }))
  const dated = withDates(building, named, earlier)
  return inDateOrder(dated.map(({ mail }) => mail)).map((position) => {
    return filedMessage(building, conversation, dated[position] as DatedMail, message.direction)
  })
}

function refuseOtherKeys(building: Building, message: ScenarioMessage, path: ScenarioPath): void {
  for (const [key, value] of Object.entries(message)) {
    if (value === undefined || key === 'maildir' || key === 'direction') continue
    building.problem([...path, key], `"${key}" does not go with "maildir", which takes direction alone`)
  }
}

function withDates(
  building: Building,
  filed: readonly FiledMail[],
  earlier: readonly NewMessage[] = [],
): DatedMail[] {
  const dates = datesOf(
    filed.map(({ mail }) => mail),
    building.start,
    earlier,
  )
  return filed.map(({ name, seen, mail }, position) => {
    return { name, seen, mail: { ...mail, date: dates[position] as number } }
  })
}

function filedMessage(
  building: Building,
  { identity, threadId }: Pick<Conversation, 'identity' | 'threadId'>,
  { mail, name, seen }: DatedMail,
  said?: Direction,
): FiledMessage {
  const id = idFor(building, 'message', name)
  const from = formatMailbox(mail.from)
  const message: NewMessage = {
    id,
    organization_id: identity.organization_id,
    identity_id: identity.id,
    thread_id: threadId,
    direction: said ?? directionOf(identity, from),
    from,
    to: mail.to.map(({ address }) => address),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    body_key: null,
    attachment_ids: attachFiles(building, id, name, filesOf(mail)),
    message_id: mail.messageId,
    in_reply_to: mail.inReplyTo,
    headers: mail.headers,
    created_at: mail.date,
  }
  return { message, seen }
}
