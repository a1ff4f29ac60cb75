import { parseJson } from '../base/json.js'
import { type RecordedExchange, servedBody } from '../service/world/exchange.js'

/** How much an agent was served in a play. */
export interface ServedFacts {
  readonly responses: number
  /** The bytes of the bodies of all responses. */
  readonly bytes: number
  /** The tokens of a model that their text takes, estimated as a quarter of its characters. */
  readonly tokens: number
  /** The number of different messages, and of those that came more than once. */
  readonly messages: number
  readonly repeated: number
}

/** Counts what an agent is served, as it happens: a journal may lose what is old. */
export class ServedCount {
  #responses = 0
  #bytes = 0
  #characters = 0
  readonly #messages = new Map<string, number>()

  /** Counts the response of an exchange. */
  note(exchange: RecordedExchange): void {
    const body = servedBody(exchange)
    this.#responses++
    this.#bytes += body.bytes
    this.#characters += body.text.length
    if (!exchange.operation?.startsWith('messages.') || exchange.status !== 200) return
    for (const id of messagesIn(parseJson(body.text)))
      this.#messages.set(id, (this.#messages.get(id) ?? 0) + 1)
  }

  get facts(): ServedFacts {
    const counts = [...this.#messages.values()]
    return {
      responses: this.#responses,
      bytes: this.#bytes,
      tokens: Math.ceil(this.#characters / 4),
      messages: counts.length,
      repeated: counts.filter((count) => count > 1).length,
    }
  }
}

/** Returns the ids of the messages in the body of a response. */
function messagesIn(body: unknown): string[] {
  const { messages } = Object(body) as { readonly messages?: unknown }
  const rows = Array.isArray(messages) ? messages : [body]
  return rows.flatMap((row) => (typeof row?.id === 'string' ? [row.id] : []))
}
