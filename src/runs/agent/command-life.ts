import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { Timers } from '../../service/time/wall-time.js'
import type { AgentAct, AgentLife } from '../../service/world/story-entry.js'
import type { AgentEnd, AgentStart, CommandWatch, RunningAgent, StopReason } from './agent.js'
import { type Owner, ownerOf, processOf } from './connection-owner.js'

/** A command that was started once. */
export interface StartedCommand {
  /** Its process group; undefined before it has one. */
  readonly group: number | undefined
  /** Settled when it has one, or has ended. */
  readonly started: Promise<unknown>
  /** Settled when all of its processes have ended. */
  readonly ending: Promise<unknown>
  /** Ends it with SIGTERM, and with SIGKILL if it does not end in time. */
  stop(): void
  /** Halts all of its processes, which are about to be killed. */
  halt(): void
  /** Kills all of its processes. */
  kill(): void
  /** Returns once none of its processes that were killed does anything any more. */
  awaitDeath(): void
  /** Returns how it ended, which its ending tells; `reason` is why it was stopped, if it was. */
  endFor(reason: StopReason, problem?: string): Promise<AgentEnd>
}

/** What the life of a command depends on. */
export interface CommandLifeOptions {
  /** Starts the command for the nth time. */
  readonly begin: (start: number) => StartedCommand
  readonly pace: Pick<CommandWatch, 'changes' | 'processes'>
  /** Returns the present story time, ISO 8601 UTC. */
  readonly now: () => string
  /** Returns whether an entry of the story that is still to come starts the command. */
  readonly isExpected: () => boolean
}

/** A start of the command, and what became of it. */
interface Start {
  readonly number: number
  readonly command: StartedCommand
  readonly at: string
  /** Why the story has ended it; undefined if it has not. */
  ended: 'killed' | 'stopped' | undefined
  endedAt: string | undefined
  /** Aborted when its first request has come. */
  readonly asked: AbortController
}

/** The longest time in which a copy sends its first request before the next one is started, in milliseconds of wall time. */
const longestBeginning = 10_000

/** What made a request, as far as it is known. */
interface Client {
  readonly start: Start | undefined
  readonly process: number | undefined
}

/** Lets a command live as a story says: it may be killed, stopped and started again, and run twice. */
export class CommandLife implements RunningAgent, AgentLife {
  readonly #options: CommandLifeOptions
  readonly #starts: Start[] = []
  readonly #gone = new AbortController()
  readonly #clients = new AsyncLocalStorage<Client>()
  readonly #owners = new WeakMap<Socket, Start>()
  readonly #senders = new WeakMap<Socket, number>()
  /** The processes in the order of their first requests that were told apart. */
  readonly #processes = new Set<number>()
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
    this.#begin()
  }

  get gone(): AbortSignal {
    return this.#gone.signal
  }

  get client(): AgentLife['client'] {
    const { start } = this.#clients.getStore() ?? {}
    return start && { start: start.number, isKilled: start.ended === 'killed' }
  }

  /** Which of several processes made the request that is being handled, counted from 1; undefined if that is not known. */
  get process(): number | undefined {
    return this.#clients.getStore()?.process
  }

  /** Handles a request, which is known to be of the start that its connection leads to. */
  handle(socket: Socket, handle: () => void): void {
    const start = this.#startAt(socket)
    start?.asked.abort()
    const process = this.#processAt(socket)
    if (start || process !== undefined) this.#clients.run({ start, process }, handle)
    else handle()
  }

  perform(act: AgentAct): void {
    if (this.#isOver) return
    const running = this.#running
    this.#wanted = wantedAfter(act, this.#wanted)
    const ended = act === 'kill' || act === 'stop' ? running : act === 'one' ? running.slice(1) : []
    // What the first of them held, such as a lock, would be free for the others.
    if (act === 'kill') for (const { command } of ended) command.halt()
    for (const start of ended) this.#end(start, act === 'kill' ? 'killed' : 'stopped')
    if (act === 'kill') for (const { command } of ended) command.awaitDeath()
    this.#change(ended)
  }

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
    const told = this.#starts.map(async ({ number, command, at, ended, endedAt }) => {
      const end = asIntended(await command.endFor(reason), { ended }, reason)
      const { status, signal, problem } = end
      const how = ended ?? end.ended
      return {
        start: number,
        at,
        ended: how,
        ended_at: endedAt ?? this.#options.now(),
        status,
        signal,
        problem,
      }
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
        const start = this.#begin()
        await start.command.started
        if (this.#running.length < this.#wanted) await hasBegun(start)
      }
    }
    this.#turn = this.#turn.then(act).finally(() => {
      this.#changes--
      this.#noteEnd()
    })
    this.#options.pace.changes?.(this.#turn)
  }

  /** Starts the command once more. */
  #begin(): Start {
    const number = this.#starts.length + 1
    const command = this.#options.begin(number)
    const at = this.#options.now()
    const asked = new AbortController()
    const start: Start = { number, command, at, asked, ended: undefined, endedAt: undefined }
    this.#starts.push(start)
    void command.ending.then(() => {
      if (start.ended === undefined) this.#wanted = Math.max(0, this.#wanted - 1)
      start.endedAt ??= this.#options.now()
      this.#noteEnd()
    })
    return start
  }

  #noteEnd(): void {
    const isGone = this.#running.length === 0 && this.#changes === 0
    if (isGone && (this.#isOver || !this.#options.isExpected())) this.#gone.abort()
  }

  /** Returns the number of the process at the other end of a connection, if several are observed. */
  #processAt(socket: Socket): number | undefined {
    const { processes = [] } = this.#options.pace
    if (processes.length < 2) return undefined
    const pid = this.#senders.get(socket) ?? processOf(socket, processes)
    if (pid === undefined) return undefined
    this.#senders.set(socket, pid)
    return [...this.#processes.add(pid)].indexOf(pid) + 1
  }

  /** Returns the start that is at the other end of a connection; undefined if that cannot be known. */
  #startAt(socket: Socket): Start | undefined {
    if (this.#starts.length === 1) return this.#starts[0]
    const known = this.#owners.get(socket)
    if (known) return known
    const running = this.#running
    const groups = running.flatMap(({ command: { group } }) => group ?? [])
    const found = this.#startOf(running, ownerOf(socket, groups))
    if (found) this.#owners.set(socket, found)
    return found
  }

  #startOf(running: readonly Start[], owner: Owner): Start | undefined {
    // Its end is closed: it was sent before the latest end.
    if (owner === 'nobody') return this.#starts.findLast(({ endedAt }) => endedAt !== undefined)
    const owning = running.find(({ command: { group } }) => group === owner)
    return owning ?? (running.length === 1 ? running[0] : undefined)
  }
}

/** Waits until a start has sent its first request, or has ended: of copies that start together, each is the first in turn. */
async function hasBegun({ asked, command }: Start): Promise<void> {
  const timers = new Timers()
  await Promise.race([timers.wait(longestBeginning, asked.signal), command.ending])
  timers.end()
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
