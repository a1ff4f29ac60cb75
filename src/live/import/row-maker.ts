import { readdir, readFile } from 'node:fs/promises'
import { packageRoot } from '../../base/package.js'
import { decodePercent } from '../../base/text.js'
import type { Assumptions } from '../../contract/gaps.js'
import { contentTypeOf } from '../../mail/media-types.js'
import { snippetOf, textOfHtml } from '../../mail/snippet.js'
import { toBase64 } from '../../mail/transfer-encoding.js'
import { authenticationSchema } from '../../service/model/authentication.js'
import type { MessageRow } from '../../service/model/rows.js'
import { asFields, type Fields } from '../calibrate/exchange.js'
import type { DownloadedFile } from '../calibrate/service-client.js'
import { piecesOfText, type Replacer, unchanged } from './anonymizer.js'
import { type ImportedMessage, type ImportedThread, type LiveMailbox, timeIn, words } from './live-mailbox.js'

/** Lets others work between the steps of long work; rejects to end it. */
export type Turn = () => Promise<void>

/** The dependencies of a row maker. */
interface RowMakerOptions {
  readonly live: LiveMailbox
  readonly assumptions: Assumptions
  /** Ids of identities by handle. */
  readonly identityIds: ReadonlyMap<string, string>
  /** Replaces private data. */
  readonly people: Replacer
  readonly turn: Turn
  readonly fixtures: (type: string, size: number) => DownloadedFile
}

/** The row of a file. */
interface AttachmentRow extends DownloadedFile {
  readonly id: string
  readonly message_id: string
  readonly filename: string
  readonly content_id: string | null
}

/** Creates the rows of a scenario from the rows of a service. */
export class RowMaker {
  readonly #options: RowMakerOptions
  /** Ids of the files so far. */
  readonly #fileIds = new Set<string>()

  constructor(options: RowMakerOptions) {
    this.#options = options
  }

  /** The number of files so far. */
  get attachments(): number {
    return this.#fileIds.size
  }

  /** Returns the row of an identity. */
  identity({ display_name, description, ...identity }: Fields): object {
    const { people } = this.#options
    const { id, agent_handle, mailbox_address, created_at, updated_at } = identity as Record<string, unknown>
    const replaced = (value: unknown): unknown => (typeof value === 'string' ? people.text(value) : value)
    return {
      ...{ id, agent_handle, display_name: replaced(display_name), description: replaced(description) },
      mailbox_address: people.address(words(mailbox_address)),
      created_at: timeIn(created_at),
      updated_at: timeIn(updated_at),
    }
  }

  /** Returns the row of a thread. */
  thread(id: string): object {
    const { live, people, identityIds } = this.#options
    const { row, handle, messages } = live.threads.get(id) as ImportedThread
    // Of messages with the same time, the one that the snippet belongs to.
    const pick = (time: unknown, otherwise: string | undefined): string | null => {
      const ids = messages.filter((message) => live.timeOf(message) === timeIn(time))
      const shown = (ids.length > 1 ? ids.toReversed() : []).find((message) => {
        const bodies = this.#bodiesOf(live.messages.get(message)?.row ?? {})
        return snippetOf({ ...bodies, subject: undefined }) === row['snippet']
      })
      return shown ?? ids.at(-1) ?? otherwise ?? null
    }
    return {
      id,
      identity_id: identityIds.get(handle),
      subject: people.subject(words(row['subject'])),
      unread: row['unread'] === true,
      answered: false,
      message_count: row['message_count'],
      first_message_id: pick(row['created_at'], messages[0]),
      last_message_id: pick(row['last_message_at'], messages.at(-1)),
      last_message_at: timeIn(row['last_message_at']),
      created_at: timeIn(row['created_at']),
    }
  }

