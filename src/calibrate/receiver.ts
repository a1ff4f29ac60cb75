import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { startPause, stopwatch, wallTime } from '../world/wall-time.js'
import { CalibrationError } from './exchange.js'

/** How the receiver answers a delivery. */
export type DeliveryAction = 'ok' | 'fail' | 'gone' | 'later' | 'empty' | 'hold'

/** An instant of wall time in milliseconds, and the lag of this process around it. */
export interface Moment {
  readonly at: number
  readonly late: number
}

/** A request of the service, and when it arrived. */
export interface ReceivedAttempt extends Moment {
  /** Counts from 1001; lower numbers belong to our own requests. */
  readonly number: number
  /** Path and query. */
  readonly target: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly action: DeliveryAction
  /** When the service closed the connection of an unanswered delivery. */
  hungUp: Moment | undefined
}

/** Seconds that the receiver asks the service to wait. */
export const requestedPause = 20

/** The milliseconds between two measurements of the lag, and how many are kept. */
const [tick, remembered] = [20, 40]

/** The largest accepted delivery in bytes. */
const largestBody = 1024 * 1024

/** Receives deliveries on loopback, and answers each as `choose` says. */
export class DeliveryReceiver {
  readonly #attempts: ReceivedAttempt[] = []
  #count = 0
  readonly #server: Server
  #elapsed = stopwatch()
  #lags: readonly number[] = []
  #isClosed = false
  readonly #choose: (target: string, body: string) => DeliveryAction
  readonly #onAttempt: (attempt: ReceivedAttempt) => void

  constructor(
    choose: (target: string, body: string) => DeliveryAction,
    onAttempt: (attempt: ReceivedAttempt) => void,
  ) {
    this.#choose = choose
    this.#onAttempt = onAttempt
    this.#server = createServer((request, response) => void this.#receive(request, response))
  }

  /** The received attempts, in order. */
  get attempts(): readonly ReceivedAttempt[] {
    return this.#attempts.toSorted((a, b) => a.number - b.number)
  }

  /** Starts listening; returns the port. @throws CalibrationError if the port is taken */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException): void => {
        const reason = error.code === 'EADDRINUSE' ? 'the port is taken' : error.message
        reject(new CalibrationError('malformed', `--listen ${port}: ${reason}.`))
      }
      this.#server.once('error', fail).listen(port, '127.0.0.1', resolve)
    })
    void this.#watch()
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : port
  }

  /** Measures the lag of this process until the receiver is closed. */
  async #watch(): Promise<void> {
    while (!this.#isClosed) {
      this.#elapsed = stopwatch()
      await startPause(tick).over
      this.#lags = [...this.#lags.slice(1 - remembered), this.#elapsed() - tick]
    }
  }

  #lateness(): number {
    // Requests are reported before the pause that should have ended by then.
    return [...this.#lags, this.#elapsed() - tick].reduce((a, b) => Math.max(a, b), 0)
  }

  /** Closes the server and all connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()))
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [at, late] = [wallTime(), this.#lateness()]
    const number = 1001 + this.#count++
    const body = await bodyOf(request).catch(() => undefined)
    if (body === undefined) return void response.destroy()
    const target = request.url ?? '/'
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const action = this.#choose(target, body)
    const attempt: ReceivedAttempt = {
      number,
      ...{ target, method: request.method ?? '', headers, body, at, late, action },
      hungUp: undefined,
    }
    this.#attempts.push(attempt)
    if (action === 'hold') {
      response.on('close', () => {
        attempt.hungUp = { at: wallTime(), late: this.#lateness() }
      })
    } else {
      const [status, fields] = answers[action]
      response.writeHead(status, { ...fields, 'content-length': '0' }).end()
    }
    this.#onAttempt(attempt)
  }
}

const answers: Readonly<Record<Exclude<DeliveryAction, 'hold'>, readonly [number, Record<string, string>]>> =
  {
    ok: [200, {}],
    fail: [500, {}],
    gone: [410, {}],
    later: [503, { 'retry-after': String(requestedPause) }],
    empty: [204, {}],
  }

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > largestBody) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
