import { checkOptions, defineOptions, type OptionsSchema, option } from '../../base/options.js'
import { shorten } from '../../base/text.js'
import type { Message, Thread } from '../../contract/resources.js'
import {
  formatMailbox,
  formatRecipient,
  isAddress,
  parseMailbox,
  parseMailboxList,
} from '../../mail/address.js'
import { parseEml } from '../../mail/parse-eml.js'
import { MailLimitError, type ParsedMail } from '../../mail/parsed-mail.js'
import { furtherReferences } from '../../mail/threading.js'
import { toBase64 } from '../../mail/transfer-encoding.js'
import type { AuthenticationInput } from '../../service/model/authentication.js'
import { CommandError } from '../../service/model/errors.js'
import type { IdentityRow } from '../../service/model/rows.js'
import { renderMessage, renderThread } from '../../service/rendering/resources.js'
import type { CommandOf } from '../../service/world/commands/commands.js'
import type { AddedMail } from '../../service/world/commands/mail.js'
import type { ResourceView } from './resources.js'

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

const sendOptions = defineOptions<SendInput>(
  () => ({
    subject: option.text(),
    text: option.text(),
    html: option.text(),
    attachments: option.list(),
    inReplyTo: option.text(),
    thread: option.text(),
    at: option.text(),
    cc: option.either(option.text(), option.list()),
    bcc: option.either(option.text(), option.list()),
    replyTo: option.either(option.text(), option.list()),
    headers: option.object(),
    to: option.either(option.text(), option.list()),
    from: option.text(),
  }),
  ['from', 'to'],
)

const receiveOptions = defineOptions<ReceiveInput>(() => ({
  ...sendOptions().shape,
  eml: option.either(option.text(), option.bytes()),
  authentication: option.either(option.text(), option.object()),
}))

const fileOptions = defineOptions<FileInput>(
  () => ({
    filename: option.text(),
    content: option.either(option.text(), option.bytes()),
    text: option.text(),
    contentType: option.text(),
    contentId: option.text(),
  }),
  ['filename'],
)

/** A stored message and its thread, as the service returns them. */
export interface StoredMail {
  readonly message: Message
  readonly thread: Thread
}

/** Receives and sends mail in a world. */
export class Mail {
  readonly #view: ResourceView

  constructor(view: ResourceView) {
    this.#view = view
  }

  /**
   * Delivers a message to the mailbox of each agent that it is addressed to; returns the first agent's copy.
   * @throws CommandError `unknown-recipient` when it is addressed to no agent of this world
   * @example await mailbox.mail.receive({ to: 'support', from: 'Ann <ann@example.com>', text: 'Any news?' })
   */
  async receive(input: ReceiveInput): Promise<StoredMail> {
    checkMail('mail.receive', input, receiveOptions)
    const eml = input.eml === undefined ? undefined : readEml(input.eml)
    const to = input.to === undefined ? recipientsOf(eml) : [input.to].flat()
    const names = [...to, ...[input.cc ?? [], input.bcc ?? []].flat()]
    const recipients = names.map((name) => this.#recipient(name))
    const agents = [...new Set(recipients.flatMap(({ identity }) => identity ?? []))]
    if (agents.length === 0) throw this.#noRecipient(names, eml)
    const addressees = (eml?.to ?? recipients.slice(0, to.length)).map(({ address }) => address)
    const from = senderOf(input.from, eml)
    const commands = agents.map((identity) => {
      const mail = this.#commandFields(identity, input, eml)
      const { authentication } = input
      return { type: 'receive-message' as const, from, to: addressees, ...mail, authentication }
    })
    const { world } = this.#view
    // No agent receives the message if one of them refuses it.
    if (commands.length > 1) for (const command of commands) world.rehearse(command)
    const stored = commands.map((command) => world.apply(command))
    return this.#show(stored[0] as AddedMail)
  }

  /**
   * Sends a message from an agent; it appears in the agent's mailbox as outbound.
   * @throws CommandError
   */
  async send(input: SendInput): Promise<StoredMail> {
    checkMail('mail.send', input, sendOptions)
    const { identity } = this.#recipient(input.from)
    if (!identity) throw this.#noRecipient([input.from])
    const to = this.#mailboxes(input.to) ?? []
    const mail = this.#commandFields(identity, input, undefined)
    return this.#show(this.#view.world.apply({ type: 'send-message', by: 'client', to, ...mail }))
  }

  /** Returns the message with an id, as the service returns it. @throws CommandError `not-found` */
  get(id: string): Message {
    return this.#view.show(this.#view.row('message', id), renderMessage)
  }

  /**
   * Reports that a message that an agent sent has reached its recipient: subscriptions receive
   * `message.delivered`. Without `recipient`, the event names none.
   * @throws CommandError `not-found`; `invalid` for an inbound message; `unknown-recipient` if it was sent to others
   */
  async delivered(id: string, recipient?: string): Promise<Message> {
    return this.#applyOutcome('deliver-message', id, recipient)
  }

  /**
   * Reports that a message that an agent sent has bounced: subscriptions receive `message.bounced`. @throws
   * as `delivered`
   */
  async bounced(id: string, recipient?: string): Promise<Message> {
    return this.#applyOutcome('bounce-message', id, recipient)
  }

  #applyOutcome(
    type: 'deliver-message' | 'bounce-message',
    id: string,
    recipient: string | undefined,
  ): Message {
    const row = this.#view.world.apply({ type, message_id: id, recipient: recipient ?? null })
    return this.#view.show(row, renderMessage)
  }

