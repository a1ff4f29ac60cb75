import { piecesOf, readPieces } from '../../base/bytes.js'
import { parseJson } from '../../base/json.js'
import { JsonMeasure } from '../../base/json-reader.js'
import { isError } from '../../base/platform.js'
import { formatDuration } from '../../base/text.js'
import { toBase64 } from '../../mail/transfer-encoding.js'
import { formatInstant } from '../../service/time/time.js'
import { stopwatch, TimeLimitError, Timers, wallTime, withinLimit } from '../../service/time/wall-time.js'
import { parseRetryAfter } from '../../service/webhooks/retry-policy.js'
import { CalibrationError, type ProbeAnswer, type ProbeExchange, type ProbeRequest } from './exchange.js'
import { nonexistent } from './mailbox-view.js'

/** Sends a request as `fetch` does. */
export type Fetch = (request: Request) => Promise<Response>

/** The options of a client of the service. */
export interface ClientOptions {
  /** The URL of the service, without `/api/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** The maximum requests per second. */
  readonly rate: number
  /** The maximum requests in total, including those of an earlier run. */
  readonly maxRequests: number
  readonly fetch?: Fetch | undefined
  /** Waits for some milliseconds, or until the signal; by default in real time. */
  readonly wait?: ((milliseconds: number, signal?: AbortSignal) => Promise<unknown>) | undefined
  readonly signal?: AbortSignal | undefined
  /** The maximum wait for a response, in milliseconds; 30 s by default. */
  readonly longestWait?: number | undefined
  /** The maximum bytes of all responses but files; 512 MiB by default. */
  readonly mostBytes?: number | undefined
  /** Called with a sentence when the client has to wait. */
  readonly onWait?: ((sentence: string) => void) | undefined
}

/** A downloaded file in the form of a scenario. */
export interface DownloadedFile {
  readonly content_type: string
  readonly size_bytes: number
  /** In base64. */
  readonly content: string
}

/** The maximum size of a response or a file, and of all files, in bytes. */
const [largestAnswer, largestFile, allFiles] = [32 * 1024 * 1024, 52_428_800, 1_073_741_824]

/** The maximum size of all responses but files, in bytes: they are kept in memory. */
const allAnswers = 536_870_912

/** The bounds of JSON: what reads it is recursive. */
const jsonBounds = { depth: 100, values: Number.POSITIVE_INFINITY, members: Number.POSITIVE_INFINITY }

/** The maximum wait for a response, in milliseconds. */
const longestWait = 30_000

/** The maximum time that one request waits after 429 responses, in milliseconds. */
const longestPause = 15 * 60_000

/** The maximum `Retry-After` of a 5xx after which the request is retried, in milliseconds. */
const longestOutage = 90_000

/** How often a request is retried that gets a 5xx or no response. */
const retriesOfOutages = 2

/** How often a request, and all requests together, may get no response within the limit. */
const [silencesOfOne, silencesOfAll] = [2, 5]

/** An exchange that may still be repeated. */
type Unnumbered = Omit<ProbeExchange, 'number'>

/** Sends requests to the service one at a time, within a rate and a total. */
export class ServiceClient {
  readonly #options: ClientOptions
  #sent: number
  #number: number
  #admitted: number
  #hasAnswered = false
  /** The bytes of all downloaded files. */
  #downloaded = 0
  /** The bytes of all other responses. */
  #received = 0
  /** The number of requests without a response within the limit. */
  #silences = 0
  #elapsed: (() => number) | undefined

  /** `before` has the exchanges of an earlier run, which count towards the total. */
  constructor(options: ClientOptions, before: readonly ProbeExchange[] = []) {
    this.#options = options
    this.#sent = before.length
    this.#number = before.at(-1)?.number ?? 0
    this.#admitted = before.filter(({ request, answer }) => countsTowardsRate(request, answer)).length
  }

  /** The number of requests that were sent, including retries and those of an earlier run. */
  get sent(): number {
    return this.#sent
  }

  /** The number of requests that may still be sent. */
  get left(): number {
    return this.#options.maxRequests - this.#sent
  }

  /** The number of requests that a limit of the service counts: those with the user's key that it did not refuse. */
  get admitted(): number {
    return this.#admitted
  }

