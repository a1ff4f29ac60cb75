import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type AgentTime, observerEnvironment } from '../../src/runs/agent/observers/environment.js'
import { folderOf } from '../support/temporary-folder.js'

/** What an observer answers to a look. Times are milliseconds of the story. */
export interface ObservedState {
  readonly works: string | null
  readonly own: number
  readonly asks: readonly {
    readonly id: number
    readonly body: string | null
    readonly status: number | null
    readonly events: boolean
    readonly quiet: number | null
  }[]
  readonly links: readonly { readonly to: string; readonly asked: number; readonly left: number }[]
  readonly listens: readonly number[]
  readonly idle: readonly number[]
  readonly waits: readonly (readonly [id: number, due: number, duration: number, by: number])[]
  readonly readsDate: boolean
  readonly activity: number
}

/** A request to somebody else that begins. */
export interface Asked {
  readonly id: number
  readonly method: string
  readonly host: string
  readonly path: string
}

/** Such a request that is over. */
export interface Ended {
  readonly id: number
  readonly status: number | null
  readonly body: string | null
}

/** How an agent's command ended. */
export interface AgentEnd {
  readonly status: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** A line that an observer sends. */
interface Line {
  readonly hello?: {
    readonly pid: number
    readonly ppid: number
    readonly runtime: string
    readonly thread: number
  }
  readonly look?: number
  readonly state?: ObservedState
  readonly gone?: number
  readonly now?: number
  readonly ended?: number
  readonly ask?: Asked
  readonly end?: Ended
  readonly note?: string
  readonly leave?: string
}

/** An observer's connection, which is a thread of a process of the agent. */
export interface ObservedThread {
  readonly hello: NonNullable<Line['hello']>
  readonly socket: Socket
  readonly lines: EventEmitter<{ line: [Line] }>
}

/** The environment in which the agent finds the service; a test may listen there. */
export const home = 'http://127.0.0.1:4280'

/** The Node that runs agents: this one, or that of AGENT_NODE, for trying other versions. */
export const agentNode = process.env['AGENT_NODE'] ?? process.execPath

export interface FakePlayOptions {
  readonly agentTime?: AgentTime
  /** Milliseconds of story time that a request to somebody else takes. */
  readonly thinkTime?: number
  /** The calendar date at the beginning; 9:00 on January 5, 2026 by default. */
  readonly date?: number
}

/** Starts what a play is to observers: it listens for them, moves story time and ends waits, as a test says. */
export async function fakePlay(options: FakePlayOptions = {}): Promise<FakePlay> {
  const play = new FakePlay(options)
  await play.listen()
  return play
}

export class FakePlay {
  /** Those that are connected. */
  readonly threads = new Set<ObservedThread>()
  /** What observers noted. */
  readonly notes: string[] = []
  /** The requests to others that have begun, and those that are over. */
  readonly asked: Asked[] = []
  readonly ended: Ended[] = []
  readonly #agentTime: AgentTime
  readonly #thinkTime: number | undefined
  readonly #date: number
  readonly #server: Server
  readonly #changes = new EventEmitter<{ change: [] }>()
  #place = ''
  #now = 0
  #questions = 0