  /** Resolves a handle or an address. */
  #recipient(name: string): { address: string; identity: IdentityRow | undefined } {
    const { store } = this.#view.world
    if (!name.includes('@') || name.startsWith('@')) {
      const identity = store.identityBy('handleAnywhere', name.replace(/^@/, ''))
      if (!identity) throw this.#noRecipient([name])
      return { address: identity.mailbox_address, identity }
    }
    const mailboxes = parseMailboxList(name)
    const isBroken = /[\r\n]/.test(name)
    // Only the first of them would get the mail.
    if (isBroken || mailboxes.filter((one) => isAddress(one.address)).length > 1) {
      const what = isBroken ? 'lines' : 'addresses'
      const problem = `"${shorten(name)}" has several ${what}; make each address an item of the list.`
      throw new CommandError('invalid', problem)
    }
    const address = mailboxes[0]?.address ?? name
    if (!isAddress(address)) {
      throw new CommandError(
        'invalid',
        `"${shorten(name)}" is neither the handle of an agent nor an email address.`,
      )
    }
    return { address, identity: store.identityBy('mailboxAnywhere', address) }
  }

  /** Returns the mailboxes that handles and addresses name, with their display names. */
  #mailboxes(list: string | readonly string[] | undefined): string[] | undefined {
    if (list === undefined) return undefined
    return [list].flat().map((one) => {
      const { address } = this.#recipient(one)
      const { name = '' } = parseMailbox(one) ?? {}
      return formatRecipient({ name, address })
    })
  }

  #commandFields(identity: IdentityRow, input: MailInput, eml: ParsedMail | undefined): MailFields {
    const { cc, bcc, replyTo, headers } = input
    return {
      identity_id: identity.id,
      cc: this.#mailboxes(cc),
      bcc: this.#mailboxes(bcc),
      reply_to: this.#mailboxes(replyTo),
      further_headers: headers && Object.entries(headers),
      subject: input.subject ?? eml?.subject,
      text: input.text ?? eml?.text ?? null,
      html: input.html ?? eml?.html ?? null,
      attachments: [...filesOf(eml), ...(input.attachments ?? []).map(fileOf)],
      thread_id: input.thread,
      in_reply_to: input.inReplyTo ?? eml?.inReplyTo ?? null,
      references: eml ? furtherReferences(eml) : [],
      message_id: eml?.messageId ?? null,
      headers: eml ? eml.headers.map(([name, value]) => [name, value]) : null,
      ...(eml && isAsWritten(input) && { raw: toBase64(eml.source) }),
      at: input.at,
    }
  }

  #noRecipient(names: readonly string[], eml?: ParsedMail): CommandError {
    const handles = [...this.#view.world.store.all('identity')].map(({ agent_handle }) => agent_handle)
    const known = handles.length === 0 ? 'none' : handles.slice(0, 10).join(', ')
    const shown = names.slice(0, 10).map((name) => `"${shorten(name)}"`)
    const nobody =
      shown.length === 0
        ? 'The message has no recipient; name one with "to"'
        : `No agent of this world is ${shown.join(', ')}${eml ? '; name the recipient with "to"' : ''}`
    return new CommandError('unknown-recipient', `${nobody}; the agents are ${known}.`)
  }

  #show({ message, thread }: AddedMail): StoredMail {
    return {
      message: this.#view.show(message, renderMessage),
      thread: this.#view.show(thread, renderThread),
    }
  }
}

/** Returns whether a message in RFC 5322 format is received as it was written, in whichever mailbox and thread. */
function isAsWritten(input: MailInput & Pick<ReceiveInput, 'from'>): boolean {
  const { from, cc, bcc, replyTo, headers, subject, text, html, attachments } = input
  return [from, cc, bcc, replyTo, headers, subject, text, html, attachments].every((one) => one === undefined)
}

/** Refuses unknown fields of a message and of its attachments, and missing ones. @throws TypeError */
function checkMail<Input extends MailInput & Pick<ReceiveInput, 'from'>>(
  call: string,
  input: Input,
  schema: OptionsSchema<Input>,
): void {
  checkOptions(call, input, schema)
  const { from, inReplyTo } = input
  checkLines({ from, inReplyTo })
  for (const file of input.attachments ?? []) {
    checkOptions(`${call}: a file in attachments`, file, fileOptions)
    if ((file.content === undefined) !== (file.text === undefined)) continue
    const { filename } = file
    throw new TypeError(
      `${call}: the file "${shorten(filename)}" in attachments needs either content (bytes, or base64) or text.`,
    )
  }
}

/** Refuses several lines in fields that name somebody or a message; hostile mail may bring them in any other. @throws CommandError `invalid` */
function checkLines(fields: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text = ''] of Object.entries(fields)) {
    if (!/[\r\n]/.test(text)) continue
    throw new CommandError('invalid', `${name}: "${shorten(text)}" has several lines; give it in one.`)
  }
}

/** @throws CommandError `too-large` */
function readEml(source: string | Uint8Array): ParsedMail {
  try {
    return parseEml(source)
  } catch (error) {
    if (!(error instanceof MailLimitError)) throw error
    throw new CommandError('too-large', `The message cannot be read: ${error.message}.`)
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
  throw new CommandError('invalid', `from: "${shorten(from)}" is not of the form "Ann <ann@example.com>".`)
}

type MailFields = Omit<CommandOf<'receive-message'>, 'type' | 'from' | 'to'>

type FileFields = NonNullable<MailFields['attachments']>[number]

function filesOf(eml: ParsedMail | undefined): FileFields[] {
  return (eml?.attachments ?? []).map(({ filename, contentType, contentId, content }) => {
    return { filename, content_type: contentType, content_id: contentId, content }
  })
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function fileOf({
  filename,
  text = '',
  content = encode(text),
  contentType,
  contentId,
}: FileInput): FileFields {
  return {
    filename,
    content_type: contentType,
    content_id: contentId ?? null,
    content: typeof content === 'string' ? content : toBase64(content),
  }
}
