import { z } from '../../../base/schema.js'
import { formatMailbox } from '../../../mail/address.js'
import { messageIdsIn } from '../../../mail/encoded-words.js'
import { baseSubject, isForwarded, threadingFacts } from '../../../mail/threading.js'
import { sizeOfBase64 } from '../../../mail/transfer-encoding.js'
import { type AuthenticationInput, authenticationInput } from '../../model/authentication.js'
import { unknownId, WorldError } from '../../model/errors.js'
import type { MailboxStore } from '../../model/mailbox-store.js'
import {
  type AttachmentRow,
  type Direction,
  factsOfEmptyThread,
  factsWithMessage,
  type IdentityRow,
  type MessageRow,
  type ThreadRow,
} from '../../model/rows.js'
import { headerFieldsOf, messageIdOf, recipientsOf } from '../../rendering/header-fields.js'
import { hashText, idOf } from '../../time/random.js'
import { parseInstant } from '../../time/time.js'
import { type CommandContext, defineCommand, existing } from './command.js'
import { authenticationOfRow, headerOfRow, type MailContent, mailCommandFields } from './mail-fields.js'

/** Adds mail from outside to an agent's mailbox. */
export const receiveMessage = defineCommand({
  schema: () =>
    z.strictObject({
      type: z.literal('receive-message'),
      /** `Display Name <address>`. */
      from: z.string().min(1),
      /** Recipient addresses as in the message, which may name none. */
      to: z.array(z.string()),
      ...mailCommandFields(),
      /** What the receiving server finds about its sender; by default what fits the sender. */
      authentication: authenticationInput().optional(),
    }),
  apply(world, command): AddedMail {
    const added = addMail(world, { ...command, direction: 'inbound' })
    const { agent_handle: agentHandle } = existing(world, 'identity', command.identity_id)
    const { event_delay: delay } = command
    const { message } = added
    const { relied } = world
    world.added = message
    world.emit({ type: 'message.received', message, agentHandle, recipient: null, delay, relied })
    return added
  },
})

/** Adds mail that an agent wrote to its mailbox, as outbound. */
export const sendMessage = defineCommand({
  schema: () =>
    z
      .strictObject({
        type: z.literal('send-message'),
        to: z.array(z.string()),
        ...mailCommandFields(),
        /** Who sends it; logs of earlier versions leave it out, and only mail of the story has `ids` in them. */
        by: z.enum(['story', 'client']).optional(),
        /** Whether its recipients in the same organization receive it; false by default. */
        local_delivery: z.boolean().optional(),
      })
      .refine(({ to, cc = [], bcc = [] }) => to.length + cc.length + bcc.length > 0, {
        path: ['to'],
        error: 'expected a recipient in to, cc or bcc',
      }),
  apply(world, command): AddedMail {
    const isAgents = isSentByAgent(command)
    if (isAgents) world.sent.check(world.store)
    const identity = existing(world, 'identity', command.identity_id)
    const from = formatMailbox({ name: identity.display_name ?? '', address: identity.mailbox_address })
    const added = addMail(world, { ...command, direction: 'outbound', from })
    if (isAgents) world.sent.note()
    world.added = added.message
    for (const recipient of recipientsOf(added.message)) {
      if (!world.bounces(recipient)) continue
      const { agent_handle: agentHandle } = identity
      const { event_delay: delay } = command
      world.emit({ type: 'message.bounced', message: added.message, agentHandle, recipient, delay })
    }
    if (command.local_delivery) deliverLocally(world, command, added.message)
    return added
  },
})

/** Returns whether an agent sends a message, by a request or a control, rather than the story. */
function isSentByAgent({
  ids,
  by = ids === undefined ? 'client' : 'story',
}: {
  readonly ids?: unknown
  readonly by?: 'story' | 'client' | undefined
}): boolean {
  return by === 'client'
}

