import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { listOf } from '../../base/text.js'
import type { RunningServer } from '../../doors/server/start-server.js'
import { Timers, yieldToEventLoop } from '../../service/time/wall-time.js'
import type { AgentAct, AgentLife } from '../../service/world/story-entry.js'
import type { ObservedAgent } from '../pace/observed-agent.js'
import { hideRunDetails, hideSecretArguments } from '../reports/report.js'
import { type ClientPlace, type ClientVariables, clientEnvironment } from './client-environment.js'
import type { PlayOptions } from './options.js'
import type { ProcessGroup } from './process-group.js'
import { type CommandEnd, runCommand, type StopReason } from './run-command.js'

/**
 * How long a copy is waited for to ask something before the next one is started, in milliseconds: those that start at one time
 * would race for what they share, such as a lock.
 */
const longestTurn = 1_000

/** An agent that runs as a command. */
export interface CommandAgent {
  /** A program with its arguments. */
  readonly command: readonly string[]
  /** Additional variables of its environment, with placeholders such as `{base_url}`. */
  readonly variables?: ClientVariables | undefined
  /** Further variables, as they are; undefined removes one. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
}

/** What a start of the program of an agent did. */
export interface AgentStart extends Pick<CommandEnd, 'ended' | 'status' | 'signal' | 'problem'> {
  /** 1, 2, … in the order in which they began. */
  readonly start: number
  /** When it began and when it ended, in story time, ISO 8601 UTC. */
  readonly at: string
  readonly ended_at: string
  /** How many requests to the service are known to be its own. */
  readonly requests: number
}

/** What the starts of a command in a play have in common. */
interface CommandPlay extends Omit<ClientPlace, 'url'> {
  readonly agent: CommandAgent
  readonly observed: ObservedAgent
  readonly options: PlayOptions
}

/** Where one of several copies that run side by side finds the service. */
type Copy = Awaited<ReturnType<RunningServer['openPort']>>

/** Lets a command live as a story says: it may be killed, stopped and started again, and run twice. */
export class CommandLife implements AgentLife {
  readonly #play: CommandPlay
  /** Returns whether an entry of the story that is still to come starts the command. */
  readonly #isExpected: () => boolean
  readonly #starts: CommandStart[] = []
  readonly #copies: Copy[]
  readonly #gone = new AbortController()
  readonly #clients = new AsyncLocalStorage<CommandStart>()
  readonly #timers = new Timers()
  /** How many copies run once all changes are done. */
  #wanted = 1
  #isOver = false
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

  /** Those that are being stopped may still ask. */
  get copies(): number {
    return this.#wanted + this.#play.observed.changes
  }

  /** Handles a request, which is known to be of the start that has the port of its connection. */
  handle(socket: Socket, handle: () => void): void {
    // Another start there begins once all processes of this one have ended.
    const start = this.#starts.findLast(({ copy, group }) => copy.port === socket.localPort && group)
    if (start) {
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
  async stop(reason: StopReason, problem?: string): Promise<CommandEnd> {
    this.#isOver = true
    await this.#turn
    for (const start of this.#running) start.stop(reason, problem)
    // What they do after SIGTERM takes real time.
    await yieldToEventLoop()
    this.#play.observed.leave()
    const ends = this.#starts.map(async (start) => ({ start, end: await start.ending }))
    const own = await Promise.all(ends)
    const failed = own.find(({ end, start }) => !start.isReplaced && !end.passed)
    const { start, end } = failed ?? (own.at(-1) as (typeof own)[number])
    if (start.ended || start.isReplaced)
      return { ...end, ended: reason, passed: true, problem: null, output: '' }
    return end
  }

  /** Returns what became of each start, once the command was stopped; requests are counted elsewhere. */
  async starts(): Promise<Omit<AgentStart, 'requests'>[]> {
    const told = this.#starts.map(async (one) => {
      const { ended, status, signal, problem } = await one.ending
      return {
        start: one.number,
        at: one.at,
        ended,
        ended_at: one.endedAt as string,
        status,
        signal,
        problem,
      }
    })
    return Promise.all(told)
  }

  get #running(): CommandStart[] {
    return this.#starts.filter(({ endedAt, ended }) => endedAt === undefined && ended === undefined)
  }

