import { formatMailbox, type ParsedMail, parseEml, parseMailboxList } from '../mail/index.js'
import {
  type Direction,
  factsMarked,
  factsOfEmptyThread,
  factsWithMessage,
  type IdentityRow,
  type MessageRow,
  type ThreadFacts,
} from '../model/index.js'
import { createRandom, parseInstant } from '../world/index.js'
import { attachFiles, type FileToAttach, readAttachments } from './attachments.js'
import { type Building, fill, idFor, instantOf, type ScenarioPath } from './building.js'
import type { ScenarioMessage, ScenarioThread } from './format.js'
import { nameParts } from './names.js'

type NewMessage = Omit<MessageRow, 'ordinal'>

/** What the messages of a thread have in common. */
interface Conversation {
  readonly identity: IdentityRow
  readonly name: string
  readonly threadId: string
  /** Who writes from outside where a message does not say. */
  readonly outside: string
}

/** Adds a written thread with its messages. */
export async function addThread(
  building: Building,
  identity: IdentityRow,
  thread: ScenarioThread,
  name: string,
  path: ScenarioPath,
): Promise<void> {
  const person = building.templates.person(createRandom(building.seed, `${name}/person`))
  const outside = formatMailbox({ name: `${person.firstName} ${person.lastName}`, address: person.address })
  const conversation = { identity, name, threadId: idFor(building, 'thread', name), outside }
  const messages: NewMessage[] = []
  const named = nameParts(thread.messages, (message) => message.key ?? message.at ?? message.eml ?? 'message')
  for (const [index, [messageName, message]] of named.entries()) {
    const messagePath = [...path, 'messages', index]
    const subject = thread.subject && fill(building, thread.subject, `${name}/subject`, [...path, 'subject'])
    const earlier = { subject, messages }
    messages.push(
      await messageOf(building, conversation, message, `${name}/${messageName}`, messagePath, earlier),
    )
  }
  messages.sort((a, b) => a.created_at - b.created_at)
  for (const message of messages) building.builder.add('message', message)
  const subject = thread.subject
    ? fill(building, thread.subject, `${name}/subject`, path)
    : messages[0]?.subject
  building.builder.add('thread', {
    id: conversation.threadId,
    organization_id: identity.organization_id,
    identity_id: identity.id,
    subject: subject ?? '',
    ...factsOf(messages, thread.unread),
    created_at: messages[0]?.created_at ?? building.start,
  })
}

function factsOf(messages: readonly NewMessage[], unread: boolean | undefined): ThreadFacts {
  const empty = factsOfEmptyThread(messages[0]?.created_at ?? 0)
  const facts = messages.reduce(factsWithMessage, empty)
  return unread === undefined ? facts : factsMarked(facts, unread)
}

interface Earlier {
  readonly subject: string | undefined
  readonly messages: readonly NewMessage[]
}

async function messageOf(
  building: Building,
  conversation: Conversation,
  message: ScenarioMessage,
  name: string,
  path: ScenarioPath,
  earlier: Earlier,
): Promise<NewMessage> {
  const { identity } = conversation
  const eml = message.eml === undefined ? undefined : await readEml(building, message.eml, [...path, 'eml'])
  const text = (field: 'from' | 'subject' | 'text' | 'html'): string | undefined =>
    message[field] === undefined
      ? undefined
      : fill(building, message[field], `${name}/${field}`, [...path, field])
  const id = idFor(building, 'message', name)
  const direction = message.direction ?? 'inbound'
  const from = text('from') ?? senderOf(eml, conversation, direction)
  const files: FileToAttach[] = eml ? filesOf(eml) : []
  files.push(...(await readAttachments(building, message.attachments ?? [], [...path, 'attachments'])))
  return {
    id,
    organization_id: identity.organization_id,
    identity_id: identity.id,
    thread_id: conversation.threadId,
    direction,
    from: from.includes('<') ? from : formatMailbox({ name: '', address: from }),
    to: recipientsOf(building, message, name, path) ??
      eml?.to.map(({ address }) => address) ?? [
        direction === 'inbound' ? identity.mailbox_address : answeredAddress(conversation, earlier),
      ],
    subject: text('subject') ?? eml?.subject ?? subjectAfter(earlier),
    text: text('text') ?? eml?.text ?? null,
    html: text('html') ?? eml?.html ?? null,
    body_key: null,
    attachment_ids: attachFiles(building, id, name, files),
    message_id: eml?.messageId ?? null,
    in_reply_to: eml?.inReplyTo ?? null,
    headers: eml?.headers ?? null,
    created_at: timeOf(building, message, eml),
  }
}

function senderOf(
  eml: ParsedMail | undefined,
  { identity, outside }: Conversation,
  direction: Direction,
): string {
  if (eml) return formatMailbox(eml.from)
  if (direction === 'inbound') return outside
  return formatMailbox({ name: identity.display_name ?? '', address: identity.mailbox_address })
}

function recipientsOf(
  building: Building,
  message: ScenarioMessage,
  name: string,
  path: ScenarioPath,
): string[] | undefined {
  if (message.to === undefined) return undefined
  const recipients = [message.to].flat().flatMap((to, index) => {
    return parseMailboxList(fill(building, to, `${name}/to/${index}`, [...path, 'to']))
  })
  if (recipients.length === 0) building.problem([...path, 'to'], 'expected at least one email address')
  return recipients.map(({ address }) => address)
}

/** The thread's subject for its first message, a reply's for the others. */
function subjectAfter({ subject, messages }: Earlier): string {
  const first = subject ?? messages[0]?.subject ?? ''
  return messages.length === 0 || /^re:/i.test(first) ? first : `Re: ${first}`
}

function timeOf(building: Building, message: ScenarioMessage, eml: ParsedMail | undefined): number {
  if (message.at !== undefined) return instantOf(building, message.at)
  const date = eml?.date ? parseInstant(eml.date) : undefined
  return date ?? building.start
}

async function readEml(
  building: Building,
  file: string,
  path: ScenarioPath,
): Promise<ParsedMail | undefined> {
  try {
    return await parseEml(await building.files.read(file))
  } catch {
    building.problem(path, `there is no file "${file}" beside the scenario`)
    return undefined
  }
}

function filesOf(eml: ParsedMail): FileToAttach[] {
  return eml.attachments.map(({ filename, contentType, contentId, content }) => ({
    filename,
    content_type: contentType,
    content_id: contentId,
    content,
  }))
}

/** Whom the agent answers: who wrote last from outside. */
function answeredAddress({ outside }: Conversation, { messages }: Earlier): string {
  const asked = messages.findLast(({ direction }) => direction === 'inbound')
  return addressOf(asked?.from ?? outside)
}

function addressOf(mailbox: string): string {
  return parseMailboxList(mailbox)[0]?.address ?? mailbox
}