/** Adds sent mail to the mailboxes of its recipients in the same organization. */
function deliverLocally(world: CommandContext, mail: MailContent, sent: MessageRow): void {
  const fields = headerFieldsOf(sent, world.store).filter(([name]) => name !== 'Bcc')
  const named = (field: string): string[] =>
    fields.flatMap(([name, value]) => (name === field ? messageIdsIn(value) : []))
  const { text, html, attachments, at, comes, event_delay: delay } = mail
  const copy = {
    direction: 'inbound' as const,
    from: sent.from,
    to: sent.to,
    subject: sent.subject,
    text,
    html,
    attachments,
    at,
    comes,
    headers: fields.map(([name, value]): [string, string] => [name, value]),
    message_id: messageIdOf(sent),
    authentication: 'pass' as const,
    in_reply_to: named('In-Reply-To')[0] ?? null,
    references: named('References'),
  }
  const agents = recipientsOf(sent).flatMap((address) => {
    return world.bounces(address) ? [] : (localAgent(world.store, sent, address) ?? [])
  })
  for (const identity of new Set(agents)) {
    const { id, agent_handle: agentHandle } = identity
    // In the agent's own mailbox, it is one conversation.
    const thread_id = id === sent.identity_id ? sent.thread_id : undefined
    const { message } = addMail(world, { ...copy, identity_id: id, thread_id })
    world.emit({ type: 'message.received', message, agentHandle, recipient: null, delay })
  }
}

/** Returns the agent in the organization of a message that has an address. */
function localAgent(
  store: MailboxStore,
  { organization_id }: Pick<MessageRow, 'organization_id'>,
  address: string,
): IdentityRow | undefined {
  return store.identityBy('foldedMailbox', organization_id, address)
}

/** A message to be added to a mailbox. */
interface Mail extends MailContent {
  readonly direction: Direction
  readonly from: string
  readonly to: readonly string[]
  readonly authentication?: AuthenticationInput | undefined
}

/** The added message and its thread. */
export interface AddedMail {
  readonly message: MessageRow
  readonly thread: ThreadRow
}

/**
 * Adds a message to an identity's mailbox, and a thread if it starts one.
 * @throws WorldError
 */
function addMail(world: CommandContext, mail: Mail): AddedMail {
  const identity = existing(world, 'identity', mail.identity_id)
  const instant = instantOf(world, mail.at ?? mail.comes)
  const found = findThread(world, identity, mail, instant)
  if (mail.ids) refuseTaken(world, mail.ids.message, found ? undefined : mail.ids.thread)
  const begun = found ?? newThread(world, identity, mail, instant)
  const createdAt = instantIn(world, begun, mail, instant)
  const thread = found ?? { ...begun, created_at: createdAt }
  const attachments = attachmentRows(world, mail)
  const message: MessageRow = {
    id: mail.ids?.message ?? world.newId('message'),
    ordinal: world.store.nextOrdinal('message'),
    organization_id: identity.organization_id,
    identity_id: identity.id,
    thread_id: thread.id,
    direction: mail.direction,
    from: mail.from,
    subject: mail.subject ?? (found ? replySubject(found.subject) : ''),
    text: mail.text,
    html: mail.html,
    body_key: null,
    attachment_ids: attachments.map(({ id }) => id),
    message_id: mail.message_id,
    in_reply_to: mail.in_reply_to ?? latestIn(thread, mail),
    ...headerOfRow(mail),
    ...authenticationOfRow(
      mail,
      identity,
      (address) => localAgent(world.store, identity, address) !== undefined,
    ),
    ...(mail.raw !== undefined && { raw: mail.raw }),
    created_at: createdAt,
  }
  const updated: ThreadRow = { ...thread, ...factsWithMessage(thread, message) }
  for (const row of attachments) world.store.put('attachment', { ...row, message_id: message.id })
  world.store.put('message', message)
  world.store.put('thread', updated)
  return { message, thread: updated }
}

/** Returns when a message is created: its own time, if it has one, or later if another one of its thread has that time. */
function instantIn(
  world: CommandContext,
  { id, message_count, last_message_at }: ThreadRow,
  { at }: Pick<Mail, 'at'>,
  instant: number,
): number {
  if (at !== undefined) return world.freeInstant(id, instant)
  return world.nextInstant(instant, message_count === 0 ? undefined : last_message_at)
}

/** @throws WorldError `conflict` */
function refuseTaken(world: CommandContext, message: string, thread: string | undefined): void {
  const taken =
    world.store.get('message', message) ??
    (thread === undefined ? undefined : world.store.get('thread', thread))
  if (taken)
    throw new WorldError(
      'conflict',
      `The id "${taken.id}" is already taken; choose another, or leave it out.`,
    )
}

function instantOf(world: CommandContext, at: string | undefined): number {
  if (at === undefined) return world.now()
  const instant = parseInstant(at)
  if (instant === undefined) {
    throw new WorldError('invalid', `"${at}" is not an ISO 8601 instant such as 2026-01-05T09:00:00Z.`)
  }
  return instant
}