  /** Waits until some starts have ended, and then starts the command as often as it should run. */
  #change(ended: readonly CommandStart[]): void {
    const act = async (): Promise<void> => {
      await Promise.all(ended.map(({ ending }) => ending))
      while (!this.#isOver && this.#running.length < this.#wanted) {
        const { started, asked, ending } = this.#begin(await this.#freeCopy())
        await Promise.race([this.#timers.wait(Infinity, started.signal), ending])
        if (this.#running.length >= this.#wanted) break
        await Promise.race([this.#timers.wait(longestTurn, asked.signal), ending])
      }
    }
    this.#turn = this.#play.observed.during(this.#turn.then(act)).finally(() => this.#noteEnd())
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
    void start.ending.then((end) => this.#noteEndOf(start, end))
    return start
  }

  #noteEndOf(start: CommandStart, { ended, passed }: CommandEnd): void {
    const hasFailed = ended === 'by-itself' && !passed
    // One that fails before it has asked anything would fail forever.
    if (hasFailed && this.#play.options.restart && start.asked.signal.aborted && !this.#isOver) {
      start.isReplaced = true
      this.#change([])
    } else {
      if (start.ended === undefined) this.#wanted = Math.max(0, this.#wanted - 1)
      this.#noteEnd()
    }
  }

  #noteEnd(): void {
    const isGone = this.#running.length === 0 && this.#play.observed.changes === 0
    if (isGone && (this.#isOver || !this.#isExpected())) this.#gone.abort()
  }
}

/** Returns how many copies should run after an act, of those that should have run before. */
function wantedAfter(act: AgentAct, wanted: number): number {
  if (act === 'stop') return 0
  if (act === 'one') return Math.min(1, wanted)
  return act === 'second' ? wanted + 1 : Math.max(1, wanted)
}

/** A command that was started, with the addresses and credentials of the service and its control API in its environment. */
class CommandStart {
  readonly #play: CommandPlay
  /** 1, 2, … in the order in which they began. */
  readonly number: number
  readonly copy: Copy
  /** When it began and when it ended, in story time, ISO 8601 UTC. */
  readonly at: string
  endedAt: string | undefined
  /** How the story has ended it; undefined if it has not. */
  ended: 'killed' | 'stopped' | undefined
  /** Whether it failed and is started again. */
  isReplaced = false
  /** Its processes; undefined before it has any. */
  group: ProcessGroup | undefined
  /** Aborted when it has processes. */
  readonly started = new AbortController()
  /** Aborted when it sends its first request. */
  readonly asked = new AbortController()
  readonly #stopping = new AbortController()
  /** Why it is stopped. */
  #stop: Pick<CommandEnd, 'ended' | 'problem'> = { ended: 'stopped', problem: null }
  /** Settled when all of its processes have ended. */
  readonly ending: Promise<CommandEnd>

  constructor(play: CommandPlay, number: number, copy: Copy) {
    const { agent, server, observed, options } = play
    const { command, environment } = agent
    this.#play = play
    this.number = number
    this.copy = copy
    this.at = this.#now
    const own = clientEnvironment({ ...play, url: copy.url }, number, agent.variables)
    const all = { ...own, ...observed.environment, ...environment }
    const isRefused = refusesObservers(command, all)
    if (isRefused) observed.noted(`${command[0]} was started with --permission, so it is not observed`)
    const env = isRefused ? { ...all, NODE_OPTIONS: process.env['NODE_OPTIONS'] } : all
    const ending = runCommand(command, {
      env,
      onStarted: (group) => {
        this.group = group
        if (this.ended === 'killed') group.kill()
        observed.started(group)
        this.started.abort()
      },
      onLines: (lines, stream) => {
        observed.written++
        if (!options.watcher?.wrote) return
        const masker = server.simulator.masker.forCommand(command, { ...process.env, ...env })
        // Masked as one text, since a secret may span several lines.
        options.watcher.wrote(masker.text(lines.join('\n')).split('\n'), stream)
      },
      signal: this.#stopping.signal,
      kill: options.kill,
    })
    this.ending = ending.then((end) => {
      if (this.group) observed.ended(this.group)
      this.endedAt ??= this.#now
      return this.#told(end)
    })
  }

  get #now(): string {
    return this.#play.server.simulator.clock.now()
  }

  /** Kills it, so that none of its processes does anything any more, or ends it with SIGTERM, as the story says. */
  end(how: 'killed' | 'stopped'): void {
    this.ended = how
    this.endedAt = this.#now
    if (how === 'killed') this.group?.kill()
    else this.#stopping.abort()
  }

  /** Ends it with SIGTERM, and with SIGKILL if it does not end in time. */
  stop(reason: StopReason, problem: string | null = null): void {
    this.#stop = { ended: reason, problem }
    this.#stopping.abort()
  }

  /** Returns how it ended as it may be shown, without secrets. */
  #told(end: CommandEnd): CommandEnd {
    const { agent, server } = this.#play
    // What the story has ended, ended as intended, whatever its status is.
    const intended = this.ended && { ended: this.ended, problem: null }
    const { ended, problem } = intended ?? (end.ended === 'stopped' ? this.#stop : end)
    const { notes, output, complaint } = end
    return {
      ...{ ...end, ended, passed: problem === null },
      command: hideSecretArguments(agent.command, server),
      problem: problem && this.#shown(problem),
      notes: [...notes, ...refusedOf(server)].map((note) => this.#shown(note)),
      output: problem === null ? '' : this.#shown(output),
      complaint: complaint && this.#shown(complaint),
    }
  }

  #shown(text: string): string {
    const { agent, server, stateDir } = this.#play
    const trace = agent.environment?.['MAILBOX_SIM_TRACE'] ?? ''
    const plain = trace === '' ? text : text.replaceAll(trace, '$MAILBOX_SIM_TRACE')
    return hideRunDetails(plain.replaceAll(stateDir, '$MAILBOX_STATE_DIR'), server, agent.command)
  }
}

/** Returns whether Node would refuse to load an observer, by the permissions with which it is started, and end. */
function refusesObservers(
  command: readonly string[],
  { NODE_OPTIONS = '' }: Readonly<Record<string, string | undefined>>,
): boolean {
  return [...command, ...NODE_OPTIONS.split(' ')].some((word) => /^--(experimental-)?permission$/.test(word))
}

/** Returns a note on what the control API refused to the agent, if anything. */
function refusedOf({ agentAccess }: RunningServer): string[] {
  const { refused = [] } = agentAccess ?? {}
  if (refused.length === 0) return []
  return [
    `the control API refused the agent what it is judged by: ${listOf(refused)}; --agent-controls all allows it`,
  ]
}
