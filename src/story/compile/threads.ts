import { once } from '../../base/once.js'
import { formatMailbox, parseMailboxList } from '../../mail/address.js'
import type { ParsedMail } from '../../mail/parsed-mail.js'
import type { Direction, IdentityRow } from '../../service/model/rows.js'
import type { ScenarioMessage } from '../format/mail.js'
import type { Compilation } from './compilation.js'
import {
  addThreadRows,
  type Conversation,
  directionOf,
  mailInForms,
  mailOf,
  messageRow,
  type NewMessage,
} from './mail.js'
import { datesOf, factsOf, messagesOfFolder } from './mail-folders.js'
import { fieldAt, type MessagePart, type Place, type ThreadPart } from './parts.js'

/** Adds a written thread with its messages. */
export async function addThread(
  compilation: Compilation,
  identity: IdentityRow,
  part: ThreadPart,
): Promise<void> {
  const { texts } = compilation
  const { id, name, locale, thread } = part
  const conversation: Conversation = {
    identity,
    threadId: id,
    outside: once(() => texts.somebody(name, locale)),
    subject:
      thread.subject === undefined ? undefined : await texts.fill(thread.subject, fieldAt(part, 'subject')),
  }
  const messages: NewMessage[] = []
  for (const own of part.messages) {
    messages.push(...(await messagesOf(compilation, conversation, own, messages)))
  }
  const latestInbound = messages.findLast(({ direction }) => direction === 'inbound')
  if (latestInbound && thread.key !== undefined) compilation.writers.set(id, latestInbound.from)
  for (const message of messages) {
    if (message.direction === 'outbound') compilation.sent.set(message.id, message)
  }
  messages.sort((a, b) => a.created_at - b.created_at)
  const { subject } = conversation
  addThreadRows(compilation, { id, identity, subject, unread: thread.unread, messages })
}

/** Returns the messages of an item of a thread: one, or those of a folder. Earlier messages supply defaults. */
async function messagesOf(
  compilation: Compilation,
  conversation: Conversation,
  place: MessagePart,
  earlier: readonly NewMessage[],
): Promise<readonly NewMessage[]> {
  const { identity, threadId, outside } = conversation
  const { name, message } = place
  if (message.maildir !== undefined) return messagesOfFolder(compilation, conversation, place, earlier)
  const { eml } = compilation.enclosed.get(message) ?? {}
  const agent = { name: identity.display_name ?? '', address: identity.mailbox_address }
  const mail = await mailOf(compilation, message, place, message.from)
  const isFromFile = eml !== undefined && mail.from !== undefined
  const direction = message.direction ?? (isFromFile ? directionOf(identity, mail.from as string) : 'inbound')
  const to = await writtenRecipients(compilation, message, fieldAt(place, 'to'))
  const people = {
    from: mail.from ?? (direction === 'inbound' ? await outside() : formatMailbox(agent)),
    to: to ?? mail.to ?? (await recipientsOf(conversation, direction, earlier)),
  }
  const instant = timeOf(compilation, message, eml, earlier)
  const subject = mail.subject ?? subjectAfter(conversation, earlier)
  const facts = { forms: message.forms, threadId, agent: agent.address, instant }
  const formed = mailInForms(compilation, { ...mail, subject }, people, facts)
  const row = messageRow(compilation, formed.mail, {
    name,
    identity,
    threadId,
    direction,
    from: formed.from,
    to: [...formed.to],
    subject,
    created_at: instant,
    authentication: message.authentication,
  })
  return [row]
}

/** Returns the recipients that a message states, if any. */
async function writtenRecipients(
  { texts }: Compilation,
  { to }: ScenarioMessage,
  place: Place,
): Promise<string[] | undefined> {
  if (to === undefined) return undefined
  const filled = await texts.fillAll(to, place)
  return filled.flatMap((text) => texts.mailboxes(text, place.path))
}

/** Returns the default recipient: the agent or, for outbound mail, the latest outside sender. */
async function recipientsOf(
  { identity, outside }: Conversation,
  direction: Direction,
  earlier: readonly NewMessage[],
): Promise<string[]> {
  if (direction === 'inbound') return [identity.mailbox_address]
  const latestInbound = earlier.findLast((message) => message.direction === 'inbound')
  return parseMailboxList(latestInbound?.from ?? (await outside())).map(({ address }) => address)
}

/** Returns the default subject: that of the thread, with `Re:` after the first message. */
function subjectAfter({ subject }: Conversation, earlier: readonly NewMessage[]): string {
  const first = subject ?? earlier[0]?.subject ?? ''
  return earlier.length === 0 || /^re:/i.test(first) ? first : `Re: ${first}`
}

function timeOf(
  compilation: Compilation,
  { at }: ScenarioMessage,
  eml: ParsedMail | undefined,
  earlier: readonly NewMessage[],
): number {
  if (at !== undefined) return compilation.instant(at)
  return eml ? (datesOf([factsOf(eml)], compilation.start, earlier)[0] as number) : compilation.start
}
