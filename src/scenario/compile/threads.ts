import { once } from '../../contract/once.js'
import { formatMailbox, parseMailboxList } from '../../mail/index.js'
import type { Direction, IdentityRow } from '../../model/index.js'
import type { ScenarioMessage, ScenarioThread } from '../format/index.js'
import { datesOf, type FiledMessage, messagesOfFolder } from '../maildir/maildir.js'
import { nameMessages } from '../resolve/parts.js'
import type { Compilation } from './compilation.js'
import {
  addThreadRows,
  type Conversation,
  directionOf,
  mergeMail,
  messageRow,
  type NewMessage,
  wordsOf,
} from './mail.js'
import { fieldAt, type Place } from './texts.js'

/** Adds a written thread with its messages. */
export async function addThread(
  compilation: Compilation,
  identity: IdentityRow,
  thread: ScenarioThread,
  place: Place,
): Promise<void> {
  const { texts } = compilation
  const { name, path, locale } = place
  const conversation: Conversation = {
    identity,
    threadId: compilation.id('thread', name),
    outside: once(() => texts.somebody(name, locale)),
    subject:
      thread.subject === undefined ? undefined : await texts.fill(thread.subject, fieldAt(place, 'subject')),
  }
  const messages: NewMessage[] = []
  const seen = new Set<string>()
  for (const [index, [messageName, message]] of nameMessages(thread).entries()) {
    const own = { name: `${name}/${messageName}`, path: [...path, 'messages', index], locale }
    for (const added of await messagesOf(compilation, conversation, message, own, messages)) {
      messages.push(added.message)
      if (added.seen) seen.add(added.message.id)
    }
  }
  const asked = messages.findLast(({ direction }) => direction === 'inbound')
  if (asked && thread.key !== undefined) compilation.writers.set(asked.thread_id, asked.from)
  for (const message of messages) {
    if (message.direction === 'outbound') compilation.sent.set(message.id, message)
  }
  messages.sort((a, b) => a.created_at - b.created_at)
  const { threadId: id, subject } = conversation
  addThreadRows(compilation, { id, identity, subject, unread: thread.unread, seen }, messages)
}

/** The message that is written, or those of a folder. */
async function messagesOf(
  compilation: Compilation,
  conversation: Conversation,
  message: ScenarioMessage,
  place: Place,
  earlier: readonly NewMessage[],
): Promise<readonly FiledMessage[]> {
  if (message.maildir === undefined) {
    return [{ message: await messageOf(compilation, conversation, message, place, earlier), seen: false }]
  }
  const [mails = []] = compilation.enclosed.get(message)?.folders ?? []
  return messagesOfFolder(compilation, conversation, mails, {
    name: place.name,
    direction: message.direction,
    earlier,
  })
}

/** A written message, or the one an `.eml` file holds; what it leaves out follows from the others. */
async function messageOf(
  compilation: Compilation,
  conversation: Conversation,
  message: ScenarioMessage,
  place: Place,
  earlier: readonly NewMessage[],
): Promise<NewMessage> {
  const { identity, threadId, outside } = conversation
  const agent = { name: identity.display_name ?? '', address: identity.mailbox_address }
  const enclosed = compilation.enclosed.get(message) ?? {}
  const mail = mergeMail(await wordsOf(compilation.texts, message, place), enclosed)
  const isFromFile = enclosed.eml !== undefined && mail.from !== undefined
  const direction = message.direction ?? (isFromFile ? directionOf(identity, mail.from as string) : 'inbound')
  const to = await writtenRecipients(compilation, message, fieldAt(place, 'to'))
  return messageRow(compilation, mail, {
    name: place.name,
    identity,
    threadId,
    direction,
    from: mail.from ?? (direction === 'inbound' ? await outside() : formatMailbox(agent)),
    to: to ?? mail.to ?? (await recipientsOf(conversation, direction, earlier)),
    subject: mail.subject ?? subjectAfter(conversation, earlier),
    created_at: timeOf(compilation, message, enclosed.eml, earlier),
  })
}

async function writtenRecipients(
  { texts }: Compilation,
  { to }: ScenarioMessage,
  { name, path, locale }: Place,
): Promise<string[] | undefined> {
  if (to === undefined) return undefined
  const recipients: string[] = []
  for (const [index, recipient] of [to].flat().entries()) {
    const text = await texts.fill(recipient, { name: `${name}/${index}`, path, locale })
    recipients.push(...parseMailboxList(text).map(({ address }) => address))
  }
  if (recipients.length === 0) texts.problem(path, 'expected at least one email address')
  return recipients
}

/** The agent, or, for what the agent writes, whoever wrote last from outside. */
async function recipientsOf(
  { identity, outside }: Conversation,
  direction: Direction,
  earlier: readonly NewMessage[],
): Promise<string[]> {
  if (direction === 'inbound') return [identity.mailbox_address]
  const asked = earlier.findLast((message) => message.direction === 'inbound')
  return parseMailboxList(asked?.from ?? (await outside())).map(({ address }) => address)
}

/** The thread's subject for its first message, a reply's for the others. */
function subjectAfter({ subject }: Conversation, earlier: readonly NewMessage[]): string {
  const first = subject ?? earlier[0]?.subject ?? ''
  return earlier.length === 0 || /^re:/i.test(first) ? first : `Re: ${first}`
}

function timeOf(
  compilation: Compilation,
  { at }: ScenarioMessage,
  eml: Parameters<typeof datesOf>[0][number] | undefined,
  earlier: readonly NewMessage[],
): number {
  if (at !== undefined) return compilation.instant(at)
  return eml === undefined ? compilation.start : (datesOf([eml], compilation.start, earlier)[0] as number)
}
