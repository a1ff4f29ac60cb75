import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../contract/counted.js'
import type { Readings } from '../../contract/gaps.js'
import { limits } from '../../contract/limits.js'
import { snippetOf } from '../../mail/index.js'
import { formatInstant, hashText, uniqueMark } from '../../world/index.js'
import { handlesIn } from '../calibrate.js'
import { CalibrationError } from '../errors.js'
import { asFields, type Fields, objectOf, type ProbeRequest } from '../exchange.js'
import { get, lookAt } from '../reads.js'
import { type ClientOptions, ServiceClient } from '../service-client.js'
import { Anonymizer } from './anonymizer.js'
import { createFixtures, type FixtureFile } from './fixtures.js'
import { inCreationOrder, listOrderOf, mergeOrders } from './ordinals.js'
import { PageStore } from './page-store.js'
import { bodiesOf, headersOf, instantOf, words } from './row-parts.js'

/** What to import, and how. */
export interface ImportOptions extends Omit<ClientOptions, 'maxRequests'> {
  /** Agents by handle; left out, those that the mailbox shows. */
  readonly agents: readonly string[]
  /** How the service settles the gaps. */
  readonly readings: Readings
  /** What of them the scenario is to say. */
  readonly choices: Readonly<Record<string, string>>
  /** Only threads with mail from so many milliseconds before the latest mail on. */
  readonly since: number | undefined
  /** Whether mail is kept as it is. */
  readonly keepPrivate: boolean
  /** The folder to write. */
  readonly out: string
  readonly onProgress?: ((sentence: string) => void) | undefined
}

/** What an import wrote. */
export interface Imported {
  readonly scenario: string
  readonly counts: Readonly<Record<'agents' | 'threads' | 'messages' | 'attachments' | 'webhooks', number>>
  readonly notes: readonly string[]
}

/** The seed of scenarios that are imported: orders that are shuffles come out as they were. */
const seed = 1

/** Imports what a service shows of its mailboxes as a scenario. @throws CalibrationError */
export async function importMailbox(options: ImportOptions): Promise<Imported> {
  await mkdir(options.out, { recursive: true })
  const pages = await PageStore.open(join(options.out, '.import.jsonl'))
  let isComplete = false
  try {
    const imported = await new MailboxImport(options, pages).run()
    isComplete = true
    return imported
  } finally {
    await pages.close(isComplete)
  }
}

/** A thread that is imported. */
interface ImportedThread {
  readonly row: Fields
  readonly handle: string
  /** Ids of its messages, the oldest first. */
  messages: string[]
}

/** Where a message stands in the pages. */
interface MessagePlace {
  readonly target: string
  readonly index: number
  readonly thread: string
  readonly at: number
}

class MailboxImport {
  readonly #options: ImportOptions
  readonly #pages: PageStore
  readonly #client: ServiceClient
  readonly #anonymizer: Anonymizer | undefined
  readonly #threads = new Map<string, ImportedThread>()
  readonly #places = new Map<string, MessagePlace>()
  readonly #notes: string[] = []
  /** Lists of messages beyond single threads, which show the order among them. */
  readonly #windows: string[][] = []
  #attachments = 0

  constructor(options: ImportOptions, pages: PageStore) {
    this.#options = options
    this.#pages = pages
    this.#client = new ServiceClient({ ...options, maxRequests: Number.POSITIVE_INFINITY })
    this.#anonymizer = options.keepPrivate ? undefined : new Anonymizer(hashText(uniqueMark(), 1)[0] ?? 1)
  }