  /** Returns the row of a message after those of its files. */
  async message(id: string): Promise<readonly (readonly [model: string, row: object])[]> {
    const { row: message } = this.#options.live.messages.get(id) as ImportedMessage
    const files = await this.#files(message)
    const rows = files.map((file) => ['attachment', file] as const)
    return [...rows, ['message', await this.#messageRow(message, files)]]
  }

  async #messageRow(message: Fields, files: readonly AttachmentRow[]): Promise<object> {
    const { people, live, identityIds } = this.#options
    const { text, html } = this.#bodiesOf(message)
    const { id, thread_id, direction, to } = message as Record<string, unknown>
    const { handle } = live.threads.get(words(thread_id)) as ImportedThread
    return {
      ...{ id, identity_id: identityIds.get(handle), thread_id },
      direction: direction === 'inbound' ? 'inbound' : 'outbound',
      from: people.sender(words(message['from'])),
      to: (Array.isArray(to) ? to : []).map((one) => people.address(words(one))),
      subject: people.subject(words(message['subject'])),
      text: text === null ? null : await this.#replaced(text),
      html: html === null ? null : await this.#html(html, text),
      body_key: null,
      attachment_ids: files.map((file) => file.id),
      message_id: null,
      in_reply_to: null,
      headers: headersOf(message['headers'], people),
      ...authenticationIn(message, people),
      created_at: timeIn(message['created_at']),
    }
  }

  /** Replaces a text piece by piece. */
  async #replaced(text: string): Promise<string> {
    const { people, turn } = this.#options
    await turn()
    if (people === unchanged) return text
    let replaced = ''
    for (const piece of piecesOfText(text)) {
      replaced += people.text(piece)
      await turn()
    }
    return replaced
  }

  /** Returns the HTML of a message: the original, or HTML with the replaced text of the message. */
  async #html(html: string, text: string | null): Promise<string> {
    const { people } = this.#options
    if (people === unchanged) return html
    const shown = await this.#replaced(text?.trim() ? text : textOfHtml(html).trim())
    const escaped = shown.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
    return `<p>${escaped.replaceAll('\n', '<br>\n')}</p>`
  }

  /** Returns the rows of a message's files: the originals, or fixtures of the same kind. */
  async #files(message: Fields): Promise<AttachmentRow[]> {
    const { people } = this.#options
    const entries = message['attachments']
    const files: AttachmentRow[] = []
    for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
      const { id, filename, content_type, size_bytes, size, content_id, url, download_url } =
        asFields(entry) ?? {}
      const link = words(url ?? download_url)
      const path = URL.canParse(link) ? new URL(link).pathname : ''
      const [, inLink, nameInLink = ''] = /\/(att_[^/]+)(?:\/([^/]*))?$/.exec(path) ?? []
      const name = words(filename) || decodePercent(nameInLink) || 'file.bin'
      // The parameters of a type may hold the name of the file.
      const type = people === unchanged ? words(content_type) : mediaTypeOf(words(content_type))
      const file =
        (await this.#downloaded(link, name)) ??
        this.#options.fixtures(type || name, countIn(size_bytes ?? size))
      const shown = words(id) || (inLink ?? '')
      // Messages may share a file.
      const isNew = shown !== '' && !this.#fileIds.has(shown)
      const fileId = isNew ? shown : `att_${words(message['id']).slice(4)}${index}`
      this.#fileIds.add(fileId)
      files.push({
        id: fileId,
        message_id: words(message['id']),
        filename: people.filename(name),
        content_id: typeof content_id === 'string' ? people.text(content_id) : null,
        ...file,
        content_type: type || file.content_type,
      })
    }
    return files
  }

  /** Downloads the original file; undefined if private data is replaced or the download fails. */
  async #downloaded(link: string, name: string): Promise<DownloadedFile | undefined> {
    const { live, people } = this.#options
    if (people !== unchanged || link === '') return undefined
    const file = await live.download(link)
    if (!file) live.notes.push(`${name} could not be downloaded; a file of the same type replaces it.`)
    return file
  }

  /** Returns the row of a webhook. */
  webhook({ id, url, events, agent_handle, has_auth_token, created_at, updated_at }: Fields): object {
    return {
      id,
      url: this.#options.people.link(words(url)),
      events,
      agent_handle: typeof agent_handle === 'string' && agent_handle !== '' ? agent_handle : null,
      // Tokens are secrets of the receivers, so they are never written.
      auth_token: has_auth_token === true ? `token-of-${words(id)}` : null,
      created_at: timeIn(created_at),
      updated_at: timeIn(updated_at),
    }
  }

  /** Returns the bodies of a message; null for a missing one. */
  #bodiesOf({ text, html }: Fields): { readonly text: string | null; readonly html: string | null } {
    const isNone = this.#options.assumptions['messages.empty-body'] === 'empty-string'
    const body = (value: unknown): string | null => {
      return typeof value !== 'string' || (value === '' && isNone) ? null : value
    }
    return { text: body(text), html: body(html) }
  }
}

