import { isMbox, mailsOfMbox } from '../../mail/mbox.js'
import type { ParsedMail } from '../../mail/parsed-mail.js'
import { inDateOrder, type MailToThread, threadingFacts, threadMails } from '../../mail/threading.js'
import type { Direction, IdentityRow, MessageRow } from '../../service/model/rows.js'
import { lastInstant } from '../../service/time/time.js'
import {
  assertSize,
  FileError,
  type FolderEntry,
  maxMailFileBytes,
  reasonOf,
  type ScenarioFiles,
} from '../read/files.js'
import type { Compilation } from './compilation.js'
import {
  addThreadRows,
  type Conversation,
  directionOf,
  mergeMail,
  messageRow,
  type NewMessage,
  parseMailFile,
} from './mail.js'
import { type Agent, fieldAt, type MessagePart, nameParts, type Place } from './parts.js'

/** A message of a folder. */
interface FiledMail {
  /** The name on which its id depends, so that this stays the same when other messages are added or removed. */
  readonly name: string
  readonly mail: ParsedMail
  /** Whether the mail program that stored it marked it as read. */
  readonly seen: boolean
}

/** The maximum amount of mail in a folder or an mbox: the number of messages, and their total size in bytes. */
const usualLimits = { messages: 100_000, bytes: 1024 ** 3 }

/** Fills an identity's mailbox with the mail of its folders, threaded by the messages' headers. */
export async function addMailFolders(
  compilation: Compilation,
  identity: IdentityRow,
  agent: Agent,
): Promise<void> {
  const { maildir = [] } = agent.identity
  const filed: FiledMail[] = []
  // Named by position in the list, because the path may differ between machines.
  for (const [index, [own, folder]] of nameParts([maildir].flat(), () => 'maildir').entries()) {
    const place = fieldAt(agent, 'maildir')
    const path = typeof maildir === 'string' ? place.path : [...place.path, index]
    const mails = await mailAt(compilation, folder, { ...place, path })
    filed.push(...mails.map((mail) => ({ ...mail, name: `${identity.id}/${own}/${mail.name}` })))
  }
  const facts = filed.map(({ mail }) => factsOf(mail))
  const dates = datesOf(facts, compilation.start)
  const threads = threadMails(facts, identity.mailbox_address).map(({ root, mails }) => {
    const [first = 0] = mails
    const name = root === undefined ? filed[first]?.name : `${identity.id}/conversations/${root}`
    const id = compilation.id('thread', name as string)
    const messages = mails.map((at) => {
      return filedMessage(
        compilation,
        { identity, threadId: id },
        filed[at] as FiledMail,
        dates[at] as number,
      )
    })
    const subject = messages[0]?.subject
    messages.sort((a, b) => a.created_at - b.created_at)
    return { id, identity, subject, messages, begun: messages[0]?.created_at ?? 0 }
  })
  for (const thread of threads.sort((a, b) => a.begun - b.begun)) addThreadRows(compilation, thread)
}

/** Returns the messages of the folder that a message of a written thread names, oldest first. */
export async function messagesOfFolder(
  compilation: Compilation,
  conversation: Conversation,
  part: MessagePart,
  earlier: readonly NewMessage[],
): Promise<NewMessage[]> {
  const { maildir = '', direction } = part.message
  const mails = await mailAt(compilation, maildir, fieldAt(part, 'maildir'))
  const facts = mails.map(({ mail }) => factsOf(mail))
  const dates = datesOf(facts, compilation.start, earlier)
  return inDateOrder(facts).map((at) => {
    const filed = mails[at] as FiledMail
    // No message of a scenario has a name with this prefix.
    const named = { ...filed, name: `maildir of ${part.name}/${filed.name}` }
    return filedMessage(compilation, conversation, named, dates[at] as number, direction)
  })
}

/** Reads the mail of a folder; one that cannot be used is a problem of its place, and has no mail. */
async function mailAt({ files, texts, warn }: Compilation, folder: string, { path }: Place) {
  try {
    return await readMailFolder(files, folder, warn)
  } catch (error) {
    texts.problem(path, reasonOf(error))
    return []
  }
}

