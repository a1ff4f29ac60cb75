import type { Simulator } from '../../src/doors/simulator/simulator.js'

/** A thread and a message, as agents see them. */
export interface SeenThread {
  readonly id: string
  readonly subject: string
  readonly message_count: number
  readonly last_message_at: string
}

export interface SeenMessage {
  readonly id: string
  readonly thread_id: string
  readonly text?: string | null
  readonly html?: string | null
  readonly direction: string
  readonly created_at: string
  readonly headers?: unknown
}

/** The parts of a request besides its path. */
type Init = RequestInit & { readonly headers?: Readonly<Record<string, string>> }

/** A request of an agent, and how long it may be retried. */
interface Asking {
  readonly attempts: number
  readonly obeys: boolean
}

const careful: Asking = { attempts: 5, obeys: true }

/** The common parts of small agents: requests in this process and waits on the clock of the story. */
export class Desk {
  readonly #mailbox: Simulator
  readonly asking: Asking
  /** How often an answer failed. */
  failures = 0

  constructor(mailbox: Simulator, asking: Asking = careful) {
    this.#mailbox = mailbox
    this.asking = asking
  }

  /** Sends a request once. */
  async send(path: string, init: Init = {}): Promise<Response> {
    const { baseUrl, apiKey, handlers } = this.#mailbox
    const request = new Request(`${baseUrl}/api/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...init.headers },
    })
    for (const handler of handlers) {
      const result = await handler.run({ request, requestId: '1' })
      if (result?.response?.type === 'error') throw new TypeError('fetch failed')
      if (result?.response) return result.response
    }
    throw new TypeError('fetch failed')
  }

  /** Sends a request and retries it while the service is busy. */
  async get<Body>(path: string, init: Init = {}): Promise<Body> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.send(path, init)
      if (answer.ok) return (await answer.json()) as Body
      this.failures++
      if (attempt >= this.asking.attempts || ![429, 503].includes(answer.status))
        throw new Error(`${path.split('?')[0]} was answered ${answer.status}`)
      await this.wait(this.asking.obeys ? 1000 * Number(answer.headers.get('retry-after') ?? 1) : 0)
    }
  }

  /** Waits, on the story's clock. */
  wait(milliseconds: number): Promise<void> {
    return this.#mailbox.clock.advance(milliseconds)
  }

  async page(offset: number, limit = 10): Promise<{ threads: SeenThread[]; total: number }> {
    return this.get(`/mail/threads?agent=support&limit=${limit}&offset=${offset}`)
  }

  /** Reads all pages into `seen`; tells whether there was anything new. */
  async pass(seen: Map<string, SeenThread>, limit = 10): Promise<boolean> {
    const before = seen.size
    for (let offset = 0; ; offset += limit) {
      const { threads } = await this.page(offset, limit)
      for (const thread of threads) seen.set(thread.id, thread)
      if (threads.length < limit) return seen.size > before
    }
  }

  /** Reads all threads, and again until nothing is new. */
  async all(limit = 10): Promise<Map<string, SeenThread>> {
    const seen = new Map<string, SeenThread>()
    while (await this.pass(seen, limit));
    return seen
  }

  async messages(thread: string): Promise<SeenMessage[]> {
    const { messages } = await this.get<{ messages: SeenMessage[] }>(
      `/mail/messages?thread_id=${thread}&limit=100`,
    )
    return messages
  }

  /** Reads the messages of all these threads. */
  async read(threads: Iterable<string>): Promise<SeenMessage[]> {
    const read: SeenMessage[] = []
    for (const thread of threads) read.push(...(await this.messages(thread)))
    return read
  }

  describe(description: string): Promise<unknown> {
    return this.get('/identities/support', { method: 'PATCH', body: JSON.stringify({ description }) })
  }

  /** Returns the newest message of a thread; undefined if there is none. */
  async newest(thread: string): Promise<SeenMessage | undefined> {
    const messages = await this.messages(thread)
    return messages.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))[0]
  }

  /** Answers a message once. */
  reply(id: string, text: string, key?: string): Promise<Response> {
    return this.send(`/mail/messages/${id}/reply`, posting({ text }, key))
  }

  /** Accepts every event and queues it for the agent. */
  events(url: string): { id: string; data: { thread_id?: string; message_id?: string } }[] {
    const taken: { id: string; data: { thread_id?: string; message_id?: string } }[] = []
    this.#mailbox.webhooks.on(url, async (request) => {
      taken.push(JSON.parse(await request.text()))
    })
    return taken
  }
}

/** Returns the parts of a POST, under an `Idempotency-Key` if one is given. */
export function posting(body: object, key?: string): Init {
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  return { method: 'POST', body: JSON.stringify(body), headers }
}

/** Where agents receive events. */
export const hook = 'http://agent.test/hook'

/** An event as its delivery has it. */
interface SeenEvent {
  id: string
  data: { thread_id?: string; message_id?: string }
}

/** Handles events for a minute of the story. */
export async function listen(desk: Desk, handle: (event: SeenEvent) => Promise<void>): Promise<void> {
  const events = desk.events(hook)
  for (let round = 0; round < 6; round++) {
    await desk.wait(10_000)
    // Continues with the next event after a failure.
    for (const event of events.splice(0)) await handle(event).catch(() => undefined)
    await desk.get('/identities/support')
  }
}

/** Handles events like `listen`, a careful agent each one once. */
export async function listenOnce(
  desk: Desk,
  isCareful: boolean,
  handle: (event: SeenEvent) => Promise<void>,
): Promise<void> {
  const handled = new Set<string>()
  await listen(desk, async (event) => {
    if (isCareful && handled.has(event.id)) return
    handled.add(event.id)
    await handle(event)
  })
}

/** The scenario of an agent. */
export type Scene = 'desk' | 'small' | 'events' | 'sending'

/** A small agent with a planted bug, and without it. */
export interface PlantedBug {
  readonly name: string
  readonly scene: Scene
  /** The number of elements in a minimal plan that reveals it. */
  readonly elements: 1 | 2
  act(desk: Desk, isCareful: boolean): Promise<void>
  /** How the agent with the bug sends requests. */
  readonly asking?: Desk['asking']
}
