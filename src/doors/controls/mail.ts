import { checkNames } from '../../base/options.js'
import { z } from '../../base/schema.js'
import { shorten } from '../../base/text.js'
import { type Message, messageSchema, type Thread, threadSchema } from '../../contract/resources.js'
import {
  formatMailbox,
  formatRecipient,
  isAddress,
  parseMailbox,
  parseMailboxList,
} from '../../mail/address.js'
import { newFileFields, newMessageFields } from '../../mail/new-message.js'
import { parseEml } from '../../mail/parse-eml.js'
import { MailLimitError, type ParsedMail } from '../../mail/parsed-mail.js'
import { furtherReferences } from '../../mail/threading.js'
import { toBase64 } from '../../mail/transfer-encoding.js'
import { type AuthenticationInput, authenticationInput } from '../../service/model/authentication.js'
import { WorldError } from '../../service/model/errors.js'
import type { IdentityRow } from '../../service/model/rows.js'
import { renderMessage, renderThread } from '../../service/rendering/resources.js'
import type { CommandOf } from '../../service/world/commands/commands.js'
import type { AddedMail } from '../../service/world/commands/mail.js'
import { type Controlled, camelCase, control, type RequestInput } from './control.js'
import type { WorldView } from './world-view.js'

/** A file attached to a message. */
export interface FileInput {
  readonly filename: string
  /** Bytes, or base64. Either this or `text` is needed. */
  readonly content?: Uint8Array | string | undefined
  /** The file as text, instead of `content`. */
  readonly text?: string | undefined
  /** `application/octet-stream` by default. */
  readonly contentType?: string | undefined
  /** The id by which an HTML body refers to the file, as `cid:…`. */
  readonly contentId?: string | undefined
}

interface MailInput {
  /** Handles or addresses, like `to`; their agents receive a copy. */
  readonly cc?: string | readonly string[] | undefined
  /** Like `cc`, but only the sender's own copy contains them. */
  readonly bcc?: string | readonly string[] | undefined
  /** The addresses to which replies go instead of the sender. */
  readonly replyTo?: string | readonly string[] | undefined
  /** Additional header fields by name, such as `X-Order` or `Auto-Submitted`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly subject?: string | undefined
  readonly text?: string | undefined
  readonly html?: string | undefined
  readonly attachments?: readonly FileInput[] | undefined
  /** A message's id or its RFC 5322 Message-ID: the new message joins its thread. */
  readonly inReplyTo?: string | undefined
  /** The id of the thread that the message joins. */
  readonly thread?: string | undefined
  /** The instant of the message, ISO 8601; now by default. */
  readonly at?: string | undefined
}

/** A message from outside to one or more agents. */
export interface ReceiveInput extends MailInput {
  /**
   * Handles or mailbox addresses of agents; other addresses may be among them. With an `eml`, `to` selects
   * the mailboxes that receive the message and leaves its headers unchanged; without `to`, the To, Cc and Bcc
   * of the `eml` select them.
   */
  readonly to?: string | readonly string[] | undefined
  /** `Ann <ann@example.com>` or a bare address. */
  readonly from?: string | undefined
  /** A complete message in RFC 5322 format; the other fields override its fields. */
  readonly eml?: string | Uint8Array | undefined
  /**
   * What the receiving server finds about its sender: `pass`, `fail`, `none`, or the results of spf, dkim and dmarc, of which
   * those left out are `none`. By default, mail with an address of the mailbox's own domain fails, and other mail passes.
   */
  readonly authentication?: AuthenticationInput | undefined
}

/** A message that an agent sends. */
export interface SendInput extends MailInput {
  /** The agent's handle. */
  readonly from: string
  readonly to: string | readonly string[]
}

/** A stored message and its thread, as the service returns them. */
export interface StoredMail {
  readonly message: Message
  readonly thread: Thread
}

const sendOptions = [
  ...['from', 'to', ...Object.keys(newMessageFields(z.string())).map(camelCase)],
  ...['attachments', 'inReplyTo', 'thread', 'at'],
]
const receiveOptions = [...sendOptions, 'eml', 'authentication']
const fileOptions = Object.keys(newFileFields()).map(camelCase)

/** The most bytes of mail as JSON, with its files in base64. */
const largestMail = 52_428_800