  constructor({ agentTime = 'skip', thinkTime, date = Date.parse('2026-01-05T09:00:00Z') }: FakePlayOptions) {
    this.#agentTime = agentTime
    this.#thinkTime = thinkTime
    this.#date = date
    this.#server = createServer((socket) => this.#accept(socket))
    this.#changes.setMaxListeners(0)
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    this.#place = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    onTestFinished(() => {
      this.hangUp()
      this.#server.close()
    })
  }

  /** Ends all connections to observers. */
  hangUp(): void {
    for (const { socket } of this.threads) socket.destroy()
  }

  /** Runs an agent's command with observers until it ends, at the latest with the test. */
  run(command: readonly string[], env: Readonly<Record<string, string>> = {}): RunningAgent {
    const { NODE_OPTIONS: _, ...own } = process.env
    const others = { ...own, MAILBOX_BASE_URL: home, ...env }
    const place = env['MAILBOX_SIM_OBSERVER'] ?? this.#place
    // One that a program without an observer starts has the moment of its parent.
    const { MAILBOX_SIM_MOMENT: given } = env
    const moment = given === undefined ? this.#moment : JSON.parse(given)
    const observed = observerEnvironment({
      ...{ place, moment, agentTime: this.#agentTime, thinkTime: this.#thinkTime },
      env: others,
    })
    return new RunningAgent(command, { ...others, ...observed })
  }

  /** Runs a module in Node. */
  async node(
    source: string,
    env: Readonly<Record<string, string>> = {},
    name = 'agent.mjs',
  ): Promise<RunningAgent> {
    const folder = await folderOf({ [name]: source })
    return this.run([agentNode, join(folder, name)], env)
  }

  /** Resolves when so many threads are connected. */
  async connected(count = 1): Promise<void> {
    await this.until(() => this.threads.size >= count)
  }

  /** Resolves when something is so, looking again after each line of an observer. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await once(this.#changes, 'change')
  }

  /** Moves story time. */
  move(now: number): void {
    this.#now = now
    for (const thread of this.threads) this.#tell(thread)
  }

  /** Asks all threads what they do. Those that end meanwhile are left out. */
  async look(): Promise<ObservedState[]> {
    const states = await Promise.all([...this.threads].map((thread) => this.lookAt(thread)))
    return states.filter((state) => state !== undefined)
  }

  /** Asks a thread what it does; undefined if it ends meanwhile. */
  async lookAt(thread: ObservedThread): Promise<ObservedState | undefined> {
    const look = ++this.#questions
    return (await exchange(thread, { look }, (line) => line.look === look))?.state
  }

  /** Resolves when no thread works: two looks in succession found nothing new. */
  async rest(): Promise<ObservedState[]> {
    await this.connected()
    for (let before: ObservedState[] = []; ; ) {
      const states = await this.look()
      const works = states.some(isWork)
      if (!works && isSame(before, states)) return states
      before = states
      if (works) await setTimeout(5)
    }
  }

  /**
   * Lets the thread whose wait is due first end waits until a story time, each in `later` at another time; returns how far it
   * came, which is the time then, and which wait ended last.
   */
  async go(until: number, later: readonly (readonly [id: number, due: number])[] = []) {
    const found = [...this.threads].map(async (thread) => {
      const { waits = [] } = (await this.lookAt(thread)) ?? {}
      return { thread, due: Math.min(...waits.map(([, due]) => due)) }
    })
    const [first] = (await Promise.all(found)).sort((one, other) => one.due - other.due)
    const go = ++this.#questions
    const line = first && (await exchange(first.thread, { go, until, later }, ({ gone }) => gone === go))
    const { now = until, ended = 0 } = line ?? {}
    this.move(Math.max(now, this.#now))
    return { now, ended }
  }

  #accept(socket: Socket): void {
    const lines = new EventEmitter<{ line: [Line] }>().setMaxListeners(0)
    let thread: ObservedThread | undefined
    socket.on('error', () => {})
    socket.on('close', () => {
      if (thread) this.threads.delete(thread)
      this.#changes.emit('change')
    })
    const read = (line: Line) => {
      if (line.hello) {
        thread = { hello: line.hello, socket, lines }
        this.threads.add(thread)
        this.#tell(thread)
      }
      if (line.note !== undefined) this.notes.push(line.note)
      if (line.ask !== undefined) this.asked.push(line.ask)
      if (line.end !== undefined) this.ended.push(line.end)
      lines.emit('line', line)
      if (line.look === undefined && line.gone === undefined) this.#changes.emit('change')
    }
    let rest = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) read(JSON.parse(line))
    })
  }

  #tell({ socket }: ObservedThread): void {
    socket.write(`${JSON.stringify(this.#moment)}\n`)
  }

  get #moment() {
    return { now: this.#now, date: this.#date }
  }
}

/** Sends a line to a thread; resolves with its answer, or with undefined if it ends meanwhile. */
function exchange(
  { socket, lines }: ObservedThread,
  message: object,
  isAnswer: (line: Line) => boolean,
): Promise<Line | undefined> {
  return new Promise((resolve) => {
    const end = (line?: Line) => {
      lines.off('line', read)
      socket.off('close', close)
      resolve(line)
    }
    const close = () => end()
    const read = (line: Line) => isAnswer(line) && end(line)
    lines.on('line', read)
    socket.once('close', close)
    socket.write(`${JSON.stringify(message)}\n`)
  })
}

/** Whether a play would let no time pass. */
export function isWork({ works, asks, links, own }: ObservedState): boolean {
  return works !== null || asks.length > 0 || links.length > 0 || own > 0
}

function isSame(some: readonly ObservedState[], others: readonly ObservedState[]): boolean {
  return (
    some.length === others.length && some.every(({ activity }, index) => activity === others[index]?.activity)
  )
}

/** The process of an agent's command, with its output. */
export class RunningAgent {
  readonly process: ChildProcess
  readonly #end: Promise<AgentEnd>

  constructor([program = '', ...args]: readonly string[], env: Readonly<Record<string, string | undefined>>) {
    const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    this.process = child
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    this.#end = once(child, 'close').then(async ([status, signal]) => {
      const [stdout, stderr] = await output
      return { status, signal, stdout, stderr }
    })
    onTestFinished(() => {
      try {
        process.kill(-(child.pid as number), 'SIGKILL')
      } catch {
        // It has ended.
      }
    })
  }

  /** Resolves with how it ended. */
  end(): Promise<AgentEnd> {
    return this.#end
  }

  /** Resolves with what it has written to standard output when it has ended with status 0 and without errors. */
  async output(): Promise<string> {
    const { status, stdout, stderr } = await this.#end
    if (status !== 0 || stderr !== '') throw new Error(`The agent ended with ${status}: ${stdout}${stderr}`)
    return stdout
  }
}
