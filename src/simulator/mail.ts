import type { Message, Thread } from '../contract/resources.js'
import {
  formatMailbox,
  furtherReferences,
  isAddress,
  type ParsedMail,
  parseEml,
  parseMailboxList,
  toBase64,
} from '../mail/index.js'
import type { IdentityRow } from '../model/index.js'
import { type AddedMail, CommandError, type CommandOf, renderMessage, renderThread } from '../world/index.js'
import type { View } from './view.js'

/** A file that goes with a message. */
export interface FileInput {
  readonly filename: string
  /** Bytes, or base64. */
  readonly content: Uint8Array | string
  /** `application/octet-stream` when it is left out. */
  readonly contentType?: string
  /** What an HTML body refers to as `cid:…`. */
  readonly contentId?: string
}

interface MailInput {
  readonly subject?: string
  readonly text?: string
  readonly html?: string
  readonly attachments?: readonly FileInput[]
  /** A message's id or its RFC 5322 Message-ID: the mail joins that message's thread. */
  readonly inReplyTo?: string
  /** The id of the thread the mail joins. */
  readonly thread?: string
  /** When, in ISO 8601; now when it is left out. */
  readonly at?: string
}

/** Mail from outside to one or more agents. */
export interface ReceiveInput extends MailInput {
  /** Handles or mailbox addresses; others may be named beside them. Left out, an `eml` says it. */
  readonly to?: string | readonly string[]
  /** `Ann <ann@example.com>` or a bare address. */
  readonly from?: string
  /** A whole message in RFC 5322 form; the other fields override what it says. */
  readonly eml?: string | Uint8Array
}

/** Mail an agent sent. */
export interface SendInput extends MailInput {
  /** The agent's handle. */
  readonly from: string
  readonly to: string | readonly string[]
}

/** The message and its thread, as the API shows them. */
export interface StoredMail {
  readonly message: Message
  readonly thread: Thread
}

/** The mail of a world. */
export class Mail {
  readonly #view: View

  constructor(view: View) {
    this.#view = view
  }

  /**
   * Has mail come in: each agent it is addressed to gets the message in its own mailbox, the first is
   * given back.
   * @throws CommandError `unknown-recipient` when no agent of this world is addressed
   * @example await mailbox.mail.receive({ to: 'support', from: 'Ann <ann@example.com>', text: 'Any news?' })
   */
  async receive(input: ReceiveInput): Promise<StoredMail> {
    const eml = input.eml === undefined ? undefined : await parseEml(input.eml)
    const to = input.to === undefined ? (eml?.to.map(({ address }) => address) ?? []) : [input.to].flat()
    const recipients = to.map((name) => this.#recipient(name))
    const agents = [...new Set(recipients.flatMap(({ identity }) => identity ?? []))]
    if (agents.length === 0) throw this.#noRecipient(to)
    const addresses = recipients.map(({ address }) => address)
    const from = senderOf(input.from, eml)
    const commands = agents.map((identity) => {
      const mail = commandFields(identity, input, eml)
      return { type: 'receive-message' as const, from, to: addresses, ...mail }
    })
    const { world } = this.#view
    // What the last one refuses, the first must not have got.
    if (commands.length > 1) for (const command of commands) world.rehearse(command)
    const stored = commands.map((command) => world.apply(command))
    return this.#show(stored[0] as AddedMail)
  }

  /**
   * Has an agent send mail; it appears in the agent's own mailbox as outbound.
   * @throws CommandError
   */
  async send(input: SendInput): Promise<StoredMail> {
    const { identity } = this.#recipient(input.from)
    if (!identity) throw this.#noRecipient([input.from])
    const to = [input.to].flat().map((name) => this.#recipient(name).address)
    const mail = commandFields(identity, input, undefined)
    return this.#show(this.#view.world.apply({ type: 'send-message', to, ...mail }))
  }

  /** The message of that id, as the service shows it. @throws CommandError `not-found` */
  get(id: string): Message {
    const row = this.#view.world.store.get('message', id)
    if (!row) throw new CommandError('not-found', `There is no message "${id}" in this world.`)
    return this.#view.show(row, renderMessage)
  }

  /**
   * Has mail an agent sent reach its recipient: subscriptions hear of it as `message.delivered`. Which recipient is
   * not said when that is left out.
   * @throws CommandError `not-found`, `invalid` where the message came in, `unknown-recipient` where it went to others
   */
  async delivered(id: string, recipient?: string): Promise<Message> {
    return this.#tell('deliver-message', id, recipient)
  }

  /** Has mail an agent sent come back: subscriptions hear of it as `message.bounced`. @throws as `delivered` */
  async bounced(id: string, recipient?: string): Promise<Message> {
    return this.#tell('bounce-message', id, recipient)
  }

  #tell(type: 'deliver-message' | 'bounce-message', id: string, recipient: string | undefined): Message {
    const row = this.#view.world.apply({ type, message_id: id, recipient: recipient ?? null })
    return this.#view.show(row, renderMessage)
  }

  /** Whom a handle or an address means. */
  #recipient(name: string): { address: string; identity: IdentityRow | undefined } {
    const { store } = this.#view.world
    if (!name.includes('@') || name.startsWith('@')) {
      const identity = store.identityAnywhere(name.replace(/^@/, ''))
      if (!identity) throw this.#noRecipient([name])
      return { address: identity.mailbox_address, identity }
    }
    const address = parseMailboxList(name)[0]?.address ?? name
    if (!isAddress(address)) {
      throw new CommandError('invalid', `"${name}" is neither the handle of an agent nor an email address.`)
    }
    return { address, identity: store.identityByMailboxAnywhere(address) }
  }

