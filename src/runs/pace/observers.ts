import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { parseJson } from '../../base/json.js'
import { Timers } from '../../service/time/wall-time.js'
import type { Moment } from '../agent/observers/environment.js'
import { isComputing } from '../agent/process-group.js'

/** What an observed process was doing when it was asked. Times are milliseconds of the story since the play began. */
export interface ProcessState {
  /** What is computed for it, or for which real wait it waits; null if nothing is. */
  readonly works: string | null
  /** The number of its requests to the service without a complete response. */
  readonly own: number
  /** Its open requests to others; `body` is a digest, `quiet` the milliseconds since the response's last byte. */
  readonly asks: readonly {
    readonly id: number
    readonly body: string | null
    readonly events: boolean
    readonly quiet: number | null
  }[]
  /** Other connections on which something is unanswered: since how many milliseconds, and how often so far. */
  readonly links: readonly { readonly to: string; readonly asked: number; readonly left: number }[]
  /** The ports on which it listens. */
  readonly listens: readonly number[]
  /** Child processes that it does not wait for, such as a compiler between two files. */
  readonly idle: readonly number[]
  readonly waits: readonly (readonly [id: number, due: number, duration: number, by: number])[]
  /** Whether its own code has looked at the date. */
  readonly readsDate: boolean
  /** Grows with everything that the observer sees. */
  readonly activity: number
}

/** A request to somebody else than the service that begins. */
export interface Asked {
  readonly id: number
  readonly method: string
  /** Host and port. */
  readonly host: string
  readonly path: string
}

interface Message {
  readonly hello?: { readonly pid: number; readonly runtime: string; readonly thread: number }
  readonly look?: number
  readonly state?: ProcessState
  readonly ask?: Asked
  readonly end?: { readonly id: number; readonly status: number | null; readonly body: string | null }
  readonly gone?: number
  readonly now?: number
  readonly ended?: number
  readonly next?: number | null
  readonly note?: string
  readonly leave?: string
}

/** What observers tell without being asked. */
interface ObserverListener {
  /** One begins to be observed. */
  joined(one: ObservedProcess): void
  /** A request to somebody else than the service begins, or ends. */
  asks(one: ObservedProcess, asked: Asked): void
  answered(one: ObservedProcess, id: number, body: string | null): void
  noted(note: string): void
}

/** The longest line, in bytes. */
const longestLine = 65_536

/** Milliseconds after which one that has not answered is looked at from outside. */
const answerPause = 100

/** What is known of one that does not answer: it uses the processor, or it does nothing. */
type Silence = 'computes' | 'silent'

/** The observer of one process, or of one worker thread of it. */
export class ObservedProcess {
  readonly #socket: Socket
  readonly #take: (message: Message) => void
  readonly #timers = new Timers()
  #rest = ''
  #asked = 0
  /** The answer that is awaited, and to what. */
  #awaited:
    | { readonly number: number; readonly answer: Promise<Message>; resolve(message: Message): void }
    | undefined
  pid = 0
  thread = 0
  runtime = ''
  /** Its state when it was last asked. */
  state: ProcessState | undefined

