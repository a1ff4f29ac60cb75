import type { Identity, Message, SimulatorOptions, Thread, Webhook } from 'agent-mailbox-sim'
import { expect, onTestFinished } from 'vitest'
import { defaultAssumptions } from '../../src/contract/gaps.js'
import { handlers } from './handlers.js'
import { conformanceScenario, keys } from './scenario.js'
import type { Answer, Connection } from './transport.js'

/** Query parameters, or a query already written. */
export type Query = Readonly<Record<string, string | number>> | string

/** The differences of a request from an ordinary one of the first organization. */
export interface Sending {
  /** The bearer key; null sends no `Authorization` at all. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
}

/** Answer of 4.3. */
export interface ThreadList {
  readonly threads: Thread[]
  readonly total: number
}

/** Answer of 4.4. */
export interface MessageList {
  readonly messages: Message[]
  readonly total: number
}

/** Answer of 4.5. */
export interface WebhookList {
  readonly webhooks: Webhook[]
  readonly total: number
}

/** Every gap at its default, with pages long enough for everything. */
const revealing = {
  ...defaultAssumptions,
  'messages.limit-maximum': 'none',
  'messages.headers': 'list',
} as const

/** The service as a client of the first organization sees it. */
export class Mailbox {
  readonly simulator: Connection['simulator']
  readonly baseUrl: string
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.simulator = connection.simulator
    this.baseUrl = connection.baseUrl
    this.#connection = connection
  }

  /** Sends any request. */
  send(method: string, path: string, { key = keys.own, headers, body }: Sending = {}): Promise<Answer> {
    const authorization = key === null ? {} : { authorization: `Bearer ${key}` }
    // A body of bytes has no default content type.
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    const parts = { headers: { ...authorization, ...headers }, ...(bytes && { body: bytes, duplex: 'half' }) }
    return this.#connection.request(method, path, parts)
  }

  /** Sends a GET. */
  get(path: string, sending?: Sending): Promise<Answer> {
    return this.send('GET', path, sending)
  }

  /** Sends an update of an identity, as JSON. */
  patch(handle: string, fields: unknown, sending: Sending = {}): Promise<Answer> {
    const headers = { 'content-type': 'application/json', ...sending.headers }
    return this.send('PATCH', identityPath(handle), { body: JSON.stringify(fields), ...sending, headers })
  }

  /** The identity of a handle, which must exist. */
  identity(handle: string, sending?: Sending): Promise<Identity> {
    return this.#ok(identityPath(handle), sending)
  }

  /** A page of threads; the request must succeed. */
  threads(query: Query = {}, sending?: Sending): Promise<ThreadList> {
    return this.#ok(threadsPath(query), sending)
  }

  /** A page of messages; the request must succeed. */
  messages(query: Query = {}, sending?: Sending): Promise<MessageList> {
    return this.#ok(messagesPath(query), sending)
  }

  /** The webhooks, which must be given. */
  webhooks(query: Query = {}, sending?: Sending): Promise<WebhookList> {
    return this.#ok(webhooksPath(query), sending)
  }

  /** The thread of a subject, as listed. */
  async thread(subject: string, sending?: Sending): Promise<Thread> {
    const { threads } = await this.threads({ agent: 'eva', limit: 100 }, sending)
    const thread = threads.find((candidate) => candidate.subject === subject)
    if (!thread) throw new Error(`There is no thread "${subject}".`)
    return thread
  }

  /** The messages of the thread of a subject. */
  async messagesOf(subject: string, sending?: Sending): Promise<Message[]> {
    const { id } = await this.thread(subject, sending)
    return (await this.messages({ thread_id: id }, sending)).messages
  }

  /** Everything both organizations can see with any assumptions; equal worlds have equal dumps. */
  async dump(): Promise<string> {
    const { assumptions } = this.simulator
    const chosen = assumptions.current()
    assumptions.set(revealing)
    const parts: unknown[] = []
    for (const key of [keys.own, keys.other]) {
      const { total } = await this.threads({}, { key })
      for (let offset = 0; offset < total; offset += 100) {
        parts.push(await this.threads({ limit: 100, offset }, { key }))
      }
      parts.push(await this.messages({ limit: 100_000 }, { key }), await this.webhooks({}, { key }))
      for (const handle of handles) parts.push(jsonOf(await this.get(identityPath(handle), { key })))
    }
    assumptions.set(chosen)
    return JSON.stringify(parts, null, 1)
  }

  async #ok<Body>(path: string, sending?: Sending): Promise<Body> {
    const answer = await this.get(path, sending)
    expect(answer.status, `GET ${path} gave ${textOf(answer)}`).toBe(200)
    return jsonOf(answer)
  }
}

const handles = ['eva', 'max', 'Night_Shift.bot-1', 'rival']

/** Opens the conformance scenario on a frozen clock, under the default assumptions unless others are given. */
export async function openMailbox(
  assumptions: NonNullable<SimulatorOptions['assume']> = 'default',
): Promise<Mailbox> {
  const defects: unknown[] = []
  const onDefect = (error: unknown) => void defects.push(error)
  const connection = await handlers.open({
    scenario: conformanceScenario,
    clock: 'frozen',
    assume: assumptions,
    onDefect,
  })
  onTestFinished(async () => {
    await connection.close()
    expect(defects).toEqual([])
  })
  return new Mailbox(connection)
}

/** The path of an identity; the handle is not encoded, so that odd ones can be tested. */
export const identityPath = (handle: string) => `/api/v1/identities/${handle}`
/** The path of the list of threads. */
export const threadsPath = (query: Query = {}) => `/api/v1/mail/threads${searchOf(query)}`
/** The path of the list of messages. */
export const messagesPath = (query: Query = {}) => `/api/v1/mail/messages${searchOf(query)}`
/** The path of the list of webhooks. */
export const webhooksPath = (query: Query = {}) => `/api/v1/webhooks${searchOf(query)}`

function searchOf(query: Query): string {
  if (typeof query === 'string') return query === '' ? '' : `?${query}`
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** The body of an answer as text. */
export function textOf({ body }: Answer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(body)
}

/** The body of an answer as JSON. */
export function jsonOf<Body>(answer: Answer): Body {
  return JSON.parse(textOf(answer)) as Body
}
