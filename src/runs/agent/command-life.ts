import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { startPause } from '../../service/time/wall-time.js'
import type { AgentAct, AgentLife } from '../../service/world/story-entry.js'
import type { AgentEnd, AgentStart, CommandWatch, StopReason } from './agent.js'
import type { StartedCommand } from './command-agent.js'

/** What the life of a command depends on. */
interface CommandLifeOptions {
  /** Starts the command for the nth time, as a copy that finds the service at its own port. */
  readonly begin: (start: number, copy: Copy) => StartedCommand
  /** Opens a port for a further copy. */
  readonly openPort: () => Promise<Copy>
  /** The port of the first copy. */
  readonly first: Copy
  readonly pace: Pick<CommandWatch, 'changes'>
  /** Whether a program that exits with an error is started again. */
  readonly restarts: boolean
  /** Returns the present story time, ISO 8601 UTC. */
  readonly now: () => string
  /** Returns whether an entry of the story that is still to come starts the command. */
  readonly isExpected: () => boolean
}

/** Where one of several copies that run side by side finds the service. */
export interface Copy {
  /** The base URL of the service. */
  readonly url: string
  readonly port: number
}

/** A start of the command, and what became of it. */
interface Start {
  readonly number: number
  readonly command: StartedCommand
  readonly copy: Copy
  readonly at: string
  /** Why the story has ended it, or that it failed and is started again; undefined if neither. */
  ended: 'killed' | 'stopped' | 'failed' | undefined
  endedAt: string | undefined
  /** Aborted when it sends its first request. */
  readonly asked: AbortController
}

/**
 * How long a copy is waited for to ask something before the next one is started, in milliseconds: those that start at one time
 * would race for what they share, such as a lock.
 */
const longestTurn = 1_000

/** Lets a command live as a story says: it may be killed, stopped and started again, and run twice. */
export class CommandLife implements AgentLife {
  readonly #options: CommandLifeOptions
  readonly #starts: Start[] = []
  readonly #copies: Copy[]
  readonly #gone = new AbortController()
  readonly #clients = new AsyncLocalStorage<Start>()
  readonly #owners = new WeakMap<Socket, Start>()
  /** How many copies run once all changes are done. */
  #wanted = 1
  /** How many starts and stops are in progress. */
  #changes = 0
  #isOver = false
  #reason: StopReason = 'story-over'
  /** One change after another, in the order of the story. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: CommandLifeOptions) {
    this.#options = options
    this.#copies = [options.first]
    this.#begin(options.first)
  }

  /** Aborted when it has ended, for whatever reason. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  get client(): AgentLife['client'] {
    const start = this.#clients.getStore()
    return start && { start: start.number, isKilled: start.ended === 'killed' }
  }

  /** Handles a request, which is known to be of the start that has the port of its connection. */
  handle(socket: Socket, handle: () => void): void {
    const start = this.#owners.get(socket) ?? this.#startAt(socket.localPort ?? 0)
    if (start) {
      this.#owners.set(socket, start)
      start.asked.abort()
      this.#clients.run(start, handle)
    } else handle()
  }