/** Header fields without private data. */
const plainFields =
  /^(date|mime-version|content-transfer-encoding|precedence|importance|x-priority|auto-submitted)$/i

/** Header fields that the receiving server adds, which name people and machines. */
const addedFields = /^(return-path|received|authentication-results)$/i

/** Returns what a message shows about its sender, unless its header fields, which are kept, show it. */
function authenticationIn(message: Fields, people: Replacer): Pick<MessageRow, 'authentication'> {
  const { authentication, headers } = message as Record<string, unknown>
  const field = authenticationSchema().safeParse(asFields(authentication))
  if (field.success) return { authentication: field.data }
  if (people === unchanged) return {}
  const [, value] = fieldsIn(headers).find(([name]) => /^authentication-results$/i.test(name)) ?? []
  const named = Object.fromEntries(
    ['spf', 'dkim', 'dmarc'].map((name) => [
      name,
      new RegExp(`\\b${name}=(\\w+)`, 'i').exec(value ?? '')?.[1]?.toLowerCase(),
    ]),
  )
  const found = authenticationSchema().safeParse(named)
  return found.success ? { authentication: found.data } : {}
}

/** Returns the header fields of a message from any of their forms; null if it has none. */
function headersOf(headers: unknown, people: Replacer): [string, string][] | null {
  const fields = fieldsIn(headers)
  if (headers === undefined) return null
  if (people === unchanged) return fields
  return fields
    .filter(([name]) => !addedFields.test(name))
    .map(([name, value]) => {
      // A comment of a date may hold anything.
      if (plainFields.test(name)) return [name, value.replace(/\(.*/s, (comment) => people.text(comment))]
      if (/^content-type$/i.test(name)) return [name, mediaTypeOf(value)]
      if (/^subject$/i.test(name)) return [name, people.subject(value)]
      return [name, people.text(value)]
    })
}

function fieldsIn(headers: unknown): [string, string][] {
  return Array.isArray(headers)
    ? headers.map(
        (field) => [words(asFields(field)?.['name']), words(asFields(field)?.['value'])] as [string, string],
      )
    : Object.entries(asFields(headers) ?? {}).flatMap(([name, value]) => {
        return [value].flat().map((one) => [name, words(one)] as [string, string])
      })
}

/** Returns a value if it is a count, and otherwise 0. */
function countIn(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.max(0, value as number) : 0
}

/** Returns a content type without its parameters. */
function mediaTypeOf(contentType: string): string {
  return contentType.replace(/\s*;.*/s, '')
}

/** The largest substitute for a file, in bytes. */
const largest = 256 * 1024

/**
 * Returns a function that finds a substitute for a file: a shipped file of the same kind, padded to the size, up to
 * a quarter of a megabyte.
 */
export async function createFixtures(): Promise<(type: string, size: number) => DownloadedFile> {
  const folder = new URL('fixtures/attachments/', packageRoot())
  const files = new Map<string, Uint8Array>()
  for (const name of await readdir(folder)) files.set(name, await readFile(new URL(name, folder)))
  return (type, size) => {
    const names = [...files.keys()]
    const name =
      names.find((one) => kindOf(one) === kindOf(type)) ??
      (names.find((one) => one.endsWith('.txt')) as string)
    const content = files.get(name) as Uint8Array
    const bytes = new Uint8Array(Math.max(content.length, Math.min(size, largest)))
    bytes.set(content)
    // Most formats ignore padding after their end; text is padded with line breaks.
    bytes.fill(/\.(txt|csv|ics)$/.test(name) ? 10 : 0, content.length)
    const content_type = contentTypeOf(name)
    return { content_type, size_bytes: bytes.length, content: toBase64(bytes) }
  }
}

/** Returns the kind of a media type or file name: `pdf`, `image`, `calendar`, `csv` or `text`. */
function kindOf(name: string): string {
  return (
    /pdf|image|png|jpe?g|gif|calendar|ics|csv/i
      .exec(name)?.[0]
      .toLowerCase()
      .replace(/png|jpe?g|gif/, 'image')
      .replace('ics', 'calendar') ?? 'text'
  )
}