function filedMessage(
  compilation: Compilation,
  { identity, threadId }: Pick<Conversation, 'identity' | 'threadId'>,
  { mail: eml, name, seen }: FiledMail,
  date: number,
  direction?: Direction,
): NewMessage {
  const mail = mergeMail({}, { eml })
  const from = mail.from as string
  const message = messageRow(compilation, mail, {
    ...{ name, identity, threadId, from },
    direction: direction ?? directionOf(identity, from),
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
  return threadingFacts({ id: '', message_id: messageId, in_reply_to: inReplyTo, headers, created_at: 0 })
}

/**
 * Returns when each message was written, in milliseconds since the epoch: the date of its headers, or else a minute after
 * the message it replies to, or else `start`.
 * @param earlier Other messages to which the messages may reply.
 */
export function datesOf(
  mails: readonly MailToThread[],
  start: number,
  earlier: readonly Pick<MessageRow, 'message_id' | 'created_at'>[] = [],
): number[] {
  const known = new Map(earlier.map(({ message_id, created_at }) => [message_id, created_at]))
  const dates: number[] = []
  // In this order, an undated reply comes after what it replies to.
  for (const position of inDateOrder(mails)) {
    const { date, named, messageId } = mails[position] as MailToThread
    const before = known.get(named.findLast((id) => known.has(id)) ?? null)
    const replied = before === undefined ? start : Math.min(before + minute, lastInstant)
    dates[position] = date ?? replied
    if (messageId !== null && !known.has(messageId)) known.set(messageId, date ?? replied)
  }
  return dates
}

/**
 * Reads the mail of a folder of `.eml` files, a Maildir or an mbox, sorted by name in code unit order. `warn` is told of
 * files that hardly look like messages.
 * @throws FileError if any of it cannot be read
 */
export async function readMailFolder(
  files: ScenarioFiles,
  folder: string,
  warn: (warning: string) => void,
  limits = usualLimits,
): Promise<FiledMail[]> {
  const found = await findMail(files, folder).catch((error: unknown) => {
    if (error instanceof FileError && error.code === 'wrong-kind') return undefined
    throw error
  })
  if (!found) return mailOfMbox(await files.read(folder, limits.bytes), folder, limits.messages)
  if (found.length === 0) {
    const message = `there is no mail in "${folder}"; expected .eml files, or a Maildir with cur and new`
    throw new FileError('missing', folder, 'holds no mail', { message })
  }
  checkCount(found.length, folder, limits.messages)
  const mails: FiledMail[] = []
  let bytes = 0
  // While a message moves from one folder of a Maildir to the other, it may be in both.
  for (const [name, { path, seen }] of nameParts(found, (file) => file.name)) {
    const source = await files.read(path)
    bytes += source.length
    assertSize(folder, bytes, limits.bytes)
    mails.push({ name, seen, mail: parseMailFile(path, source, warn) })
  }
  return mails
}

/** Returns the mail of an mbox, named by Message-ID. @throws FileError */
function mailOfMbox(source: Uint8Array, file: string, limit: number): FiledMail[] {
  if (!isMbox(source)) {
    const reason = 'is a file but not an mbox; expected a folder of .eml files, a Maildir or an mbox'
    throw new FileError('wrong-kind', file, reason)
  }
  const mails: ParsedMail[] = []
  for (const one of mailsOfMbox(source)) {
    checkCount(mails.length + 1, file, limit)
    const name = `${file}, mail ${mails.length + 1}`
    assertSize(name, one.length, maxMailFileBytes)
    mails.push(parseMailFile(name, one))
  }
  return nameParts(mails, ({ messageId }) => messageId ?? 'mail').map(([name, mail]) => {
    const marks = mail.headers.filter(([field]) => field.toLowerCase() === 'status')
    return { name, mail, seen: marks.some(([, value]) => value.includes('R')) }
  })
}

/** @throws FileError */
function checkCount(count: number, folder: string, limit: number): void {
  if (count <= limit) return
  throw new FileError('too-large', folder, `holds more than ${limit} messages, which is the limit`)
}

// Programs replace the colon where file names must not contain one.
const maildirFlags = /[:;!]2,([A-Za-z]*)$/

/**
 * Finds the mail of a folder, sorted by name in code unit order: every `.eml` file in it and in the folders below it or, if
 * it is a Maildir, every file of its `cur` and `new`. Skips names that begin with a dot, and links to folders. A file is named by its
 * path in the folder or, in a Maildir, without the flags that reading it changes; `path` is the name to pass to `ScenarioFiles`.
 * @throws FileError
 */
async function findMail(files: ScenarioFiles, folder: string) {
  const boxes = (await entriesOf(files, folder)).filter(({ name, isFolder }) => {
    return isFolder && (name === 'cur' || name === 'new')
  })
  const found = []
  const folders = boxes.length === 2 ? [] : [{ path: folder, prefix: '' }]
  for (const { path: at, prefix } of folders) {
    for (const { name, path, isFolder } of await entriesOf(files, at)) {
      if (isFolder) folders.push({ path, prefix: `${prefix}${name}/` })
      else if (/\.eml$/i.test(name)) found.push({ path, name: composed(prefix + name), seen: false })
    }
  }
  // Git keeps no empty folders, so a committed Maildir may have only one of the two.
  for (const box of found.length > 0 ? [] : boxes) {
    for (const { name, path, isFolder } of await entriesOf(files, box.path)) {
      if (isFolder) continue
      const seen = box.name === 'cur' && (maildirFlags.exec(name)?.[1]?.includes('S') ?? false)
      found.push({ path, name: composed(name.replace(maildirFlags, '')), seen })
    }
  }
  return found.sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name))
}

async function entriesOf(files: ScenarioFiles, folder: string): Promise<FolderEntry[]> {
  return (await files.list(folder)).filter(({ name }) => !name.startsWith('.'))
}

// Some file systems store letters and accents separately.
function composed(name: string): string {
  return name.normalize('NFC')
}
