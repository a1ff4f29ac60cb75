import { parseJson } from '../../base/json.js'
import { counted, decodePercent } from '../../base/text.js'
import { withinLimit } from '../../service/time/wall-time.js'
import type { Replayed } from '../replay/replay.js'
import { writeFileWhole } from '../reports/write-file.js'
import { type Span, tracesData } from './otlp.js'
import { type NamedPlay, spansOf } from './spans.js'

/** The most spans in one request. */
const mostSpans = 512

/** Milliseconds that a receiver may take for a request. */
const limitMs = 10_000

/** Exports the spans of plays: to a file, as a message of the protocol a line, or to a receiver. @see OTLP */
export class SpanExport {
  readonly #file: string
  readonly #address: URL | undefined
  readonly #headers: Readonly<Record<string, string>>
  readonly #lines: string[] = []
  #spans = 0
  #lost = 0
  #problem: string | undefined
  #isGone = false

  /**
   * `target` is the name of a file, or the URL of a receiver; `headers` are those of each request, as
   * `OTEL_EXPORTER_OTLP_HEADERS` has them: `name=value,name=value`.
   */
  constructor(target: string | URL, headers = '') {
    this.#file = String(target)
    this.#address = typeof target === 'string' ? undefined : receiverAt(target)
    this.#headers = headersIn(headers)
  }

  /** Adds the spans of a play that has just ended. */
  async add(played: Replayed, named: NamedPlay = {}): Promise<void> {
    const spans = spansOf(played, named)
    this.#spans += spans.length
    const { length } = spans
    if (!this.#address) this.#lines.push(JSON.stringify(tracesData(spans)))
    else
      for (let sent = 0; sent < length; sent += mostSpans) {
        await this.#send(this.#address, spans.slice(sent, sent + mostSpans))
      }
  }

  /** Writes the file, if there is one; returns what the receiver did not take, in a line. @throws an error of the file system */
  async end(): Promise<string | undefined> {
    if (!this.#address) await writeFileWhole(this.#file, this.#lines.map((line) => `${line}\n`).join(''))
    if (this.#problem === undefined) return undefined
    const { host, pathname } = this.#address ?? { host: this.#file, pathname: '' }
    return `${this.#lost} of ${counted(this.#spans, 'span')} did not reach ${host}${pathname}: ${this.#problem}`
  }

  /** Sends spans; whatever becomes of them, the plays go on. */
  async #send(address: URL, spans: readonly Span[]): Promise<void> {
    // A receiver that is not there is not awaited again.
    this.#lost += this.#isGone ? spans.length : await this.#post(address, spans)
  }

  async #post(address: URL, spans: readonly Span[]): Promise<number> {
    const headers = { 'content-type': 'application/json', ...this.#headers }
    const body = JSON.stringify(tracesData(spans))
    try {
      const answer = await withinLimit(limitMs, undefined, async (signal) => {
        const response = await fetch(address, { method: 'POST', headers, body, signal })
        return { status: response.status, text: await response.text() }
      })
      if (answer.status >= 200 && answer.status < 300) return this.#rejected(answer.text)
      this.#problem ??= `it responded ${answer.status}`
    } catch (error) {
      const { message, cause } = error as Error
      this.#isGone = true
      this.#problem ??= cause instanceof Error ? cause.message || message : message
    }
    return spans.length
  }

  /** Returns how many spans a receiver has rejected. @see OTLP, ExportTracePartialSuccess */
  #rejected(text: string): number {
    const { rejectedSpans = 0, errorMessage = '' } = Object(Object(parseJson(text)).partialSuccess)
    const count = Number(rejectedSpans)
    if (!(count > 0)) return 0
    this.#problem ??= String(errorMessage) || 'it rejected them'
    return count
  }
}

/** Returns the address that spans are sent to: at `/v1/traces` unless another path is named. */
function receiverAt(url: URL): URL {
  const address = new URL(url)
  if (address.pathname === '/') address.pathname = '/v1/traces'
  return address
}

function headersIn(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const place = pair.indexOf('=')
    const decode = (part: string): string => decodePercent(part.trim())
    return place > 0 ? [[decode(pair.slice(0, place)), decode(pair.slice(place + 1))] as const] : []
  })
  return Object.fromEntries(pairs)
}
