import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseJson } from '../../base/json.js'
import { momentFile } from '../agent/observers/environment.js'

/** A request of an agent to somebody else than the service whose response is not complete. */
export interface ForeignRequest {
  /** Method and URL without its query. */
  readonly what: string
  /** Host and port. */
  readonly to: string
}

/** What an observed process was doing when it was asked. Times are milliseconds of the story since the play began. */
export interface ProcessState {
  /** What it certainly works at; null if at nothing. */
  readonly works: string | null
  /** What it perhaps works at. */
  readonly maybe: string | null
  readonly asks: readonly ForeignRequest[]
  /** The number of its requests to the service without a complete response. */
  readonly own: number
  /** The ports on which it listens. */
  readonly listens: readonly number[]
  /** Child processes that it does not wait for, such as a compiler between two files. */
  readonly idle?: readonly number[]
  /** Its waits: when each ends, null if that is not known, and how long it is. */
  readonly waits: readonly (readonly [due: number | null, duration: number])[]
  /** When it last looked at the time; null if it never did. */
  readonly looked?: number | null
  /** Whether its own code has looked at the date. */
  readonly readsDate?: boolean
  /** Grows with everything that the observer sees. */
  readonly activity: number
}

type Message =
  | { readonly hello: { readonly pid: number; readonly runtime: string; readonly thread?: number } }
  | { readonly probe: number; readonly state: ProcessState }
  | { readonly rests: number }
  | { readonly asks: string }
  | { readonly fired: number; readonly count: number }
  | { readonly note: string }
  | { readonly simulates: true }

/** What observers tell without being asked. */
export interface ObserverListener {
  /** Something changed, so that it is worth asking again. */
  changed(): void
  /** A request to somebody else than the service begins. */
  asks(what: string): void
  noted(note: string): void
}

/** What else is heard of an observed process. */
interface ProcessListener extends ObserverListener {
  /** It has a simulator of its own. */
  simulates(): void
  /** It listens at a port. */
  listens(): void
}

/** The observer of one process, or of one worker thread of it. */
export class ObservedProcess {
  readonly #socket: Socket
  readonly #listener: ProcessListener
  readonly #answers = new Map<string, (message: Message | undefined) => void>()
  #rest = ''
  #probes = 0
  pid = 0
  runtime = ''
  /** Its state when it was last asked. */
  state: ProcessState | undefined
  /** How often its waits were to end, but none did. */
  vain = 0

  constructor(socket: Socket, listener: ProcessListener) {
    this.#socket = socket
    this.#listener = listener
    socket.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    socket.on('error', () => undefined)
    socket.once('close', () => {
      for (const answer of this.#answers.values()) answer(undefined)
      this.#answers.clear()
      listener.changed()
    })
  }

  /** Asks for its state; undefined if it has ended. */
  async probe(): Promise<ProcessState | undefined> {
    const probe = ++this.#probes
    const answer = await this.#ask(`probe ${probe}`, { probe })
    this.state = answer && 'state' in answer ? answer.state : undefined
    if (this.state && this.state.listens.length > 0) this.#listener.listens()
    return this.state
  }

  /** Tells it how late it is in the story, and which date that is for it at the beginning. */
  tell(now: number, date: number): void {
    this.#send({ now, date })
  }

  /** Ends its waits that are due by a time, and resolves once it has done what follows immediately. */
  async fire(now: number): Promise<void> {
    const answer = await this.#ask(`fired ${now}`, { fire: now })
    this.vain = answer && 'count' in answer && answer.count === 0 ? this.vain + 1 : 0
  }

  #ask(key: string, message: object): Promise<Message | undefined> {
    return new Promise((resolve) => {
      if (this.#socket.destroyed) return resolve(undefined)
      this.#answers.set(key, resolve)
      this.#send(message)
    })
  }

  #send(message: object): void {
    if (!this.#socket.destroyed) this.#socket.write(`${JSON.stringify(message)}\n`)
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() as string
    for (const line of lines) {
      const message = parseJson(line) as Message | undefined
      if (message) this.#take(message)
    }
  }

  #take(message: Message): void {
    if ('hello' in message) {
      this.pid = message.hello.pid
      this.runtime = message.hello.runtime
      this.#listener.changed()
    } else if ('state' in message) this.#resolve(`probe ${message.probe}`, message)
    else if ('fired' in message) this.#resolve(`fired ${message.fired}`, message)
    else if ('rests' in message) this.#listener.changed()
    else if ('asks' in message) this.#listener.asks(message.asks)
    else if ('note' in message) this.#listener.noted(message.note)
    else if ('simulates' in message) this.#listener.simulates()
  }

  #resolve(key: string, message: Message): void {
    this.#answers.get(key)?.(message)
    this.#answers.delete(key)
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** Hears what the observers in an agent's processes see. */
export class Observers {
  readonly #server: Server
  readonly #folder: string
  readonly #processes = new Set<ObservedProcess>()
  /** Whether the agent was left to itself. */
  #hasLeft = false
  /** The processes that were observed at any time, by runtime. */
  readonly seen = new Map<string, Set<number>>()
  /** Whether one of them was seen to listen at a port. */
  listened = false
  /** Where observers connect. */
  readonly socket: string

  private constructor(folder: string, socket: string, server: Server) {
    this.#folder = folder
    this.socket = socket
    this.#server = server
  }

  /** Listens for observers on this machine. */
  static async listen(
    listener: ObserverListener & { joined(process: ObservedProcess): void },
  ): Promise<Observers> {
    const folder = await mkdtemp(join(tmpdir(), 'ams-'))
    const path =
      process.platform === 'win32'
        ? `\\\\.\\pipe\\${folder.replace(/.*[\\/]/, '')}`
        : join(folder, 'observer')
    const server = createServer()
    const observers = new Observers(folder, path, server)
    server.on('connection', (socket) => {
      const joined = new ObservedProcess(socket, {
        ...listener,
        asks: (what) => listener.asks(what),
        noted: (note) => listener.noted(note),
        simulates: () => observers.leave(),
        listens: () => {
          observers.listened = true
        },
        changed: () => {
          if (observers.#hasLeft) socket.destroy()
          if (joined.pid > 0 && !observers.#processes.has(joined) && !socket.destroyed) {
            observers.#processes.add(joined)
            const known = observers.seen.get(joined.runtime) ?? new Set()
            observers.seen.set(joined.runtime, known.add(joined.pid))
            listener.joined(joined)
          }
          listener.changed()
        },
      })
      socket.once('close', () => observers.#processes.delete(joined))
    })
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
    server.unref()
    return observers
  }

  /** The processes that are observed at present, in the order in which they were started, whichever connected first. */
  get processes(): readonly ObservedProcess[] {
    return [...this.#processes].sort((one, other) => one.pid - other.pid)
  }

  /**
   * Leaves all processes to themselves: an agent that tests itself with simulators of its own lives in real time, and one
   * that does not answer cannot be waited for.
   */
  leave(): void {
    this.#hasLeft = true
    for (const one of this.#processes) one.close()
  }

  /** Writes down how late it is in the story, for processes that start: their first lines may look at the date. */
  writeMoment(now: number, date: number): void {
    if (process.platform !== 'win32') writeFileSync(momentFile(this.socket), JSON.stringify({ now, date }))
  }

  async close(): Promise<void> {
    for (const one of this.#processes) one.close()
    this.#server.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