  #noRecipient(names: readonly string[]): CommandError {
    const handles = [...this.#view.world.store.all('identity')].map(({ agent_handle }) => agent_handle)
    const known = handles.length === 0 ? 'none' : handles.slice(0, 10).join(', ')
    return new CommandError(
      'unknown-recipient',
      `No agent of this world is "${names.join('", "')}"; the agents are ${known}.`,
    )
  }

  #show({ message, thread }: AddedMail): StoredMail {
    return {
      message: this.#view.show(message, renderMessage),
      thread: this.#view.show(thread, renderThread),
    }
  }
}

function senderOf(from: string | undefined, eml: ParsedMail | undefined): string {
  if (from === undefined) return eml ? formatMailbox(eml.from) : 'Ann Example <ann@mail.example>'
  const [mailbox] = parseMailboxList(from)
  if (mailbox) return formatMailbox(mailbox)
  throw new CommandError('invalid', `from: "${from}" is not of the form "Ann <ann@example.com>".`)
}

type MailFields = Omit<CommandOf<'receive-message'>, 'type' | 'from' | 'to'>

function commandFields(identity: IdentityRow, input: MailInput, eml: ParsedMail | undefined): MailFields {
  const subject = input.subject ?? eml?.subject
  return {
    identity_id: identity.id,
    ...(subject !== undefined && { subject }),
    text: input.text ?? eml?.text ?? null,
    html: input.html ?? eml?.html ?? null,
    attachments: [...filesOf(eml), ...(input.attachments ?? []).map(fileOf)],
    ...(input.thread !== undefined && { thread_id: input.thread }),
    in_reply_to: input.inReplyTo ?? eml?.inReplyTo ?? null,
    references: eml ? furtherReferences(eml) : [],
    message_id: eml?.messageId ?? null,
    headers: eml ? eml.headers.map(([name, value]) => [name, value]) : null,
    ...(input.at !== undefined && { at: input.at }),
  }
}

type FileFields = NonNullable<MailFields['attachments']>[number]

function filesOf(eml: ParsedMail | undefined): FileFields[] {
  return (eml?.attachments ?? []).map(({ filename, contentType, contentId, content }) => {
    return { filename, content_type: contentType, content_id: contentId, content }
  })
}

function fileOf({ filename, content, contentType, contentId }: FileInput): FileFields {
  return {
    filename,
    ...(contentType !== undefined && { content_type: contentType }),
    content_id: contentId ?? null,
    content: typeof content === 'string' ? content : toBase64(content),
  }
}
