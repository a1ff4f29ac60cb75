import { hashText, hexOf } from '../../service/time/random.js'
import type { RecordedExchange } from '../../service/world/exchange.js'
import type { World } from '../../service/world/world.js'

/** The part of a request by which it is recognized when it is repeated; its signal is aborted when its client gives up. */
type GatedRequest = Parameters<NonNullable<World['gate']>>[0]

/** What the agent asked since it rested before. */
export interface Round {
  readonly hasAsked: boolean
  /** Whether it got something that it had not got before, or changed something, or something new came. */
  readonly isNew: boolean
  /** Whether it asked others, too. */
  readonly hasAskedOthers: boolean
}

type Waiting = Map<() => void, number>

const nothing: Round = { hasAsked: false, isNew: false, hasAskedOthers: false }

/** How many equal requests pass, with nothing new in between; the fourth waits until time moves. */
const most = 3

/**
 * Recognizes an agent that asks again for all it has seen, and makes its next such request wait until story time has moved,
 * so that an agent that polls without pause rests. Copies of an agent that run side by side send their requests in turn: one is
 * handled once all others rest. So what they do at once happens in the same order each time, and in one that shows what they do
 * without regard for each other.
 */
export class RequestGate {
  readonly #world: World
  readonly #holdsRepeats: () => boolean
  /** The last response to each request, and how often each was asked since something new came or time passed. */
  readonly #known = new Map<string, string>()
  readonly #asked = new Map<string, number>()
  /** What lets each request pass that waits for time to move, or for its turn, with the start whose request it is. */
  readonly #waiting: Waiting = new Map()
  readonly #turns: Waiting = new Map()
  /** The start whose request passed last in its turn. */
  #lastStart = 0
  readonly #stop: () => void
  /** Whether requests wait until it is known when they were made. */
  #isHolding = false
  #round = nothing
  /** The last request that was held because it was repeated without a pause, and how often one was. */
  repeated = { request: '', times: 0 }
  /** The number of exchanges so far, and how often there was something new or a write, refused ones included. */
  exchanges = 0
  news = 0

  /** @param holdsRepeats whether time moves only once the agent rests; where it moves otherwise, no repeated request waits */
  constructor(world: World, holdsRepeats = () => true) {
    this.#world = world
    this.#holdsRepeats = holdsRepeats
    world.gate = (request) => this.#admit(request)
    this.#stop = world.log.subscribe((entry) => {
      if (entry?.type === 'exchange') this.#note(entry.recorded)
      // What comes or changes at a request is new, though the response to that request may not show it.
      if (entry?.type === 'event' || entry?.type === 'timeline') this.noteNews()
      // An agent that moves the story itself repeats nothing.
      if (entry?.type === 'clock' && entry.at > entry.from) this.#asked.clear()
    })
  }

  /** The number of requests whose response waits for story time to move, or for their turn. */
  get held(): number {
    return this.#waiting.size + this.#turns.size + this.#world.clock.waiting
  }

  /** The number of requests that wait here for story time to move. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Returns what the agent asked since the last call. */
  takeRound(): Round {
    const round = this.#round
    this.#round = nothing
    return round
  }

  /** Notes that the agent asks somebody else. */
  noteQuestion(): void {
    this.#round = { ...this.#round, hasAskedOthers: true }
  }

  /** Notes something new for the agent from elsewhere. */
  noteNews(): void {
    this.news++
    this.#round = { ...this.#round, isNew: true }
    this.#asked.clear()
  }

  /** Makes all requests wait until it is open. */
  hold(): void {
    this.#isHolding = true
  }

  /** Lets the requests pass that wait, once story time has moved. */
  open(): void {
    this.#isHolding = false
    this.#asked.clear()
    for (const pass of [...this.#waiting.keys()]) pass()
  }

  /** Lets one request pass: of the next copy after that whose request passed last. Returns whether one waited. */
  passNext(): boolean {
    const inTurn = [...this.#turns].sort(([, one], [, other]) => one - other)
    const [pass, start] = inTurn.find(([, one]) => one > this.#lastStart) ?? inTurn[0] ?? []
    this.#lastStart = start ?? this.#lastStart
    pass?.()
    return pass !== undefined
  }

  /** Stops recognizing requests, and lets all of them pass. */
  close(): void {
    this.#stop()
    this.#world.gate = undefined
    for (const pass of [...this.#turns.keys()]) pass()
    this.open()
  }

  #admit(request: GatedRequest): Promise<void> | undefined {
    const { copies = 1, client } = this.#world.agentLife ?? {}
    const start = client?.start
    const isInTurn = start !== undefined && this.#world.clock.mode === 'auto' && copies > 1
    if (!isInTurn) return this.#admitInTurn(request, start)
    return pause(this.#turns, request, start).then(() => this.#admitInTurn(request, start))
  }

  #admitInTurn(request: GatedRequest, start: number | undefined): Promise<void> | undefined {
    const isRepeat = this.#holdsRepeats() && (this.#asked.get(keyOf({ ...request, start })) ?? 0) >= most
    if (!this.#isHolding && !isRepeat) return undefined
    const { method, path } = request
    // Several at once are one repetition.
    if (isRepeat && this.#waiting.size === 0)
      this.repeated = { request: `${method} ${path}`, times: this.repeated.times + 1 }
    return pause(this.#waiting, request, start)
  }

  #note(exchange: RecordedExchange): void {
    this.exchanges++
    this.#round = { ...this.#round, hasAsked: true }
    const { method, requestBody, status } = exchange
    // A write that is repeated brings nothing new, though its response has another time; sent mail has another id.
    const isWrite = method !== 'GET' && status < 400
    const isRepeatable = isWrite && method !== 'POST'
    const key = isRepeatable ? `${keyOf(exchange)} ${requestBody}` : keyOf(exchange)
    const response = isRepeatable ? String(status) : digestOf(exchange)
    if (method !== 'GET') this.news++
    if (this.#known.get(key) !== response) this.noteNews()
    this.#known.set(key, response)
    this.#asked.set(key, (this.#asked.get(key) ?? 0) + 1)
  }
}

/** Has a request of a start wait until it is let pass, or its client gives up. */
function pause(waiting: Waiting, { signal }: GatedRequest, start = 0): Promise<void> {
  return new Promise((resolve) => {
    const pass = (): void => {
      waiting.delete(pass)
      resolve()
    }
    waiting.set(pass, start)
    signal.addEventListener('abort', pass, { once: true })
  })
}

/** Copies of an agent get responses with their own addresses, so each knows what it got itself. */
function keyOf(request: Pick<RecordedExchange, 'method' | 'path' | 'search' | 'start'>): string {
  const { method, path, search, start = '' } = request
  return `${start} ${method} ${path}${search}`
}

/** Returns the same for equal responses, without keeping them. */
function digestOf({ status, responseBody }: RecordedExchange): string {
  const body = responseBody ? new TextDecoder('latin1').decode(responseBody.bytes()) : ''
  return `${status} ${body.length} ${hexOf(hashText(body))}`
}