/** Receives and sends mail in a world. */
export const mail = {
  /**
   * Delivers a message to the mailbox of each agent that it is addressed to; returns the first agent's copy.
   * @throws WorldError `unknown-recipient` when it is addressed to no agent of this world
   * @example await mailbox.mail.receive({ to: 'support', from: 'Ann <ann@example.com>', text: 'Any news?' })
   */
  receive: control({
    options: receiveOptions,
    async perform({ view }: Controlled, input: ReceiveInput): Promise<StoredMail> {
      checkMail('mail.receive', input)
      const eml = input.eml === undefined ? undefined : readEml(input.eml)
      const to = input.to === undefined ? recipientsOf(eml) : [input.to].flat()
      const names = [...to, ...[input.cc ?? [], input.bcc ?? []].flat()]
      const recipients = names.map((name) => recipient(view, name))
      const agents = [...new Set(recipients.flatMap(({ identity }) => identity ?? []))]
      if (agents.length === 0) throw noRecipient(view, names, eml)
      const addressees = (eml?.to ?? recipients.slice(0, to.length)).map(({ address }) => address)
      const from = senderOf(input.from, eml)
      const commands = agents.map((identity) => {
        const fields = commandFields(view, identity, input, eml)
        const { authentication } = input
        return { type: 'receive-message' as const, from, to: addressees, ...fields, authentication }
      })
      // No agent receives the message if one of them refuses it.
      if (commands.length > 1) for (const command of commands) view.world.rehearsal().apply(command)
      const stored = commands.map((command) => view.world.apply(command))
      return showMail(view, stored[0] as AddedMail)
    },
  }),

  /**
   * Sends a message from an agent; it appears in the agent's mailbox as outbound.
   * @throws WorldError
   */
  send: control({
    options: sendOptions,
    async perform({ view }: Controlled, input: SendInput): Promise<StoredMail> {
      checkMail('mail.send', input)
      const { identity } = recipient(view, input.from)
      if (!identity) throw noRecipient(view, [input.from])
      const to = mailboxes(view, input.to) ?? []
      const fields = commandFields(view, identity, input, undefined)
      return showMail(view, view.world.apply({ type: 'send-message', by: 'client', to, ...fields }))
    },
  }),

  /** Returns the message with an id, as the service returns it. @throws WorldError `not-found` */
  get: control({
    perform: ({ view }: Controlled, id: string): Message => view.show(view.row('message', id), renderMessage),
  }),

  /**
   * Reports that a message that an agent sent has reached its recipient: subscriptions receive
   * `message.delivered`. Without `recipient`, the event names none.
   * @throws WorldError `not-found`; `invalid` for an inbound message; `unknown-recipient` if it was sent to others
   */
  delivered: outcome(
    'deliver-message',
    'POST /messages/{id}/delivered',
    'Reports that a message from an agent was delivered; emits `message.delivered`.',
  ),

  /**
   * Reports that a message that an agent sent has bounced: subscriptions receive `message.bounced`. @throws
   * as `delivered`
   */
  bounced: outcome(
    'bounce-message',
    'POST /messages/{id}/bounced',
    'Reports that a message from an agent bounced; emits `message.bounced`.',
  ),
}

/** The routes of mail that are no methods of the library. */
export const mailRoutes = [
  control({
    route: 'POST /messages',
    summary: 'Delivers mail to agents or, if `direction` is `outbound`, sends mail from an agent.',
    query: () =>
      z.object({
        to: z
          .string()
          .min(1)
          .optional()
          .describe(
            'The recipients of mail in RFC 5322 format, with commas between them, regardless of its headers.',
          ),
        authentication: z
          .enum(['pass', 'fail', 'none'])
          .optional()
          .describe('What the receiving server finds about the sender of mail in RFC 5322 format.'),
      }),
    body: newMail,
    limit: largestMail,
    takesMail: true,
    status: 201,
    answer: () => z.object({ message: messageSchema(), thread: threadSchema() }),
    perform(
      on: Controlled,
      { direction, threadId, attachments = [], ...fields }: RequestInput,
    ): Promise<StoredMail> {
      const { to } = fields
      if (fields['eml']) {
        return mail.receive.perform(on, { ...fields, to: to?.split(',').map((name: string) => name.trim()) })
      }
      const files = attachments.map(({ content_type, content_id, ...file }: RequestInput) => {
        return { ...file, contentType: content_type, contentId: content_id }
      })
      const given = Object.entries({ ...fields, thread: threadId }).filter(([, value]) => value !== null)
      const message = { ...Object.fromEntries(given), attachments: files } as SendInput
      return direction === 'outbound' ? mail.send.perform(on, message) : mail.receive.perform(on, message)
    },
  }),
]

