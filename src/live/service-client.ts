import { piecesOf, readPieces } from '../base/bytes.js'
import { isJsonObject, parseJson } from '../base/json.js'
import { isError } from '../base/platform.js'
import { counted, truncate } from '../base/text.js'
import { CodedError } from '../service/model/errors.js'
import { TimeLimitError, Timers, wallTime, withinLimit } from '../service/time/wall-time.js'
import { parseRetryAfter } from '../service/webhooks/retry-policy.js'

/** A request to a live service. */
export interface LiveRequest {
  readonly method: 'GET' | 'PATCH' | 'OPTIONS'
  /** The path and query below the base URL, or the whole URL of a stored file. */
  readonly target: string
  /** The key that it carries: the user's, none, or an invented one. */
  readonly key: 'own' | 'none' | 'made-up'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What a live service answered. */
export interface Answer {
  readonly request: LiveRequest
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  /** The parsed text; undefined if it is not JSON. */
  readonly json: unknown
}

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** Thrown when work with a live service cannot continue: it refuses what the user gave, it failed, or there was a signal. */
export class LiveError extends CodedError<'refused' | 'failed' | 'interrupted'> {
  override readonly name = 'LiveError'
}

/** Sends a request as `fetch` does. */
export type Fetch = (request: Request) => Promise<Response>

/** The options of a client of a live service. */
export interface ClientOptions {
  /** The URL of the service, without `/api/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** The maximum requests per second. */
  readonly rate: number
  /** The maximum requests in total. */
  readonly maxRequests: number
  readonly signal?: AbortSignal | undefined
  readonly fetch?: Fetch | undefined
  /** Waits for some milliseconds, or until the signal; by default in real time. */
  readonly wait?: ((milliseconds: number, signal?: AbortSignal) => Promise<unknown>) | undefined
  /** The maximum wait for a whole response, in milliseconds; 15 s by default, so that three of them end within a minute. */
  readonly timeLimit?: number | undefined
  /** Called with each answer. */
  readonly onAnswer?: ((answer: Answer) => void) | undefined
}

/** The shortest key that is removed from answers; a shorter one may be a word of a message. */
const shortestKey = 8

/** The key of requests that must not be accepted by a service that checks keys. */
const madeUpKey = 'made-up-key-of-a-calibration'

/** The largest response that is read, in bytes. */
const largestAnswer = 32 * 1024 * 1024

/** How often a request is sent that is refused with 429, and a read that gets a 5xx or no response. */
const mostTries = 3

/** The longest pause that a service may ask for, in milliseconds. */
const longestPause = 120_000

/** Sends requests to a live service one at a time, within a rate and a total. */
export class ServiceClient {
  readonly #options: ClientOptions
  #sent = 0

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** The number of requests that were sent, including retries. */
  get sent(): number {
    return this.#sent
  }

  /**
   * Sends a request, and again after a 429; a read also after a 5xx or without a response. One that restores something
   * (`anyway`) is also sent after an interruption, and beyond the total. @throws LiveError
   */
  async send(request: LiveRequest, { anyway = false } = {}): Promise<Answer> {
    const { rate, maxRequests, onAnswer } = this.#options
    const signal = anyway ? undefined : this.#options.signal
    for (let tries = 1; ; tries++) {
      if (this.#sent > 0) await this.#pause(1000 / rate, signal)
      if (!anyway && this.#sent >= maxRequests) {
        throw new LiveError('failed', `${maxRequests} requests were sent, the limit of --max-requests.`)
      }
      this.#sent++
      const answer = await this.#answer(request, signal)
      const pause = tries < mostTries ? pauseAfter(answer, request) : undefined
      if (pause !== undefined) await this.#pause(pause, signal)
      else if (answer instanceof LiveError) throw answer
      else if (answer.status === 429)
        throw new LiveError('failed', 'The service refuses more requests (429).')
      else {
        onAnswer?.(answer)
        return answer
      }
    }
  }

  /** Returns the answer to a request, or that there is none. @throws LiveError `interrupted` */
  async #answer(request: LiveRequest, signal: AbortSignal | undefined): Promise<Answer | LiveError> {
    const { apiKey, baseUrl, timeLimit = 15_000, fetch = globalThis.fetch } = this.#options
    const { method, target, key, body = null } = request
    const url = target.startsWith('/') ? `${baseUrl.replace(/\/$/, '')}${target}` : target
    const authorization = `Bearer ${key === 'own' ? apiKey : madeUpKey}`
    const all = { accept: 'application/json', ...(key !== 'none' && { authorization }), ...request.headers }
    // What a write did is restored, so its answer is awaited.
    const ending = method === 'GET' ? signal : undefined
    try {
      return await withinLimit(timeLimit, ending, async (limit) => {
        const sent = { method, headers: all, body, signal: limit, redirect: 'manual' } as const
        const { status, headers, body: stream } = await fetch(new Request(url, sent))
        const bytes = await readPieces(piecesOf(stream), { most: largestAnswer })
        if (bytes.length > largestAnswer) throw new Error('the response has more than 32 MiB')
        const shown = new TextDecoder().decode(bytes)
        // The service may echo the key into what is shown or written.
        const text = apiKey.length < shortestKey ? shown : shown.replaceAll(apiKey, '***')
        return { request, status, headers, bytes, text, json: parseJson(text) }
      })
    } catch (error) {
      if (ending?.aborted) throw interrupted()
      const remedy = this.#sent > mostTries ? '' : ' Is --base-url the address of the service?'
      return new LiveError('failed', `${method} ${url}: ${reasonOf(error)}.${remedy}`, { cause: error })
    }
  }

