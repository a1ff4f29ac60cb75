import type { Message, Simulator, Thread } from 'agent-mailbox-sim'
import { yieldToEventLoop } from '../../src/service/time/wall-time.js'

/** The answer to an agent, or undefined if it was not usable. */
interface Answer {
  readonly status: number
  readonly body: unknown
}

/** The limits of opened threads, so that a loop of automatic mail does not keep the agent busy. */
const [mostReads, mostAtOnce] = [6, 25]

/** The number of times that it opened a thread, and the number of messages the last time. */
interface Known {
  readonly times: number
  readonly messages: number
}

const unknown: Known = { times: 0, messages: 0 }

/** An agent that checks its mailbox every few seconds, reads unread threads and retries failed requests later. */
export class CarefulAgent {
  readonly #simulator: Simulator
  readonly #handle: string
  readonly #known = new Map<string, Known>()

  constructor(simulator: Simulator, handle: string) {
    this.#simulator = simulator
    this.#handle = handle
    simulator.webhooks.on('*', () => new Response())
  }

  /** Works until the story ends and for a while after. */
  async work(): Promise<void> {
    do {
      await this.#look()
      await this.#simulator.clock.advance('5s')
    } while (this.#simulator.timeline.left > 0)
    for (let more = 0; more < 3; more++) await this.#look()
  }

  /** Sets its own name or description. */
  async update(fields: object): Promise<void> {
    await this.ask(`/identities/${this.#handle}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    })
  }

  /** Answers the latest message that came into the thread with a subject. */
  async reply(subject: string, text: string): Promise<void> {
    const { id = '' } = (await this.#threads()).find((thread) => thread.subject === subject) ?? {}
    const answer = await this.ask(`/mail/messages?thread_id=${id}&limit=100`)
    const messages = isList(answer, 'messages') ? (answer.body as { messages: Message[] }).messages : []
    const latest = messages.find(({ direction }) => direction === 'inbound')
    const headers = { 'content-type': 'application/json' }
    await this.ask(`/mail/messages/${latest?.id}/reply`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ text }),
    })
  }

  /** Sends a request; the clock advances while the service answers. */
  async ask(path: string, { headers, ...init }: RequestInit = {}): Promise<Answer | undefined> {
    const { apiKey, baseUrl, handlers, clock } = this.#simulator
    const request = new Request(new URL(`/api/v1${path}`, baseUrl), {
      ...init,
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
    })
    let settled = false
    const asking = answerTo(handlers, request).finally(() => {
      settled = true
    })
    for (let turn = 1; !settled; turn++) {
      await yieldToEventLoop()
      if (!settled && turn % 20 === 0) await clock.advance('500ms')
    }
    return asking
  }

  async #look(): Promise<void> {
    const threads = await this.#threads()
    const news = threads.filter(({ id, unread, message_count }) => {
      const { times, messages } = this.#known.get(id) ?? unknown
      return unread && messages !== message_count && times < mostReads
    })
    for (const { id, message_count } of news.slice(0, mostAtOnce)) {
      const answer = await this.ask(`/mail/messages?thread_id=${id}&limit=100`)
      const { times } = this.#known.get(id) ?? unknown
      if (isList(answer, 'messages')) this.#known.set(id, { times: times + 1, messages: message_count })
    }
  }

  /** The newest threads; none if the list could not be read. */
  async #threads(): Promise<Thread[]> {
    const answer = await this.ask(`/mail/threads?agent=${this.#handle}&limit=100`)
    return isList(answer, 'threads') ? (answer.body as { threads: Thread[] }).threads : []
  }
}

async function answerTo(handlers: Simulator['handlers'], request: Request): Promise<Answer | undefined> {
  for (const handler of handlers) {
    const result = await handler.run({ request, requestId: '1' })
    if (!result?.response) continue
    const { response } = result
    const body = await response.json().catch(() => undefined)
    return response.type === 'error' ? undefined : { status: response.status, body }
  }
  throw new Error(`Nobody answers ${request.url}.`)
}

function isList(answer: Answer | undefined, name: string): answer is Answer {
  const body = answer?.body as Record<string, unknown> | null | undefined
  return answer?.status === 200 && Array.isArray(body?.[name])
}