  async run(): Promise<Imported> {
    const { out, keepPrivate } = this.#options
    const webhooks = await this.#list(get('/api/v1/webhooks'), 'webhooks')
    const identities = await this.#identities(webhooks)
    const order = await this.#listThreads(identities)
    await this.#listMessages(identities)
    if (this.#anonymizer) await this.#noteWords(identities, webhooks)
    const rows = await open(join(out, 'rows.jsonl'), 'w', keepPrivate ? 0o600 : 0o644)
    try {
      const write = async (model: string, row: object): Promise<void> => {
        await rows.appendFile(`${JSON.stringify({ model, ...row })}\n`)
      }
      for (const identity of identities) await write('identity', this.#identityRow(identity))
      const ids = new Map(
        identities.map((identity) => [words(identity['agent_handle']), words(identity['id'])]),
      )
      for (const id of order) await write('thread', await this.#threadRow(id, ids))
      await this.#writeMessages(write, ids)
      const { 'webhooks.order': reading } = this.#options.readings
      const byId = new Map(webhooks.map((webhook) => [words(webhook['id']), webhook]))
      for (const id of inCreationOrder([...byId.keys()], listOrderOf(reading), seed)) {
        await write('webhook', this.#webhookRow(byId.get(id) as Fields))
      }
    } finally {
      await rows.close()
    }
    const scenario = join(out, 'scenario.yaml')
    await writeFile(scenario, this.#scenarioText())
    const counts = {
      agents: identities.length,
      threads: this.#threads.size,
      messages: this.#places.size,
      attachments: this.#attachments,
      webhooks: webhooks.length,
    }
    return { scenario, counts, notes: this.#notes }
  }

  /** The body of a page, from the disk or from the service; undefined where it is refused. */
  async #page(request: ProbeRequest): Promise<Fields | undefined> {
    const known = await this.#pages.read(request.target)
    if (known) return known
    const { answer } = await this.#client.send(request)
    // Everything that is needed again is in the store.
    this.#client.exchanges.length = 0
    if (answer.status === 401 || answer.status === 403) {
      throw new CalibrationError(
        'refused',
        `The service refuses the key: ${request.target} answers ${answer.status}.`,
      )
    }
    const body = answer.status === 200 ? objectOf(answer) : undefined
    if (body) await this.#pages.add(request.target, body)
    return body
  }

  async #list(request: ProbeRequest, name: string): Promise<readonly Fields[]> {
    const rows = (await this.#page(request))?.[name]
    return Array.isArray(rows) ? (rows as Fields[]) : []
  }

  async #identities(webhooks: readonly Fields[]): Promise<Fields[]> {
    const { agents } = this.#options
    const named = agents.map((handle) => handle.replace(/^@/, ''))
    const shown = async (): Promise<string[]> => {
      const rows = await this.#list(get('/api/v1/mail/messages', { limit: '100' }), 'messages')
      return handlesIn({ messages: new Map(rows.map((row) => [words(row['id']), row])), webhooks })
    }
    const identities: Fields[] = []
    for (const handle of named.length > 0 ? named : (await shown()).slice(0, 100)) {
      const identity = await this.#page(lookAt(handle))
      const isNew = identity && !identities.some(({ id }) => id === identity['id'])
      if (isNew && typeof identity['mailbox_address'] === 'string') identities.push(identity)
      else if (!identity && named.length > 0) {
        throw new CalibrationError('malformed', `--agent ${handle}: the service has no such agent.`)
      }
    }
    if (identities.length === 0) {
      throw new CalibrationError('malformed', 'The mailbox shows no agent; name one with --agent HANDLE.')
    }
    return identities
  }

  /** Pages through threads; returns their ids in the order in which they are to be created. */
  async #listThreads(identities: readonly Fields[]): Promise<string[]> {
    const { readings, since, onProgress } = this.#options
    const lists: string[][] = []
    for (const identity of identities) {
      const handle = words(identity['agent_handle'])
      const rows = await this.#allThreads({ agent: handle }, (count) => {
        onProgress?.(`${handle}: ${counted(count, 'thread')}`)
      })
      for (const row of rows) this.#threads.set(words(row['id']), { row, handle, messages: [] })
      lists.push(rows.map((row) => words(row['id'])))
    }
    if (since !== undefined) {
      const times = [...this.#threads.values()].map(({ row }) => instantOf(row['last_message_at']))
      const earliest = times.reduce((a, b) => Math.max(a, b), 0) - since
      for (const [id, { row }] of this.#threads)
        if (instantOf(row['last_message_at']) < earliest) this.#threads.delete(id)
    }
    if (identities.length > 1 && readings['threads.unscoped'] === 'all') {
      lists.unshift((await this.#allThreads({})).map((row) => words(row['id'])))
    }
    const reading = readings['threads.order']
    const known = (ids: readonly string[]): string[] => ids.filter((id) => this.#threads.has(id))
    const merged = mergeOrders(lists.map(known))
    const field = reading.startsWith('created') ? 'created_at' : 'last_message_at'
    const order = listOrderOf(reading)
    if (order !== 'shuffled') {
      const sign = order === 'ascending' ? 1 : -1
      const at = (id: string): number => instantOf(this.#threads.get(id)?.row[field])
      merged.sort((a, b) => sign * (at(a) - at(b)))
    }
    return inCreationOrder(merged, order, seed)
  }

  async #allThreads(filter: Record<string, string>, onCount?: (count: number) => void): Promise<Fields[]> {
    const limit = limits['threads.list'].limit.maximum
    const threads = new Map<string, Fields>()
    for (let offset = 0; ; offset += limit) {
      const query = { ...filter, limit: String(limit), offset: String(offset) }
      const rows = await this.#list(get('/api/v1/mail/threads', query), 'threads')
      for (const row of rows) threads.set(words(row['id']), row)
      onCount?.(threads.size)
      if (rows.length < limit) return [...threads.values()]
    }
  }

  /** Reads all messages: page by page where there is an offset, else thread by thread. */
  async #listMessages(identities: readonly Fields[]): Promise<void> {
    const { readings, onProgress } = this.#options
    const most = readings['messages.limit-maximum']
    const limit = most === '100' ? 100 : 500
    const path = '/api/v1/mail/messages'
    const progress = (): void => onProgress?.(counted(this.#places.size, 'message'))
    if (readings['messages.offset'] === 'honoured') {
      const all: string[] = []
      for (let offset = 0; ; offset += limit) {
        const ids = await this.#take(get(path, { limit: String(limit), offset: String(offset) }))
        all.push(...ids)
        progress()
        if (ids.length < limit) break
      }
      this.#windows.push(all)
    } else {
      if (readings['messages.order'] === 'unspecified') {
        this.#windows.push(await this.#take(get(path, { limit: String(limit) })))
        for (const { agent_handle: agent } of identities) {
          this.#windows.push(await this.#take(get(path, { agent: words(agent), limit: String(limit) })))
        }
      }
      for (const id of this.#threads.keys()) {
        this.#windows.push(await this.#take(get(path, { thread_id: id, limit: String(limit) })))
        progress()
      }
      const unread = [...this.#threads.values()].filter(({ row }) => row['unread'] === true).length
      if (unread > 0 && readings['threads.unread-after-read'] === 'becomes-read') {
        this.#notes.push(
          `The service has marked ${counted(unread, 'thread')} as read, since their messages were listed.`,
        )
      }
    }
    let lacking = 0
    for (const { messages, row } of this.#threads.values()) {
      const at = (id: string): number => this.#places.get(id)?.at ?? 0
      messages.sort((a, b) => at(a) - at(b))
      if (messages.length < Number(row['message_count'])) lacking++
    }
    if (lacking > 0) this.#notes.push(`${counted(lacking, 'thread')} could not be read to the end.`)
  }

  /** Takes in a page of messages; returns their ids in the order of the page. */
  async #take(request: ProbeRequest): Promise<string[]> {
    const rows = await this.#list(request, 'messages')
    return rows.flatMap((row, index) => {
      const [id, thread] = [words(row['id']), words(row['thread_id'])]
      const owner = this.#threads.get(thread)
      if (!owner) return []
      if (!this.#places.has(id)) {
        this.#places.set(id, { target: request.target, index, thread, at: instantOf(row['created_at']) })
        owner.messages.push(id)
      }
      return [id]
    })
  }

  async #message(id: string): Promise<Fields> {
    const { target, index } = this.#places.get(id) as MessagePlace
    const rows = (await this.#pages.read(target))?.['messages'] as Fields[]
    return rows[index] as Fields
  }

  /** Takes in every text, so that nothing that is invented is a word of one of them. */
  async #noteWords(identities: readonly Fields[], webhooks: readonly Fields[]): Promise<void> {
    const note = (value: unknown): void => {
      if (typeof value === 'string') this.#anonymizer?.note(value)
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(note)
    }
    for (const row of [...identities, ...webhooks]) note(row)
    for (const { row } of this.#threads.values()) note(row['subject'])
    for (const id of this.#places.keys()) {
      const { from, to, subject, text, html, headers, attachments } = (await this.#message(id)) as Record<
        string,
        unknown
      >
      note([from, to, subject, text, html, headers, attachments])
    }
  }

  #identityRow({
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

  async #threadRow(id: string, identities: ReadonlyMap<string, string>): Promise<object> {
    const { row, handle, messages } = this.#threads.get(id) as ImportedThread
    const subject = words(row['subject'])
    const gives = async (message: string): Promise<boolean> => {
      return (
        snippetOf({
          ...bodiesOf(await this.#message(message), this.#options.readings),
          subject: undefined,
        }) === row['snippet']
      )
    }
    const at = (time: unknown): string[] => {
      return messages.filter((message) => this.#places.get(message)?.at === instantOf(time))
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

  async #writeMessages(
    write: (model: string, row: object) => Promise<void>,
    identities: ReadonlyMap<string, string>,
  ): Promise<void> {
    const reading = this.#options.readings['messages.order']
    const order = reading === 'chronological-in-thread' ? 'descending' : listOrderOf(reading)
    const isAscendingInThread = reading === 'chronological-in-thread'
    const merged = mergeOrders(
      this.#windows.map((ids) => {
        const isOfThread = new Set(ids.map((id) => this.#places.get(id)?.thread)).size === 1
        return isAscendingInThread && isOfThread && this.#windows.length > 1 ? ids.toReversed() : ids
      }),
    )
    if (order !== 'shuffled') {
      const sign = order === 'ascending' ? 1 : -1
      const at = (id: string): number => this.#places.get(id)?.at ?? 0
      merged.sort((a, b) => sign * (at(a) - at(b)))
    }
    const fixtures = await createFixtures()
    for (const id of inCreationOrder(merged, order, seed)) {
      const message = await this.#message(id)
      const owner = this.#threads.get(words(message['thread_id'])) as ImportedThread
      const files = await this.#files(message, fixtures)
      for (const file of files) await write('attachment', file)
      this.#attachments += files.length
      await write('message', this.#messageRow(message, identities.get(owner.handle) as string, files))
    }
  }

  #messageRow(message: Fields, identity: string, files: readonly AttachmentFile[]): object {
    const people = this.#anonymizer
    const { text, html } = bodiesOf(message, this.#options.readings)
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
  async #files(
    message: Fields,
    fixtures: (type: string, size: number) => FixtureFile,
  ): Promise<AttachmentFile[]> {
    const entries = message['attachments']
    const files: AttachmentFile[] = []
    for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
      const { id, filename, content_type, size_bytes, size, content_id, url, download_url } =
        asFields(entry) ?? {}
      const link = words(url ?? download_url)
      const path = URL.canParse(link) ? new URL(link).pathname : ''
      const [, inLink, nameInLink = ''] = /\/(att_[^/]+)(?:\/([^/]*))?$/.exec(path) ?? []
      const name = words(filename) || decodeURIComponent(nameInLink) || 'file.bin'
      const file = await this.#file(
        link,
        { type: words(content_type), name, size: Number(size_bytes ?? size ?? 0) },
        fixtures,
      )
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
    fixtures: (type: string, size: number) => FixtureFile,
  ): Promise<Omit<FixtureFile, 'name'>> {
    if (!this.#anonymizer && link !== '') {
      // The key goes to the service alone.
      const isOwn = new URL(link).origin === new URL(this.#options.baseUrl).origin
      const file = await this.#client.download(link, isOwn)
      if (file) return { ...file, content_type: type || file.content_type }
      this.#notes.push(`${name} could not be downloaded; a file of the same kind stands for it.`)
    }
    const { name: _, ...fixture } = fixtures(type || name, size)
    return { ...fixture, content_type: type || fixture.content_type }
  }

  #webhookRow({ id, url, events, agent_handle, has_auth_token, created_at, updated_at }: Fields): object {
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

  #scenarioText(): string {
    const { choices } = this.#options
    const times = [...this.#threads.values()].map(({ row }) => instantOf(row['last_message_at']))
    const latest = times.reduce((a, b) => Math.max(a, b), 0)
    const readings = Object.entries(choices).map(([gap, reading]) => `  ${gap}: '${reading}'`)
    return [
      'scenario: imported',
      `describe: Mailboxes of a live service, imported${this.#options.keepPrivate ? '' : ' with invented words'}.`,
      `seed: ${seed}`,
      `start: ${formatInstant(latest + 60_000)}`,
      ...(readings.length > 0 ? ['readings:', ...readings] : []),
      'organization: { name: Imported, api_keys: [test-key] }',
      'rows: ./rows.jsonl',
      '',
    ].join('\n')
  }
}

/** A file as its row has it. */
type AttachmentFile = Omit<FixtureFile, 'name'> & {
  readonly id: string
  readonly message_id: string
  readonly filename: string
  readonly content_id: string | null
}