function outcome(
  type: 'deliver-message' | 'bounce-message',
  route: `POST /messages/{id}/${string}`,
  summary: string,
) {
  return control({
    route,
    summary,
    body: () => {
      const about =
        'One of the recipients of the message; if omitted, the event does not say which one it concerns.'
      return z.strictObject({ recipient: z.string().min(1).nullish().describe(about) })
    },
    bodyOptional: true,
    answer: messageSchema,
    given: ({ id, recipient }) => [id, recipient],
    async perform({ view }: Controlled, id: string, recipient?: string): Promise<Message> {
      const row = view.world.apply({ type, message_id: id, recipient: recipient ?? null })
      return view.show(row, renderMessage)
    },
  })
}

const attachment = () => {
  const { content_type, ...fields } = newFileFields()
  return z.strictObject({
    ...fields,
    content_type: content_type.describe('`application/octet-stream` by default.'),
  })
}

/** Returns the schema of mail as JSON. */
function newMail() {
  const fields = newMessageFields(z.string())
  return z
    .strictObject({
      direction: z.enum(['inbound', 'outbound']).default('inbound'),
      to: z
        .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
        .describe('Handles or addresses; at least one recipient of inbound mail is an agent.'),
      from: z
        .string()
        .min(1)
        .optional()
        .describe('`Ann <ann@example.com>`; for outbound mail, the handle of the agent, which is required.'),
      ...fields,
      text: fields.text.nullable(),
      html: fields.html.nullable(),
      attachments: z.array(attachment()).optional(),
      in_reply_to: z
        .string()
        .nullish()
        .describe('The id or Message-ID of a message; the new message is added to its thread.'),
      thread_id: z.string().nullish().describe('The thread to which the message is added.'),
      at: z.string().optional().describe("ISO 8601; the world's current time by default."),
      authentication: authenticationInput()
        .optional()
        .describe(
          'What the receiving server finds about the sender of inbound mail; by default what fits it.',
        ),
    })
    .refine(({ direction, authentication }) => direction === 'inbound' || authentication === undefined, {
      error: 'only inbound mail has it',
      path: ['authentication'],
    })
}

/** Resolves a handle or an address. */
function recipient(view: WorldView, name: string): { address: string; identity: IdentityRow | undefined } {
  const { store } = view.world
  if (name === undefined)
    throw new WorldError('invalid', 'from: expected the handle of the agent that sends it.')
  if (!name.includes('@') || name.startsWith('@')) {
    const identity = store.identityBy('handleAnywhere', name.replace(/^@/, ''))
    if (!identity) throw noRecipient(view, [name])
    return { address: identity.mailbox_address, identity }
  }
  const mailboxes = parseMailboxList(name)
  const isBroken = /[\r\n]/.test(name)
  // Only the first of them would get the mail.
  if (isBroken || mailboxes.filter((one) => isAddress(one.address)).length > 1) {
    const what = isBroken ? 'lines' : 'addresses'
    const problem = `"${shorten(name)}" has several ${what}; make each address an item of the list.`
    throw new WorldError('invalid', problem)
  }
  const address = mailboxes[0]?.address ?? name
  if (!isAddress(address)) {
    throw new WorldError(
      'invalid',
      `"${shorten(name)}" is neither the handle of an agent nor an email address.`,
    )
  }
  return { address, identity: store.identityBy('mailboxAnywhere', address) }
}

/** Returns the mailboxes that handles and addresses name, with their display names. */
function mailboxes(view: WorldView, list: string | readonly string[] | undefined): string[] | undefined {
  if (list === undefined) return undefined
  return [list].flat().map((one) => {
    const { address } = recipient(view, one)
    const { name = '' } = parseMailbox(one) ?? {}
    return formatRecipient({ name, address })
  })
}

function commandFields(
  view: WorldView,
  identity: IdentityRow,
  input: MailInput,
  eml: ParsedMail | undefined,
): MailFields {
  const { cc, bcc, replyTo, headers } = input
  return {
    identity_id: identity.id,
    cc: mailboxes(view, cc),
    bcc: mailboxes(view, bcc),
    reply_to: mailboxes(view, replyTo),
    further_headers: headers && Object.entries(headers),
    subject: input.subject ?? eml?.subject,
    text: input.text ?? eml?.text ?? null,
    html: input.html ?? eml?.html ?? null,
    attachments: [...(eml?.attachments ?? []), ...(input.attachments ?? [])].map(fileOf),
    thread_id: input.thread,
    in_reply_to: input.inReplyTo ?? eml?.inReplyTo ?? null,
    references: eml ? furtherReferences(eml) : [],
    message_id: eml?.messageId ?? null,
    headers: eml ? eml.headers.map(([name, value]) => [name, value]) : null,
    ...(eml && isAsWritten(input) && { raw: toBase64(eml.source) }),
    at: input.at,
  }
}

