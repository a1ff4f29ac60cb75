import type { Socket } from 'node:net'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseJson } from '../../base/json.js'
import { builtFolder } from '../../base/package.js'
import { z } from '../../base/schema.js'
import { startPause, stopwatch } from '../../service/time/wall-time.js'
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
    NODE_OPTIONS: `${env['NODE_OPTIONS'] ?? ''} --require ${quoted(shippedFile('node/observe.cjs'))}`.trim(),
    PYTHONPATH: [shippedFile('python'), env['PYTHONPATH']].filter(Boolean).join(delimiter),
  }
}

const [number, text] = [z.number(), z.string()]

/** A request to somebody else than the service; `host` has a port, `body` is a digest. */
const ask = z.object({ id: number, method: text, host: text, path: text, body: text.nullable() })

/** What an observed process was doing when it was asked. Times are milliseconds of the story since the play began. */
const processState = z.object({
  /** What is computed for it, or for which real wait it waits; null if nothing is. */
  works: text.nullable(),
  /** The number of its requests to the service without a complete response. */
  own: number,
  /** Its open requests to others. */
  asks: z.array(ask.extend({ events: z.boolean(), quiet: number.nullable() })),
  /** Who owes it an answer on a connection of another kind. */
  links: z.array(text),
  /** The ports on which it listens. */
  listens: z.array(number),
  /** Child processes that it does not wait for, such as a compiler between two files. */
  idle: z.array(number),
  /** The id of each wait, when it is due, how long it is, and the id of the wait that had ended last. */
  waits: z.array(z.tuple([number, number, number, number])),
  /** Grows with everything that the observer sees. */
  activity: number,
})

export type ProcessState = z.infer<typeof processState>
export type Ask = z.infer<typeof ask>

/** What an observer says; the agent may say it, too, so that whatever has another form is ignored. */
const observerMessage = z.object({
  hello: z.object({ pid: number.int().min(1), runtime: text, thread: number }).optional(),
  look: number.optional(),
  state: processState.optional(),
  /** A request to somebody else is over; it took so many milliseconds. */
  end: ask.extend({ status: number.nullish(), took: number }).optional(),
  gone: number.optional(),
  now: number.optional(),
  ended: number.optional(),
  next: number.nullish(),
  note: text.optional(),
  /** It simulates a mailbox itself. */
  leave: z.literal(true).optional(),
})

export type Message = z.infer<typeof observerMessage>

/** The longest line, in bytes. */
const longestLine = 65_536

/** Milliseconds after which one that has not answered is looked at from outside: at first, and each time after that. */
const [answerPause, nextPause] = [100, 5]

/** Milliseconds within which one says what it observes; later, it is blocked, as an idle thread of a pool is. */
const longestGreeting = 1_000

/** What is known of one that does not answer: it uses the processor, or it does nothing. */
type Silence = 'computes' | 'silent'

/** The observer of one process, or of one worker thread of it. */
export class ObservedProcess {
  readonly #socket: Socket
  readonly #take: (message: Message) => void
  #rest = ''
  #asked = 0
  readonly #age = stopwatch()
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
    if (this.pid === 0) return this.#age() < longestGreeting ? undefined : 'silent'
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
    return { now: Math.min(now, until), ended, next }
  }

  /** Tells it how late it is in the story, and which date it is for it at the beginning. */
  tell(moment: Moment): void {
    this.#send(moment)
  }

  /** Sends a question, unless it has still to answer one, and waits for the answer as long as that is likely. */
  async #ask(question: (number: number) => object): Promise<Message | Silence> {
    if (this.#socket.destroyed) return {}
    const pause = startPause(this.#awaited ? nextPause : answerPause)
    this.#awaited ??= new Promise((resolve) => {
      this.#answer = resolve
      this.#send(question(++this.#asked))
    })
    const message = await Promise.race([this.#awaited, pause.over])
    pause.end()
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
      const { data } = observerMessage.safeParse(parseJson(line))
      if (data) this.#receive(data)
    }
  }

  #receive(said: Message): void {
    const { hello, look, gone } = said
    if (hello) Object.assign(this, hello)
    if ((look ?? gone) === this.#asked) this.#answer(said)
    else this.#take(said)
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** The path of a file of the observers, in `src` and in the built package. */
function shippedFile(name: string): string {
  return fileURLToPath(new URL(`runs/agent/observers/${name}`, builtFolder()))
}

/** A path as Node reads it in NODE_OPTIONS. */
function quoted(path: string): string {
  return /[\s"\\]/.test(path) ? JSON.stringify(path) : path
}
