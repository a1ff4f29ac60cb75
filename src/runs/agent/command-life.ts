import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { Timers } from '../../service/time/wall-time.js'
import type { AgentAct, AgentLife } from '../../service/world/story-entry.js'
import type { AgentEnd, AgentStart, StopReason } from './agent.js'
import { type CommandPlay, CommandStart, type Copy } from './command-start.js'

/**
 * How long a copy is waited for to ask something before the next one is started, in milliseconds: those that start at one time
 * would race for what they share, such as a lock.
 */
const longestTurn = 1_000

/** Lets a command live as a story says: it may be killed, stopped and started again, and run twice. */
export class CommandLife implements AgentLife {
  readonly #play: CommandPlay
  /** Returns whether an entry of the story that is still to come starts the command. */
  readonly #isExpected: () => boolean
  readonly #starts: CommandStart[] = []
  readonly #copies: Copy[]
  readonly #gone = new AbortController()
  readonly #clients = new AsyncLocalStorage<CommandStart>()
  readonly #owners = new WeakMap<Socket, CommandStart>()
  readonly #timers = new Timers()
  /** How many copies run once all changes are done. */
  #wanted = 1
  /** How many starts and stops are in progress. */
  #changes = 0
  #isOver = false
  #reason: StopReason = 'story-over'
  /** One change after another, in the order of the story. */
  #turn: Promise<unknown> = Promise.resolve()

  /** Starts the command for the first time. */
  constructor(play: CommandPlay, isExpected: () => boolean) {
    const { url } = play.server
    const first = { url, port: Number(new URL(url).port) }
    this.#play = play
    this.#isExpected = isExpected
    this.#copies = [first]
    this.#begin(first)
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
    // What comes at a port for the first time is of the latest start there, unless that has no process yet.
    const start =
      this.#owners.get(socket) ??
      this.#starts.findLast(({ copy, group }) => copy.port === socket.localPort && group)
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
    if (act === 'kill') for (const { group } of ended) group?.signal('SIGSTOP')
    for (const start of ended) start.end(act === 'kill' ? 'killed' : 'stopped')
    this.#change(ended)
  }

  /** Stops it if it still runs, and returns how it ended; `problem` is the reason why it is stopped, if there is one. */
  async stop(reason: StopReason, problem?: string): Promise<AgentEnd> {
    this.#isOver = true
    this.#reason = reason
    await this.#turn
    const left = this.#running
    for (const start of left) start.stop()
    const ends = this.#starts.map(async (start) => ({ start, end: await start.endFor(reason, problem) }))
    const own = await Promise.all(ends)
    const failed = own.find(({ end, start }) => start.ended === undefined && !end.passed)
    if (!failed) {
      const { start, end } = own.at(-1) as (typeof own)[number]
      return start.ended ? asIntended(end, reason) : end
    }
    const { end, start } = failed
    const isOneOfSeveral = end.ended === 'by-itself' && left.some((other) => other !== start)
    return isOneOfSeveral ? { ...end, start: start.number } : end
  }

  /** Returns what became of each start, once the command was stopped; requests are counted elsewhere. */
  async starts(): Promise<Omit<AgentStart, 'requests'>[]> {
    const told = this.#starts.map(async (one) => {
      const { number: start, at, ended: how } = one
      const own = await one.endFor(this.#reason)
      const isStory = how === 'killed' || how === 'stopped'
      const { status, signal, problem, ended } = isStory
        ? { ...asIntended(own, this.#reason), ended: how }
        : own
      return { start, at, ended, ended_at: one.endedAt ?? this.#now, status, signal, problem }
    })
    return Promise.all(told)
  }

  get #now(): string {
    return this.#play.server.simulator.clock.now()
  }

  get #running(): CommandStart[] {
    return this.#starts.filter(({ endedAt, ended }) => endedAt === undefined && ended === undefined)
  }

  /** Waits until some starts have ended, and then starts the command as often as it should run. */
  #change(ended: readonly CommandStart[]): void {
    this.#changes++
    const act = async (): Promise<void> => {
      await Promise.all(ended.map(({ ending }) => ending))
      while (!this.#isOver && this.#running.length < this.#wanted) {
        const { started, asked, ending } = this.#begin(await this.#freeCopy())
        await this.#timers.wait(Infinity, started.signal)
        if (this.#running.length >= this.#wanted) break
        await Promise.race([this.#timers.wait(longestTurn, asked.signal), ending])
      }
    }
    this.#turn = this.#turn.then(act).finally(() => {
      this.#changes--
      this.#noteEnd()
    })
    this.#play.pace.changes(this.#turn)
  }

  /** Returns the first port that no copy has at present, or another one. */
  async #freeCopy(): Promise<Copy> {
    const taken = new Set(this.#running.map(({ copy }) => copy))
    const free = this.#copies.find((copy) => !taken.has(copy))
    if (free) return free
    const opened = await this.#play.server.openPort()
    this.#copies.push(opened)
    return opened
  }

  /** Starts the command once more. */
  #begin(copy: Copy): CommandStart {
    const start = new CommandStart(this.#play, this.#starts.length + 1, copy)
    this.#starts.push(start)
    void start.ending.then(async () => this.#noteEndOf(start, await start.endFor(this.#reason)))
    return start
  }

  #noteEndOf(start: CommandStart, { ended, passed }: AgentEnd): void {
    const hasFailed = start.ended === undefined && ended === 'by-itself' && !passed
    start.endedAt ??= this.#now
    // One that fails before it has asked anything would fail forever.
    if (hasFailed && this.#play.options.restart && start.asked.signal.aborted && !this.#isOver) {
      start.ended = 'failed'
      this.#change([])
    } else {
      if (start.ended === undefined) this.#wanted = Math.max(0, this.#wanted - 1)
      this.#noteEnd()
    }
  }

  #noteEnd(): void {
    const isGone = this.#running.length === 0 && this.#changes === 0
    if (isGone && (this.#isOver || !this.#isExpected())) this.#gone.abort()
  }
}

/** Returns how many copies should run after an act, of those that should have run before. */
function wantedAfter(act: AgentAct, wanted: number): number {
  if (act === 'stop') return 0
  if (act === 'one') return Math.min(1, wanted)
  return act === 'second' ? wanted + 1 : Math.max(1, wanted)
}

/** Returns how a start ended that its story has ended: as intended, whatever its status is. */
function asIntended(end: AgentEnd, reason: StopReason): AgentEnd {
  return { ...end, ended: reason, passed: true, problem: null, why: null, output: '' }
}