function noRecipient(view: WorldView, names: readonly string[], eml?: ParsedMail): WorldError {
  const handles = [...view.world.store.all('identity')].map(({ agent_handle }) => agent_handle)
  const known = handles.length === 0 ? 'none' : handles.slice(0, 10).join(', ')
  const shown = names.slice(0, 10).map((name) => `"${shorten(name)}"`)
  const nobody =
    shown.length === 0
      ? 'The message has no recipient; name one with "to"'
      : `No agent of this world is ${shown.join(', ')}${eml ? '; name the recipient with "to"' : ''}`
  return new WorldError('unknown-recipient', `${nobody}; the agents are ${known}.`)
}

function showMail(view: WorldView, { message, thread }: AddedMail): StoredMail {
  return { message: view.show(message, renderMessage), thread: view.show(thread, renderThread) }
}

/** Returns whether a message in RFC 5322 format is received as it was written, in whichever mailbox and thread. */
function isAsWritten(input: MailInput & Pick<ReceiveInput, 'from'>): boolean {
  const { from, cc, bcc, replyTo, headers, subject, text, html, attachments } = input
  return [from, cc, bcc, replyTo, headers, subject, text, html, attachments].every((one) => one === undefined)
}

/**
 * Refuses files with unknown fields, without content or with both, and several lines in fields that name somebody or a message;
 * hostile mail may bring them in any other. @throws TypeError, WorldError `invalid`
 */
function checkMail(call: string, { from, inReplyTo, attachments = [] }: ReceiveInput): void {
  for (const [name, text = ''] of Object.entries({ from, inReplyTo })) {
    if (!/[\r\n]/.test(text)) continue
    throw new WorldError('invalid', `${name}: "${shorten(text)}" has several lines; give it in one.`)
  }
  for (const file of attachments) {
    checkNames(`${call}: a file in attachments`, file, fileOptions)
    if ((file.content === undefined) !== (file.text === undefined)) continue
    const named = `The file "${shorten(String(file.filename))}" in attachments`
    throw new WorldError('invalid', `${named} needs either content (bytes, or base64) or text.`)
  }
}

/** @throws WorldError `too-large`; `invalid` if it is empty */
function readEml(source: string | Uint8Array): ParsedMail {
  if (source.length === 0) {
    const form = 'it is its source: header fields, an empty line, the text'
    throw new WorldError('invalid', `The message is empty; ${form}.`)
  }
  try {
    return parseEml(source)
  } catch (error) {
    if (!(error instanceof MailLimitError)) throw error
    throw new WorldError('too-large', `The message cannot be read: ${error.message}.`)
  }
}

/** Returns the addresses in To, Cc and Bcc; a recipient without a domain is on another machine. */
function recipientsOf(eml: ParsedMail | undefined): string[] {
  return eml ? [...eml.to, ...eml.cc, ...eml.bcc].map(({ address }) => address).filter(isAddress) : []
}

function senderOf(from: string | undefined, eml: ParsedMail | undefined): string {
  if (from === undefined) return eml ? formatMailbox(eml.from) : 'Ann Example <ann@mail.example>'
  const [mailbox] = parseMailboxList(from)
  if (mailbox) return formatMailbox(mailbox)
  throw new WorldError('invalid', `from: "${shorten(from)}" is not of the form "Ann <ann@example.com>".`)
}

type MailFields = Omit<CommandOf<'receive-message'>, 'type' | 'from' | 'to'>

type FileFields = NonNullable<MailFields['attachments']>[number]

/** A file that is attached, or that came in an `.eml`. */
type MailFile = Omit<FileInput, 'contentId'> & { readonly contentId?: string | null | undefined }

function fileOf({ filename, text = '', content, contentType, contentId = null }: MailFile): FileFields {
  const bytes = content ?? new TextEncoder().encode(text)
  return {
    filename,
    content_type: contentType,
    content_id: contentId,
    content: typeof bytes === 'string' ? bytes : toBase64(bytes),
  }
}