  /**
   * Sends a request. Retries it after a 429, after a 5xx and, unless it writes, without a response.
   * @throws CalibrationError
   */
  async send(request: ProbeRequest): Promise<ProbeExchange> {
    const wait = this.#limitedWait()
    const mostSilences = Math.min(silencesOfAll, this.#silences + silencesOfOne)
    for (let tries = 1; ; ) {
      const mayRetry = tries <= retriesOfOutages && this.left > 1
      const exchange = await this.#sendOnce(request).catch((error: CalibrationError) => {
        // A first request without a response has the wrong address.
        const isOutage = error.code === 'unreachable' && this.#hasAnswered && request.method !== 'PATCH'
        const isSilent = error.cause instanceof TimeLimitError && this.#silences >= mostSilences
        if (isOutage && !isSilent && mayRetry) return undefined
        throw error
      })
      const { status, headers = {} }: Partial<ProbeAnswer> = exchange?.answer ?? {}
      if (status === 429) {
        await wait(headers['retry-after'])
        continue
      }
      const pause = parseRetryAfter(headers['retry-after'], wallTime()) ?? 1000
      // A persistent 5xx is the service's response; any other 5xx shows nothing about the request.
      const isAnswer = status !== undefined && !(status >= 500 && mayRetry && pause <= longestOutage)
      if (exchange && isAnswer) return this.#numbered(exchange)
      tries++
      await this.#pause(pause)
    }
  }

  /** Sends a request immediately, and ignores what the response is. @throws CalibrationError */
  async sendAtOnce(request: ProbeRequest): Promise<ProbeExchange> {
    return this.#numbered(await this.#record(request, undefined))
  }

  /** Sends a request that restores something, despite limits and interruptions. @throws CalibrationError */
  async sendAnyway(request: ProbeRequest): Promise<ProbeExchange> {
    const wait = this.#limitedWait()
    for (;;) {
      const exchange = await this.#record(request, undefined)
      const isInterrupted = this.#options.signal?.aborted === true
      const { status, headers } = exchange.answer
      if (status !== 429 || isInterrupted) return this.#numbered(exchange)
      // An interruption ends the wait, and then the request is sent one last time.
      await wait(headers['retry-after']).catch((error: CalibrationError) => {
        if (error.code !== 'interrupted') throw error
      })
    }
  }

  /** Returns a function that waits as long as the 429 responses to one request require, within a bound. */
  #limitedWait(): (retryAfter: string | undefined) => Promise<void> {
    let left = longestPause
    return async (retryAfter) => {
      const pause = Math.max(1000, parseRetryAfter(retryAfter, wallTime()) ?? 10_000)
      left -= pause
      if (left < 0) {
        const asked = retryAfter === undefined ? '' : `, Retry-After: ${retryAfter}`
        throw new CalibrationError(
          'rate-limited',
          `The service refuses more requests for now (429${asked}); one request waits at most ` +
            `${formatDuration(longestPause)}.`,
        )
      }
      this.#options.onWait?.(`The service asks for a pause of ${Math.ceil(pause / 1000)} s (429); waiting.`)
      await this.#pause(pause)
    }
  }

  #numbered(exchange: Unnumbered): ProbeExchange {
    return { number: ++this.#number, ...exchange }
  }

  /**
   * Downloads a file, with or without the key; returns undefined if that fails, or if it is too large, alone or together
   * with the earlier ones. @throws CalibrationError
   */
  async download(url: string, withKey: boolean): Promise<DownloadedFile | undefined> {
    const { signal } = this.#options
    const key = withKey ? 'own' : 'none'
    const request: ProbeRequest = { method: 'GET', target: url, key, headers: { accept: '*/*' } }
    const wait = this.#limitedWait()
    for (;;) {
      if (this.#silences >= silencesOfAll) return undefined
      await this.#keepPace()
      this.#elapsed = stopwatch()
      const most = Math.min(largestFile, allFiles - this.#downloaded)
      const answer = await this.#within(signal, async (limit) => {
        const response = await this.#fetch(request, limit)
        return { response, bytes: await bytesOf(response, most) }
      }).catch((error) => this.#noteSilence(error))
      if (signal?.aborted) throw interrupted()
      const { response, bytes } = answer ?? {}
      if (response?.status === 429) await wait(response.headers.get('retry-after') ?? undefined)
      else if (response?.status !== 200 || !bytes) return undefined
      else {
        this.#downloaded += bytes.length
        const type = response.headers.get('content-type') ?? 'application/octet-stream'
        return { content_type: type, size_bytes: bytes.length, content: toBase64(bytes) }
      }
    }
  }

  async #sendOnce(request: ProbeRequest): Promise<Unnumbered> {
    const { maxRequests, signal } = this.#options
    if (this.left <= 0) {
      throw new CalibrationError(
        'too-many-requests',
        `${maxRequests} requests were sent, the maximum of --max-requests.`,
      )
    }
    await this.#keepPace()
    return this.#record(request, signal)
  }

  /** Waits until the next request may be sent. @throws CalibrationError */
  async #keepPace(): Promise<void> {
    const { rate, signal } = this.#options
    const since = this.#elapsed?.() ?? Number.POSITIVE_INFINITY
    if (since < 1000 / rate) await this.#pause(1000 / rate - since)
    if (signal?.aborted) throw interrupted()
  }

  async #record(request: ProbeRequest, signal: AbortSignal | undefined): Promise<Unnumbered> {
    this.#elapsed = stopwatch()
    this.#sent++
    const at = formatInstant(wallTime())
    const elapsed = stopwatch()
    const answer = await this.#answer(request, signal)
    this.#hasAnswered = true
    if (countsTowardsRate(request, answer)) this.#admitted++
    return { request, answer, at, duration: Math.round(elapsed()) }
  }

  async #answer(request: ProbeRequest, signal: AbortSignal | undefined): Promise<ProbeAnswer> {
    try {
      return await this.#within(request.method === 'GET' ? signal : undefined, async (limit) => {
        const response = await this.#fetch(request, limit)
        const { status, headers } = response
        const text = await this.#textOf(response)
        return { status, headers: Object.fromEntries(headers), text, json: shallowJson(text) }
      })
    } catch (error) {
      if (signal?.aborted) throw interrupted()
      if (error instanceof CalibrationError) throw error
      this.#noteSilence(error)
      const { method, target } = request
      const remedy = this.#hasAnswered ? '' : ' Is --base-url the address of the service?'
      const seen = `${method} ${this.#urlOf(target)}: ${reasonOf(error)}${remedy}`
      throw new CalibrationError('unreachable', seen, { cause: error })
    }
  }

  /** Counts a request that got no response within the limit. */
  #noteSilence(error: unknown): undefined {
    if (error instanceof TimeLimitError) this.#silences++
  }

  /** Returns the text of a response; of a file only the beginning. @throws CalibrationError */
  async #textOf(response: Response): Promise<string> {
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
    const bytes = await readPieces(piecesOf(response.body), { most: isJson ? largestAnswer : 4096 })
    const { mostBytes = allAnswers } = this.#options
    this.#received += bytes.length
    if (this.#received > mostBytes) {
      const message = `The service returned more than ${mostBytes / 1_048_576} MiB, which is more than is read.`
      throw new CalibrationError('unexpected', message)
    }
    // `stream` drops a character that was cut in the middle.
    return new TextDecoder().decode(bytes, { stream: true })
  }

  /** Performs something that must end before the limit, and with the signal. */
  #within<Result>(
    signal: AbortSignal | undefined,
    act: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return withinLimit(this.#options.longestWait ?? longestWait, signal, act)
  }

  #fetch({ method, target, key, headers = {}, body }: ProbeRequest, signal: AbortSignal): Promise<Response> {
    const { apiKey, fetch = (request: Request) => globalThis.fetch(request) } = this.#options
    const authorization: Record<string, string> =
      key === 'none' ? {} : { authorization: `Bearer ${key === 'own' ? apiKey : nonexistent.key}` }
    return fetch(
      new Request(this.#urlOf(target), {
        method,
        headers: { accept: 'application/json', ...authorization, ...headers },
        redirect: 'manual',
        signal,
        ...(body === undefined ? {} : { body }),
      }),
    )
  }

  #urlOf(target: string): string {
    return target.startsWith('/') ? `${this.#options.baseUrl.replace(/\/$/, '')}${target}` : target
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal, wait = (time, until) => new Timers().wait(time, until) } = this.#options
    await wait(milliseconds, signal)
    if (signal?.aborted) throw interrupted()
  }
}

function countsTowardsRate({ key, target }: ProbeRequest, { status }: ProbeAnswer): boolean {
  return key === 'own' && target.startsWith('/api/v1/') && status !== 429
}

function interrupted(): CalibrationError {
  return new CalibrationError('interrupted', 'It was interrupted.')
}

/** Returns the bytes of a response; undefined if there are more than `most`. */
async function bytesOf(response: Response, most: number): Promise<Uint8Array | undefined> {
  const bytes = await readPieces(piecesOf(response.body), { most })
  return bytes.length > most ? undefined : bytes
}

/** Parses the JSON of a response; undefined when it is malformed, or nested so deep that no service means it. */
export function shallowJson(text: string): unknown {
  const measure = new JsonMeasure(jsonBounds)
  try {
    measure.add(new TextEncoder().encode(text))
    return parseJson(text)
  } catch {
    return undefined
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  if (error instanceof TimeLimitError) return `no response within ${longestWait / 1000} s.`
  return `${isError(cause) ? cause.message || String((cause as { code?: string }).code) : message}.`
}
