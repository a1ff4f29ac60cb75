import type { Socket } from 'node:net'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseJson } from '../../base/json.js'
import { builtFolder } from '../../base/package.js'
import type { AgentSight, SeenAnswer } from '../../doors/pace/agent-time.js'
import { Timers } from '../../service/time/wall-time.js'
import { isComputing } from '../agent/process-group.js'

/** How time passes for an observed agent: its waits are skipped, also on the story's date; or, on other clocks than `auto`, nothing is changed. */
export type AgentTime = 'skip' | 'wall' | 'story'

/** How late it is: milliseconds since the play began, and the agent's date when it began, in milliseconds since the epoch. */
export interface Moment {
  readonly now: number
  readonly date: number
}

/** What observers in the processes of an agent have to know. */
export interface ObservedPlace {
  /** Where they connect, such as `127.0.0.1:40123`, and speak lines of JSON. */
  readonly place: string
  /** What a process knows from its first line on; each observer in Node keeps it for those that its process starts. */
  readonly moment: Moment
  readonly agentTime: AgentTime
  /** How long a request to somebody else is a wait, in milliseconds of story time. */
  readonly thinkTime?: number | undefined
}

/** Returns the environment variables with which Node and Python load an observer; what `env` has for them stays in force. */
export function observerEnvironment(
  { place, moment, agentTime, thinkTime }: ObservedPlace,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return {
    MAILBOX_SIM_THINK_TIME: thinkTime === undefined ? undefined : String(thinkTime),
    MAILBOX_SIM_OBSERVER: place,
    MAILBOX_SIM_MOMENT: JSON.stringify(moment),
    MAILBOX_SIM_AGENT_TIME: agentTime,
    NODE_OPTIONS: joined(' ', env['NODE_OPTIONS'], `--require ${quoted(shippedFile('node/observe.cjs'))}`),
    PYTHONPATH: joined(delimiter, shippedFile('python'), env['PYTHONPATH']),
  }
}

/** What an observed process was doing when it was asked. Times are milliseconds of the story since the play began. */
export interface ProcessState {
  /** What is computed for it, or for which real wait it waits; null if nothing is. */
  readonly works: string | null
  /** The number of its requests to the service without a complete response. */
  readonly own: number
  /** Its open requests to others. */
  readonly asks: readonly (SeenAnswer & { readonly id: number })[]
  readonly links: AgentSight['links']
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

/** What an observer says. */
export interface Message {
  readonly hello?: { readonly pid: number; readonly runtime: string; readonly thread: number }
  readonly look?: number
  readonly state?: ProcessState
  /** A request to somebody else than the service begins; `host` has a port. */
  readonly ask?: {
    readonly id: number
    readonly method: string
    readonly host: string
    readonly path: string
  }
  readonly end?: { readonly id: number; readonly status: number | null; readonly body: string | null }
  readonly gone?: number
  readonly now?: number
  readonly ended?: number
  readonly next?: number | null
  readonly note?: string
  readonly leave?: string
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
  /** The answer that is awaited, and what takes it. */
  #awaited: Promise<Message> | undefined
  #answer: (message: Message) => void = () => undefined
  /** 0 until it has said what it observes. */
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
    socket.once('close', () => this.#answer({}))
  }

  /** Tells it from all others. */
  get key(): string {
    return `${this.pid}.${this.thread}`
  }

  /** Asks for its state; what is known from outside if it does not answer, undefined if it starts or has ended. */
  async look(): Promise<ProcessState | Silence | undefined> {
    if (this.pid === 0) return undefined
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
    if (this.#socket.destroyed) return {}
    this.#awaited ??= new Promise((resolve) => {
      this.#answer = resolve
      this.#send(question(++this.#asked))
    })
    const late = new AbortController()
    const message = await Promise.race([this.#awaited, this.#timers.wait(answerPause, late.signal)])
    late.abort()
    if (!message) return isComputing(this.pid) ? 'computes' : 'silent'
    this.#awaited = undefined
    return message
  }

  #send(message: object): void {
    if (!this.#socket.destroyed) this.#socket.write(`${JSON.stringify(message)}\n`)
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
    if ((look ?? gone) === this.#asked) this.#answer(message)
    else this.#take(message)
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** The path of a file of the observers, in `src` and in the built package. */
function shippedFile(name: string): string {
  return fileURLToPath(new URL(`runs/agent/observers/${name}`, builtFolder()))
}

function joined(separator: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part).join(separator)
}

/** A path as Node reads it in NODE_OPTIONS. */
function quoted(path: string): string {
  return /[\s"\\]/.test(path) ? JSON.stringify(path) : path
}