/**
 * Returns the thread of a message: the one it names; or else that of the nearest message to which it refers, unless it does
 * not stay there; or else, for a message that was received as an email, the one it joins by its header.
 * @see docs/decisions/README.md
 */
function findThread(
  world: CommandContext,
  identity: IdentityRow,
  mail: Mail,
  instant: number,
): ThreadRow | undefined {
  const { store } = world
  if (mail.thread_id !== undefined) {
    const thread = store.get('thread', mail.thread_id)
    if (thread?.identity_id === identity.id) return mail.begins_thread ? undefined : thread
    if (!thread && mail.thread_id === mail.ids?.thread) return undefined
    throw unknownId('thread', mail.thread_id, `in the mailbox of ${identity.agent_handle}`)
  }
  for (const reference of [mail.in_reply_to, ...mail.references.toReversed()]) {
    const message = reference === null ? undefined : store.messageNamed(identity.id, reference)
    if (!message) continue
    const thread = existing(world, 'thread', message.thread_id)
    return staysIn(world, thread, mail) ? thread : undefined
  }
  if (mail.headers === null) return undefined
  return store.threadOfMail(identity, threadingFacts({ ...mail, id: '', created_at: instant }))
}

/** Returns whether a message stays in the thread that it refers to. @see interface 1 */
function staysIn(
  world: CommandContext,
  thread: ThreadRow,
  { subject, begins_thread }: Pick<Mail, 'subject' | 'begins_thread'>,
): boolean {
  if (begins_thread) return false
  if (subject === undefined) return true
  const branches = { stays: () => true, 'begins-a-thread': () => false }
  if (isForwarded(subject)) {
    return reliesOn(world, 'threads.forward', world.settle('threads.forward', branches))
  }
  if (baseSubject(subject).base === baseSubject(thread.subject).base) return true
  return reliesOn(world, 'threads.new-subject', world.settle('threads.new-subject', branches))
}

/** Notes that the place of a message depends on a gap; returns whether it stays. */
function reliesOn(
  { relied }: CommandContext,
  gap: 'threads.forward' | 'threads.new-subject',
  stays: boolean,
): boolean {
  const [assumption, other] = stays ? ['stays', 'begins-a-thread'] : ['begins-a-thread', 'stays']
  relied.push({ gap, assumption: assumption as string, instead: [other as string] })
  return stays
}

/**
 * Returns the message that an email replies to by joining a thread; the header fields of an email, if it has
 * any, say what it replies to.
 */
function latestIn({ last_message_id: latest }: ThreadRow, { headers }: Mail): string | null {
  return headers === null ? latest : null
}

function newThread(world: CommandContext, identity: IdentityRow, mail: Mail, createdAt: number): ThreadRow {
  return {
    id: mail.ids?.thread ?? world.newId('thread'),
    ordinal: world.store.nextOrdinal('thread'),
    organization_id: identity.organization_id,
    identity_id: identity.id,
    subject: mail.subject ?? '',
    created_at: createdAt,
    ...factsOfEmptyThread(createdAt),
  }
}

function replySubject(subject: string): string {
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`
}

/**
 * Returns rows for the attachments; their ids depend on the content, so an id identifies the same file in
 * every world.
 */
function attachmentRows(world: CommandContext, mail: Mail): Omit<AttachmentRow, 'message_id'>[] {
  const first = world.store.nextOrdinal('attachment')
  return mail.attachments.map((attachment, index) => ({
    id: `${attachmentId(world, mail, index)}${contentHash(attachment)}`,
    ordinal: first + index,
    filename: attachment.filename,
    content_type: attachment.content_type,
    size_bytes: sizeOfBase64(attachment.content),
    content_id: attachment.content_id,
    content: attachment.content,
  }))
}

function attachmentId(world: CommandContext, { ids }: Mail, index: number): string {
  if (ids === undefined) return world.newId('attachment')
  return idOf('attachment', world.seed, `${ids.message}/${index}`)
}

/** Returns the suffix of a file's id, which depends on its content. */
function contentHash(file: Pick<AttachmentRow, 'filename' | 'content_type' | 'content'>): string {
  const [word] = hashText(`${file.filename}\n${file.content_type}\n${file.content}`)
  return word.toString(36)
}