  constructor(socket: Socket, take: (message: Message) => void) {
    this.#socket = socket
    this.#take = take
    socket.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    socket.on('error', () => undefined)
    socket.once('close', () => this.#awaited?.resolve({}))
  }

  /** Tells it from all others. */
  get key(): string {
    return `${this.pid}.${this.thread}`
  }

  get isLost(): boolean {
    return this.#socket.destroyed
  }

  /** Asks for its state; what is known from outside if it does not answer, undefined if it has ended. */
  async look(): Promise<ProcessState | Silence | undefined> {
    const message = await this.#ask((look) => ({ look }))
    if (typeof message === 'string') return message
    this.state = message.state
    return this.state
  }

  /**
   * Lets it end its own waits until a time; some have other ends. Returns how far it came and which wait ended last; if it asked
   * nothing until then, also when its next one is due, null if it has none.
   */
  async goOn(until: number, later: readonly (readonly [id: number, due: number])[]) {
    const message = await this.#ask((go) => ({ go, until, later }))
    if (typeof message === 'string') return message
    const { now = until, ended = 0, next } = message
    return { now, ended, next }
  }

  /** Tells it how late it is in the story, and which date it is for it at the beginning. */
  tell(moment: Moment): void {
    this.#send(moment)
  }

  /** Sends a question, unless it has still to answer one, and waits for the answer as long as that is likely. */
  async #ask(question: (number: number) => object): Promise<Message | Silence> {
    if (this.isLost) return {}
    if (!this.#awaited) {
      const number = ++this.#asked
      let resolve: (message: Message) => void = () => undefined
      const answer = new Promise<Message>((given) => {
        resolve = given
      })
      this.#awaited = { number, answer, resolve }
      this.#send(question(number))
    }
    const { answer } = this.#awaited
    const late = new AbortController()
    const message = await Promise.race([answer, this.#timers.wait(answerPause, late.signal)])
    late.abort()
    if (!message) return isComputing(this.pid) ? 'computes' : 'silent'
    this.#awaited = undefined
    return message
  }

  #send(message: object): void {
    if (!this.isLost) this.#socket.write(`${JSON.stringify(message)}\n`)
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = (lines.pop() as string).slice(0, longestLine + 1)
    for (const line of lines) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
      if (line.length > longestLine || /[\u0000-\u001f\u007f]/.test(line)) continue
      const message = parseJson(line) as Message | null | undefined
      if (typeof message === 'object' && message !== null) this.#receive(message)
    }
  }

  #receive(message: Message): void {
    const { hello, look, gone } = message
    if (hello) Object.assign(this, hello)
    const answered = look ?? gone
    if (answered !== undefined && answered === this.#awaited?.number) this.#awaited.resolve(message)
    else this.#take(message)
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** Hears what the observers in an agent's processes see. */
export class Observers {
  readonly #listener: ObserverListener
  readonly #processes = new Set<ObservedProcess>()
  readonly #server = createServer({ noDelay: true }, (socket) => this.#welcome(socket))
  #starting = 0
  /** Whether the agent was left to itself. */
  #hasLeft = false
  /** The processes that were observed at any time, by runtime. */
  readonly seen = new Map<string, Set<number>>()
  /** The processes whose observers were lost while they lived. */
  readonly lost = new Set<number>()
  /** The number of requests to others than the service. */
  elsewhere = 0
  /** The first status with which somebody else was too busy or failed: 429 or 5xx. */
  unavailable: number | undefined
  /** Where observers connect: a port, since an agent may remove files of others. */
  place = ''

  constructor(listener: ObserverListener) {
    this.#listener = listener
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1').unref(), 'listening')
    this.place = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  #welcome(socket: Socket): void {
    if (this.#hasLeft) return void socket.destroy()
    this.#starting++
    const listener = this.#listener
    const one = new ObservedProcess(socket, (message) => {
      const { hello, ask, end, note, leave } = message
      if (hello && !this.#processes.has(one)) {
        this.#starting--
        this.#processes.add(one)
        this.seen.set(one.runtime, (this.seen.get(one.runtime) ?? new Set()).add(one.pid))
        listener.joined(one)
      }
      if (ask) this.elsewhere++
      if (end?.status === 429 || (end?.status ?? 0) >= 500) this.unavailable ??= end?.status ?? undefined
      if (ask) listener.asks(one, ask)
      // What was refused is asked again.
      if (end) listener.answered(one, end.id, (end.status ?? 400) < 400 ? end.body : null)
      if (note !== undefined) listener.noted(note)
      if (leave !== undefined) this.leave()
    })
    socket.once('close', () => {
      if (!this.#processes.delete(one)) this.#starting--
      else if (!this.#hasLeft) this.lost.add(one.pid)
    })
  }

  /** Whether one has connected that has not yet said what it observes. */
  get isStarting(): boolean {
    return this.#starting > 0
  }

  /** The processes that are observed at present, in the order in which they were started, whichever connected first. */
  get processes(): readonly ObservedProcess[] {
    return [...this.#processes].sort((one, other) => one.pid - other.pid || one.thread - other.thread)
  }

  /**
   * Leaves all processes to themselves: the play is over, or an agent that tests itself with simulators of its own lives in real
   * time.
   */
  leave(): void {
    this.#hasLeft = true
    for (const one of this.#processes) one.close()
    this.#server.close()
  }
}
