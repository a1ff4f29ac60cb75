import type { Readable, Writable } from 'node:stream'
import { createParser } from 'eventsource-parser'
import { isJsonObject, parseJson } from '../../base/json.js'
import { boundedLines } from './bounded-lines.js'

/** Tools that are offered over HTTP, and the streams of the client that gets them over stdio. */
export interface JoiningOptions {
  readonly url: string
  readonly key: string
  readonly input: Readable
  readonly output: Writable
}

/** Passes a client's messages over stdio on to tools at a URL, and their messages back, until the input ends. */
export async function joinOverStdio({ url, key, input, output }: JoiningOptions): Promise<void> {
  const write = (message: object): void => void output.write(`${JSON.stringify(message)}\n`)
  const refuse = (problem: string) => write(errorOf(null, -32_600, `The message was not read: ${problem}.`))
  const session = new JoinedSession(url, key, write)
  for await (const lines of boundedLines(input, refuse)) {
    for (const line of String(lines)
      .split('\n')
      .filter((text) => text.trim() !== '')) {
      const message = parseJson(line)
      if (!isJsonObject(message)) refuse('it is not a JSON object')
      else if (message['id'] === undefined || message['method'] === undefined) await session.pass(message)
      // Requests may be sent before others have their responses.
      else void session.pass(message)
    }
  }
  await session.end()
}

type Message = Readonly<Record<string, unknown>>

/** The fields of a message from which the protocol's headers are taken. */
interface Params {
  readonly name?: string
  readonly uri?: string
  readonly requestId?: unknown
  readonly _meta?: { readonly 'io.modelcontextprotocol/protocolVersion'?: string }
}

/** The HTTP requests of one client. */
class JoinedSession {
  readonly #url: string
  readonly #key: string
  readonly #write: (message: object) => void
  /** What aborts the requests without a response, by the id of the message. */
  readonly #open = new Map<unknown, AbortController>()
  readonly #ended = new AbortController()
  /** Undefined without a handshake. */
  #id: string | undefined
  #version: string | undefined

  constructor(url: string, key: string, write: (message: object) => void) {
    this.#url = url
    this.#key = key
    this.#write = write
  }

  async pass(message: Message): Promise<void> {
    const { id, method } = message
    const { requestId } = Object(message['params']) as Params
    // Without a handshake, a client cancels a request by leaving.
    if (method === 'notifications/cancelled' && this.#id === undefined) {
      return this.#open.get(requestId)?.abort()
    }
    const leaving = new AbortController()
    this.#open.set(id, leaving)
    try {
      const body = JSON.stringify(message)
      const headers = {
        ...headersFor(message),
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      }
      const answer = await this.#fetch({ method: 'POST', headers, body, signal: leaving.signal })
      await this.#take(answer, message)
    } catch (error) {
      if (leaving.signal.aborted || this.#ended.signal.aborted || id === undefined) return
      this.#write(errorOf(id, -32_000, `The mailbox at ${this.#url} cannot be reached: ${causeOf(error)}`))
    } finally {
      this.#open.delete(id)
    }
  }

  async end(): Promise<void> {
    this.#ended.abort()
    if (this.#id === undefined) return
    const headers = this.#headers({})
    await fetch(this.#url, { method: 'DELETE', headers }).catch(() => undefined)
  }

  #fetch(init: RequestInit & { headers: Record<string, string>; signal?: AbortSignal }): Promise<Response> {
    const { signal = this.#ended.signal } = init
    const either = AbortSignal.any([signal, this.#ended.signal])
    return fetch(this.#url, { ...init, headers: this.#headers(init.headers), signal: either })
  }

  #headers(headers: Record<string, string>): Record<string, string> {
    return {
      ...(this.#id !== undefined && { 'mcp-session-id': this.#id }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
      ...headers,
      authorization: `Bearer ${this.#key}`,
    }
  }

  async #take(answer: Response, { id, method }: Message): Promise<void> {
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) return this.#follow(answer)
    const text = await answer.text()
    const value = parseJson(text)
    if (id === undefined) return
    if (!isJsonObject(value) || value['jsonrpc'] === undefined) {
      const { message = text } = Object(Object(value).error) as { message?: string }
      return this.#write(errorOf(id, -32_000, message || `The mailbox responded with ${answer.status}.`))
    }
    if (method === 'initialize') this.#begin(answer, value)
    // An error of HTTP does not say which message it is about.
    this.#write(value['id'] === null ? { ...value, id } : value)
  }

  /** Begins the session of a handshake, and follows what the other side tells by itself. */
  #begin({ headers }: Response, { result }: Message): void {
    const { protocolVersion } = Object(result) as { protocolVersion?: string }
    this.#id = headers.get('mcp-session-id') ?? undefined
    this.#version = protocolVersion
    if (this.#id === undefined) return
    void this.#listen().catch(() => undefined)
  }

  async #listen(): Promise<void> {
    const stream = await this.#fetch({ method: 'GET', headers: { accept: 'text/event-stream' } })
    if (stream.ok) await this.#follow(stream)
  }

  /** Passes on the messages of a stream of events. */
  async #follow({ body }: Response): Promise<void> {
    const decoder = new TextDecoder()
    const onEvent = ({ data }: { readonly data: string }): void => {
      const message = parseJson(data)
      if (isJsonObject(message)) this.#write(message)
    }
    const parser = createParser({ onEvent })
    try {
      for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
        parser.feed(decoder.decode(piece, { stream: true }))
      }
    } catch (error) {
      if (!this.#ended.signal.aborted) throw error
    }
  }
}

/** Returns the headers that repeat a message of the revision without a handshake. */
function headersFor({ method, params }: Message): Record<string, string> {
  const { name, uri, _meta } = Object(params) as Params
  const version = _meta?.['io.modelcontextprotocol/protocolVersion']
  if (version === undefined) return {}
  const subject = method === 'resources/read' ? uri : name
  return {
    'mcp-protocol-version': version,
    'mcp-method': String(method),
    ...(typeof subject === 'string' && { 'mcp-name': headerText(subject) }),
  }
}

/** Returns a text as the protocol writes it into a header. */
function headerText(text: string): string {
  if (/^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith('=?')) return text
  return `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** Returns why `fetch` failed, which its own message does not say. */
function causeOf(error: unknown): string {
  const { message, cause } = error as Error
  const { code, message: why = message } = Object(cause) as { code?: string; message?: string }
  return why || String(code)
}

function errorOf(id: unknown, code: number, message: string): object {
  return { jsonrpc: '2.0', error: { code, message }, id }
}
