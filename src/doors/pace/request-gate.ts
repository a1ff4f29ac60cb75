import { hashText, hexOf } from '../../service/time/random.js'
import type { RecordedExchange } from '../../service/world/exchange.js'
import type { JournalEntry } from '../../service/world/journal.js'
import type { World } from '../../service/world/world.js'

/** The part of a request by which it is recognized when it is repeated. */
export interface GatedRequest {
  readonly method: string
  readonly path: string
  readonly search: string
  /** Aborted when its client gives up. */
  readonly signal: AbortSignal
}

/** The last response to a request, and how often it came again in a round, in which nothing new came and no time passed. */
interface Known {
  readonly response: string
  readonly round: number
  readonly at: number
  readonly repeats: number
}

/**
 * Recognizes an agent that asks again for all it has seen, and makes its next such request wait until story time has moved,
 * so that an agent that polls without pause rests.
 */
export class RequestGate {
  readonly #world: World
  /** How often a request may bring nothing new before the next one waits. */
  most: number
  readonly #known = new Map<string, Known>()
  readonly #responses = new Set<string>()
  readonly #waiting = new Set<() => void>()
  readonly #stop: () => void
  #isNew = false
  #isFurther = false
  #isAsking = false
  #round = 0
  #exchanges = 0
  /** The number of exchanges at the last look for news. */
  #exchangesThen = 0
  /** Returns whether every request has to wait until story time has moved. */
  isClosed: () => boolean = () => false
  /** Returns how late it is in the story: an agent that moves it itself repeats nothing. */
  instant: () => number = () => 0
  /** Called with each request before it is handled, and after each exchange. */
  onActivity: () => void = () => undefined

  constructor(world: World, most = 3) {
    this.#world = world
    this.most = most
    world.gate = (request) => this.#admit(request)
    const { feed } = world
    this.#stop = feed.subscribe(() => {
      const event = feed.keptAt(feed.latest)
      if (event?.type === 'exchange') this.#note((event.content as JournalEntry).recorded)
      // What comes or changes at a request is new, though the response to that request may not show it.
      if (event?.type === 'event' || event?.type === 'timeline') this.noteNews()
    })
  }

  /** The number of requests whose response waits for story time to move. */
  get held(): number {
    return this.#waiting.size + this.#world.clock.waiting
  }

  /** The number of requests that wait here. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** The number of exchanges so far. */
  get exchanges(): number {
    return this.#exchanges
  }

  /**
   * Returns whether a response brought anything new since the last call, or the agent asked somebody else. After the story's
   * end, what it asks about a mailbox in which it has found nothing new is not new: a model is asked in every round.
   */
  takeNews(isLate = false): boolean {
    const hasLooked = this.#exchanges > this.#exchangesThen
    const isNew = this.#isNew || (this.#isAsking && !(isLate && hasLooked))
    this.#isNew = false
    this.#isAsking = false
    this.#exchangesThen = this.#exchanges
    return isNew
  }

  /**
   * Returns whether a request came since the last call that is unlike all before, and whose response is, too: the agent still
   * works through what it has not dealt with, rather than look again for something new.
   */
  takeProgress(): boolean {
    const isFurther = this.#isFurther
    this.#isFurther = false
    return isFurther
  }

  /** Notes that the agent asks somebody else. */
  noteQuestion(): void {
    this.#isAsking = true
    this.#round++
  }

  /** Notes something new for the agent from elsewhere. */
  noteNews(): void {
    this.#isNew = true
    this.#round++
  }

  /** Lets the requests pass that wait, once story time has moved. */
  open(): void {
    this.#round++
    for (const pass of [...this.#waiting]) pass()
  }

  /** Stops recognizing requests, and lets all of them pass. */
  close(): void {
    this.#stop()
    this.#world.gate = undefined
    this.open()
  }

  #admit(request: GatedRequest): Promise<void> | undefined {
    this.onActivity()
    if (!this.isClosed() && this.#repeatsOf(keyOf(request)) < this.most) return undefined
    return new Promise((resolve) => {
      const pass = (): void => {
        this.#waiting.delete(pass)
        resolve()
      }
      this.#waiting.add(pass)
      request.signal.addEventListener('abort', pass, { once: true })
    })
  }

  /** Returns how often a request was repeated in this round. */
  #repeatsOf(key: string): number {
    const known = this.#known.get(key)
    return known?.round === this.#round && known.at === this.instant() ? known.repeats : 0
  }

  #note(exchange: RecordedExchange): void {
    this.#exchanges++
    const { method, requestBody, status } = exchange
    // A write that is repeated brings nothing new, though its response has another time; sent mail has another id.
    const isWrite = ['PATCH', 'PUT', 'DELETE'].includes(method) && status < 400
    const key = isWrite ? `${keyOf(exchange)} ${requestBody}` : keyOf(exchange)
    const response = isWrite ? String(status) : digestOf(exchange)
    const isNew = this.#known.get(key)?.response !== response
    if (!this.#known.has(key) && !this.#responses.has(response)) this.#isFurther = true
    this.#responses.add(response)
    if (isNew) this.noteNews()
    const repeats = isNew ? 0 : this.#repeatsOf(key) + 1
    this.#known.set(key, { response, round: this.#round, at: this.instant(), repeats })
    this.onActivity()
  }
}

function keyOf({ method, path, search }: Pick<GatedRequest, 'method' | 'path' | 'search'>): string {
  return `${method} ${path}${search}`
}

/** Returns the same for equal responses, without keeping them. */
function digestOf({ status, responseBody }: RecordedExchange): string {
  const body = responseBody ? new TextDecoder('latin1').decode(responseBody.bytes()) : ''
  return `${status} ${body.length} ${hexOf(hashText(body))}`
}