  async #pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    const { wait = (...some) => new Timers().wait(...some) } = this.#options
    await wait(milliseconds, signal)
    if (signal?.aborted) throw interrupted()
  }
}

/** Returns after how many milliseconds a request is sent again; undefined if its answer counts. */
function pauseAfter(answer: Answer | LiveError, { method }: LiveRequest): number | undefined {
  if (answer instanceof LiveError || answer.status >= 500) return method === 'GET' ? 1000 : undefined
  if (answer.status !== 429) return undefined
  const asked = parseRetryAfter(answer.headers.get('retry-after') ?? undefined, wallTime()) ?? 10_000
  return asked <= longestPause ? Math.max(1000, asked) : undefined
}

function interrupted(): LiveError {
  return new LiveError('interrupted', 'It was interrupted.')
}

function reasonOf(error: unknown): string {
  if (error instanceof TimeLimitError) return 'no whole response in time'
  const { message, cause } = error as Error
  return isError(cause) ? cause.message || String((cause as { code?: string }).code) : message
}

/** Returns a GET with the user's key. */
export function get(path: string, query: Readonly<Record<string, string | number>> = {}): LiveRequest {
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
  const search = new URLSearchParams(texts).toString()
  return { method: 'GET', target: `/api/v1/${path}${search === '' ? '' : `?${search}`}`, key: 'own' }
}

/** Returns the request for an identity. */
export function identityRequest(handle: string): LiveRequest {
  return get(`identities/${encodeURIComponent(handle)}`)
}

/** Returns a value as an object; undefined if it is not one. */
export function asFields(value: unknown): Fields | undefined {
  return isJsonObject(value) ? value : undefined
}

/** Returns the object of a successful answer; undefined if there is none. */
export function objectOf({ status, json }: Answer): Fields | undefined {
  return status === 200 ? asFields(json) : undefined
}

/** Returns the rows of a list; undefined if the answer is not such a list, or a row has no id. */
export function rowsOf(answer: Answer, list: string): readonly Fields[] | undefined {
  const rows = objectOf(answer)?.[list]
  if (!Array.isArray(rows)) return undefined
  return rows.every((row) => typeof asFields(row)?.['id'] === 'string') ? rows : undefined
}

/** Returns a value if it is text, and otherwise an empty text. */
export function words(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Formats a request in one line. */
export function describeRequest({ method, target, key, headers = {}, body }: LiveRequest): string {
  const keyed = key === 'own' ? '' : key === 'none' ? ' without a key' : ' with a made-up key'
  const origin = headers['origin'] === undefined ? '' : ` from ${headers['origin']}`
  const sent = body === undefined ? '' : ` ${truncate(body, 60)}`
  return `${method} ${target}${sent}${keyed}${origin}`
}

/** Formats a request and its answer in one line, of a success only how long its list is: mail is private. */
export function describeExchange(answer: Answer): string {
  const counts = ['threads', 'messages', 'webhooks'].flatMap((list) => {
    const rows = rowsOf(answer, list)
    const total = truncate(String(objectOf(answer)?.['total']), 20)
    return rows ? `, ${counted(rows.length, list.slice(0, -1))}, total ${total}` : []
  })
  const refusal = answer.status === 200 ? '' : ` ${truncate(answer.text.replace(/\s+/g, ' '), 120)}`
  return `${describeRequest(answer.request)} → ${answer.status}${counts.join('')}${refusal}`.trimEnd()
}

/** Returns the rows of the lists in answers, each once. */
export function uniqueRows(answers: readonly Answer[], list: string): Fields[] {
  const rows = answers.flatMap((answer) => rowsOf(answer, list) ?? [])
  return [...new Map(rows.map((row) => [row['id'], row])).values()]
}

/** Returns the entries of the attachments of a message. */
export function attachmentsOf({ attachments }: Fields): Fields[] {
  return [attachments].flat().filter(isJsonObject)
}

/** Returns the address of an attachment; '' if there is none. */
export function linkOf({ url, download_url }: Fields): string {
  return words(url ?? download_url)
}
