import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import {
  type AgentTime,
  type Message,
  ObservedProcess,
  observerEnvironment,
  type ProcessState,
} from '../../src/runs/pace/observed-process.js'
import { folderOf } from '../support/temporary-folder.js'

/** How an agent's command ended. */
export interface AgentEnd {
  readonly status: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** The environment in which the agent finds the service; a test may listen there. */
const home = 'http://127.0.0.1:4280'

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
  /** What observers noted. */
  readonly notes: string[] = []
  /** The requests to others that are over. */
  readonly ended: Message['end'][] = []
  readonly #processes = new Set<ObservedProcess>()
  readonly #server = createServer({ noDelay: true }, (socket) => this.#welcome(socket))
  readonly #options: FakePlayOptions
  #now = 0

  constructor(options: FakePlayOptions) {
    this.#options = options
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => {
      this.hangUp()
      this.#server.close()
    })
  }

  #welcome(socket: Socket): void {
    const one = new ObservedProcess(socket, ({ hello, end, note }) => {
      if (hello) one.tell(this.#moment)
      if (note !== undefined) this.notes.push(note)
      if (end) this.ended.push(end)
    })
    this.#processes.add(one)
    socket.once('close', () => this.#processes.delete(one))
  }

  /** The threads that are connected and have said what they are. */
  get threads(): readonly ObservedProcess[] {
    return [...this.#processes].filter(({ pid }) => pid !== 0)
  }

  /** Ends all connections to observers. */
  hangUp(): void {
    for (const one of this.#processes) one.close()
  }

  /** Runs an agent's command with observers until it ends, at the latest with the test. */
  run(command: readonly string[], env: Readonly<Record<string, string>> = {}): RunningAgent {
    const { NODE_OPTIONS: _, ...own } = process.env
    const others = { ...own, MAILBOX_BASE_URL: home, ...env }
    const { agentTime = 'skip', thinkTime } = this.#options
    const place = env['MAILBOX_SIM_OBSERVER'] ?? `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    // One that a program without an observer starts has the moment of its parent.
    const { MAILBOX_SIM_MOMENT: given } = env
    const moment = given === undefined ? this.#moment : JSON.parse(given)
    const observed = observerEnvironment({ place, moment, agentTime, thinkTime }, others)
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
    while (this.threads.length < count) await setTimeout(5)
  }

  /** Moves story time. */
  move(now: number): void {
    this.#now = now
    for (const thread of this.threads) thread.tell(this.#moment)
  }

  /** Asks all threads what they do. Those that end meanwhile are left out. */
  async look(): Promise<ProcessState[]> {
    const states: ProcessState[] = []
    for (const thread of this.threads) states.push(...(await answerOf(() => thread.look())))
    // At least a turn of the event loop, in which those that have ended are left out: whoever looks again would wait for ever.
    await setTimeout(0)
    return states
  }

  /** Resolves when no thread works: two looks in succession found nothing new. */
  async rest(): Promise<ProcessState[]> {
    await this.connected()
    for (let before = ''; ; ) {
      const states = await this.look()
      const works = states.some(isWork)
      const marks = states.map(({ activity }) => activity).join()
      if (!works && marks === before) return states
      before = marks
      if (works) await setTimeout(5)
    }
  }

  /**
   * Lets the thread whose wait is due first end waits until a story time, each in `later` at another time; returns how far it
   * came, which is the time then, and which wait ended last.
   */
  async go(until: number, later: readonly (readonly [id: number, due: number])[] = []) {
    await this.look()
    const dueOf = ({ state }: ObservedProcess) => Math.min(...(state?.waits ?? []).map(([, due]) => due))
    const [first] = this.threads.toSorted((one, other) => dueOf(one) - dueOf(other))
    const [progress] = first ? await answerOf(() => first.goOn(until, later)) : []
    const { now = until, ended = 0 } = progress ?? {}
    this.move(Math.max(now, this.#now))
    return { now, ended }
  }

  get #moment() {
    const { date = Date.parse('2026-01-05T09:00:00Z') } = this.#options
    return { now: this.#now, date }
  }
}

/** Asks a thread until it answers; resolves with nothing if it ends meanwhile. */
async function answerOf<Answer>(ask: () => Promise<Answer | string | undefined>): Promise<Answer[]> {
  for (;;) {
    const answer = await ask()
    if (typeof answer !== 'string') return answer === undefined ? [] : [answer as Answer]
  }
}

/** Whether a play would let no time pass. */
function isWork({ works, asks, links, own }: ProcessState): boolean {
  return works !== null || asks.length > 0 || links.length > 0 || own > 0
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