  perform(act: AgentAct): void {
    if (this.#isOver) return
    const running = this.#running
    this.#wanted = wantedAfter(act, this.#wanted)
    const ended = act === 'kill' || act === 'stop' ? running : act === 'one' ? running.slice(1) : []
    // What the first of them held, such as a lock, would be free for the others.
    if (act === 'kill') for (const { command } of ended) command.halt()
    for (const start of ended) this.#end(start, act === 'kill' ? 'killed' : 'stopped')
    this.#change(ended)
  }

  /** Stops it if it still runs, and returns how it ended; `problem` is the reason why it is stopped, if there is one. */
  async stop(reason: StopReason, problem?: string): Promise<AgentEnd> {
    this.#isOver = true
    this.#reason = reason
    await this.#turn
    const left = this.#running
    for (const { command } of left) command.stop()
    const ends = await Promise.all(this.#starts.map(({ command }) => command.endFor(reason, problem)))
    const own = ends.map((end, index) => ({ end, start: this.#starts[index] as Start }))
    const failed = own.find(({ end, start }) => start.ended === undefined && !end.passed)
    if (!failed) return asIntended(ends.at(-1) as AgentEnd, this.#starts.at(-1), reason)
    const { end, start } = failed
    const isOneOfSeveral = end.ended === 'by-itself' && left.some((other) => other !== start)
    return isOneOfSeveral ? { ...end, start: start.number } : end
  }

  /** Returns what became of each start, once the command was stopped; requests are counted elsewhere. */
  async starts(): Promise<Omit<AgentStart, 'requests'>[]> {
    const reason = this.#reason
    const told = this.#starts.map(async ({ number: start, command, at, ended, endedAt }) => {
      const isStory = ended === 'killed' || ended === 'stopped'
      const end = asIntended(await command.endFor(reason), isStory ? { ended } : undefined, reason)
      const { status, signal, problem } = end
      const ended_at = endedAt ?? this.#options.now()
      return { start, at, ended: isStory ? ended : end.ended, ended_at, status, signal, problem }
    })
    return Promise.all(told)
  }

  get #running(): Start[] {
    return this.#starts.filter(({ endedAt, ended }) => endedAt === undefined && ended === undefined)
  }

  #end(start: Start, how: 'killed' | 'stopped'): void {
    start.ended = how
    start.endedAt = this.#options.now()
    if (how === 'killed') start.command.kill()
    else start.command.stop()
  }

  /** Waits until some starts have ended, and then starts the command as often as it should run. */
  #change(ended: readonly Start[]): void {
    this.#changes++
    const act = async (): Promise<void> => {
      await Promise.all(ended.map(({ command }) => command.ending))
      while (!this.#isOver && this.#running.length < this.#wanted) {
        const { command, asked } = this.#begin(await this.#freeCopy())
        await command.started
        if (this.#running.length < this.#wanted) await turnOf(asked.signal, command.ending)
      }
    }
    this.#turn = this.#turn.then(act).finally(() => {
      this.#changes--
      this.#noteEnd()
    })
    this.#options.pace.changes(this.#turn)
  }

  /** Returns the first port that no copy has at present, or another one. */
  async #freeCopy(): Promise<Copy> {
    const taken = new Set(this.#running.map(({ copy }) => copy))
    const free = this.#copies.find((copy) => !taken.has(copy))
    if (free) return free
    const opened = await this.#options.openPort()
    this.#copies.push(opened)
    return opened
  }

  /** Starts the command once more. */
  #begin(copy: Copy): Start {
    const number = this.#starts.length + 1
    const command = this.#options.begin(number, copy)
    const at = this.#options.now()
    const start: Start = {
      ...{ number, command, copy, at },
      ...{ ended: undefined, endedAt: undefined, asked: new AbortController() },
    }
    this.#starts.push(start)
    void command.ending.then(async () => this.#noteEndOf(start, await command.endFor(this.#reason)))
    return start
  }

  #noteEndOf(start: Start, { ended, passed }: AgentEnd): void {
    const hasFailed = start.ended === undefined && ended === 'by-itself' && !passed
    start.endedAt ??= this.#options.now()
    // One that fails before it has asked anything would fail forever.
    if (hasFailed && this.#options.restarts && start.asked.signal.aborted && !this.#isOver) {
      start.ended = 'failed'
      this.#change([])
    } else {
      if (start.ended === undefined) this.#wanted = Math.max(0, this.#wanted - 1)
      this.#noteEnd()
    }
  }

  #noteEnd(): void {
    const isGone = this.#running.length === 0 && this.#changes === 0
    if (isGone && (this.#isOver || !this.#options.isExpected())) this.#gone.abort()
  }

  /** Returns the start that sends what comes at a port for the first time: the latest, unless that has no process yet. */
  #startAt(port: number): Start | undefined {
    const started = this.#starts.filter(
      ({ copy, command }) => copy.port === port && command.group !== undefined,
    )
    return started.at(-1)
  }
}

/** Waits until a copy has asked something, has ended, or has had its turn. */
async function turnOf(asked: AbortSignal, ending: Promise<unknown>): Promise<void> {
  const pause = startPause(longestTurn)
  asked.addEventListener('abort', () => pause.end(), { once: true })
  if (asked.aborted) pause.end()
  await Promise.race([pause.over, ending])
  pause.end()
}

/** Returns how many copies should run after an act, of those that should have run before. */
function wantedAfter(act: AgentAct, wanted: number): number {
  if (act === 'stop') return 0
  if (act === 'one') return Math.min(1, wanted)
  return act === 'second' ? wanted + 1 : Math.max(1, wanted)
}

/** Returns how a start ended that its story has ended: as intended, whatever its status is. */
function asIntended(end: AgentEnd, start: Pick<Start, 'ended'> | undefined, reason: StopReason): AgentEnd {
  if (start?.ended === undefined) return end
  return { ...end, ended: reason, passed: true, problem: null, why: null, output: '' }
}
