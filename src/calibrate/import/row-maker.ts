import type { Readings } from '../../contract/gaps.js'
import { snippetOf } from '../../mail/index.js'
import { asFields, type Fields } from '../exchange.js'
import type { Anonymizer } from './anonymizer.js'
import type { FixtureFile } from './fixtures.js'
import {
  bodiesOf,
  headersOf,
  type ImportedThread,
  instantOf,
  type MailboxReader,
  words,
} from './mailbox-reader.js'

/** Adds a row of a scenario. */
export type AddRow = (model: string, row: object) => Promise<void>

/** What rows are made with. */
export interface RowMakerOptions {
  readonly reader: MailboxReader
  readonly readings: Readings
  /** Replaces what is private; undefined where it is kept. */
  readonly anonymizer: Anonymizer | undefined
  readonly fixtures: (type: string, size: number) => FixtureFile
}

/** Makes the rows of a scenario from what a service shows. */
export class RowMaker {
  readonly #reader: MailboxReader
  readonly #readings: Readings
  readonly #anonymizer: Anonymizer | undefined
  readonly #fixtures: (type: string, size: number) => FixtureFile
  /** How many files there were. */
  attachments = 0

  constructor({ reader, readings, anonymizer, fixtures }: RowMakerOptions) {
    this.#reader = reader
    this.#readings = readings
    this.#anonymizer = anonymizer
    this.#fixtures = fixtures
  }

  /** The row of an identity. */
  identity({
    id,
    agent_handle,
    display_name,
    description,
    mailbox_address,
    created_at,
    updated_at,
  }: Fields): object {
    const people = this.#anonymizer
    const replaced = (value: unknown): unknown =>
      typeof value === 'string' && people ? people.text(value) : value
    const mailbox = words(mailbox_address)
    return {
      ...{ id, agent_handle, display_name: replaced(display_name), description: replaced(description) },
      mailbox_address: people ? people.address(mailbox) : mailbox,
      created_at: instantOf(created_at),
      updated_at: instantOf(updated_at),
    }
  }

  /** The row of a thread. */
  async thread(id: string, identities: ReadonlyMap<string, string>): Promise<object> {
    const { row, handle, messages } = this.#reader.threads.get(id) as ImportedThread
    const subject = words(row['subject'])
    const gives = async (message: string): Promise<boolean> => {
      return (
        snippetOf({
          ...bodiesOf(await this.#reader.message(message), this.#readings),
          subject: undefined,
        }) === row['snippet']
      )
    }
    const at = (time: unknown): string[] => {
      return messages.filter((message) => this.#reader.timeOf(message) === instantOf(time))
    }
    // Of messages of one instant, the one whose snippet it is.
    const pick = async (ids: readonly string[], otherwise: string | undefined): Promise<string | null> => {
      for (const message of ids.length > 1 ? ids.toReversed() : []) if (await gives(message)) return message
      return ids.at(-1) ?? otherwise ?? null
    }
    return {
      id,
      identity_id: identities.get(handle),
      subject: this.#anonymizer ? this.#anonymizer.subject(subject) : subject,
      unread: row['unread'] === true,
      answered: false,
      message_count: row['message_count'],
      first_message_id: await pick(at(row['created_at']), messages[0]),
      last_message_id: await pick(at(row['last_message_at']), messages.at(-1)),
      last_message_at: instantOf(row['last_message_at']),
      created_at: instantOf(row['created_at']),
    }
  }

  /** Adds the rows of a message and its files. */
  async message(id: string, identities: ReadonlyMap<string, string>, add: AddRow): Promise<void> {
    const message = await this.#reader.message(id)
    const owner = this.#reader.threads.get(words(message['thread_id'])) as ImportedThread
    const files = await this.#files(message)
    for (const file of files) await add('attachment', file)
    this.attachments += files.length
    await add('message', this.#messageRow(message, identities.get(owner.handle) as string, files))
  }

  #messageRow(message: Fields, identity: string, files: readonly AttachmentFile[]): object {
    const people = this.#anonymizer
    const { text, html } = bodiesOf(message, this.#readings)
    const { id, thread_id, direction, to } = message as Record<string, unknown>
    const [from, subject] = [words(message['from']), words(message['subject'])]
    return {
      ...{ id, identity_id: identity, thread_id },
      direction: direction === 'inbound' ? 'inbound' : 'outbound',
      from: people ? people.sender(from) : from,
      to: (Array.isArray(to) ? to : []).map((one) => (people ? people.address(words(one)) : words(one))),
      subject: people ? people.subject(subject) : subject,
      text: text !== null && people ? people.text(text) : text,
      html: html !== null && people ? people.html(html) : html,
      body_key: null,
      attachment_ids: files.map((file) => file.id),
      message_id: null,
      in_reply_to: null,
      headers: headersOf(message['headers'], people),
      created_at: instantOf(message['created_at']),
    }
  }

  /** The files of a message: as they are, or fixtures of the same kind. */
  async #files(message: Fields): Promise<AttachmentFile[]> {
    const entries = message['attachments']
    const files: AttachmentFile[] = []
    for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
      const { id, filename, content_type, size_bytes, size, content_id, url, download_url } =
        asFields(entry) ?? {}
      const link = words(url ?? download_url)
      const path = URL.canParse(link) ? new URL(link).pathname : ''
      const [, inLink, nameInLink = ''] = /\/(att_[^/]+)(?:\/([^/]*))?$/.exec(path) ?? []
      const name = words(filename) || decoded(nameInLink) || 'file.bin'
      const file = await this.#file(link, {
        type: words(content_type),
        name,
        size: Number(size_bytes ?? size ?? 0),
      })
      files.push({
        id: words(id) || (inLink ?? `att_${words(message['id']).slice(4)}${index}`),
        message_id: words(message['id']),
        filename: this.#anonymizer ? this.#anonymizer.filename(name) : name,
        content_id:
          typeof content_id === 'string' ? (this.#anonymizer?.text(content_id) ?? content_id) : null,
        ...file,
      })
    }
    return files
  }

  async #file(
    link: string,
    { type, name, size }: { readonly type: string; readonly name: string; readonly size: number },
  ): Promise<Omit<FixtureFile, 'name'>> {
    if (!this.#anonymizer && link !== '') {
      const file = await this.#reader.download(link)
      if (file) return { ...file, content_type: type || file.content_type }
      this.#reader.notes.push(`${name} could not be downloaded; a file of the same kind stands for it.`)
    }
    const { name: _, ...fixture } = this.#fixtures(type || name, size)
    return { ...fixture, content_type: type || fixture.content_type }
  }

  /** The row of a webhook. */
  webhook({ id, url, events, agent_handle, has_auth_token, created_at, updated_at }: Fields): object {
    const address = words(url)
    return {
      id,
      url: this.#anonymizer ? this.#anonymizer.link(address) : address,
      events,
      agent_handle: typeof agent_handle === 'string' && agent_handle !== '' ? agent_handle : null,
      // Tokens are secrets of receivers: none is ever written.
      auth_token: has_auth_token === true ? `token-of-${words(id)}` : null,
      created_at: instantOf(created_at),
      updated_at: instantOf(updated_at),
    }
  }
}

/** A file as its row has it. */
type AttachmentFile = Omit<FixtureFile, 'name'> & {
  readonly id: string
  readonly message_id: string
  readonly filename: string
  readonly content_id: string | null
}

/** A name in a link as it was meant; as it is written where it is no valid percent-encoding. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
