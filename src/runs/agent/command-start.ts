import { listOf } from '../../base/text.js'
import type { RunningServer } from '../../doors/server/start-server.js'
import { hideRunDetails, hideSecretArguments } from '../reports/report.js'
import type { AgentEnd, CommandAgent, CommandWatch, StopReason } from './agent.js'
import { type ClientPlace, clientEnvironment } from './client-environment.js'
import type { PlayOptions } from './options.js'
import type { ProcessGroup } from './process-group.js'
import { type CommandEnd, runCommand } from './run-command.js'

/** What the starts of a command in a play have in common. */
export interface CommandPlay extends Omit<ClientPlace, 'url'> {
  readonly agent: CommandAgent
  readonly pace: CommandWatch
  readonly options: PlayOptions
}

/** Where one of several copies that run side by side finds the service. */
export type Copy = Awaited<ReturnType<RunningServer['openPort']>>

/** A command that was started, with the addresses and credentials of the service and its control API in its environment. */
export class CommandStart {
  readonly #play: CommandPlay
  /** 1, 2, … in the order in which they began. */
  readonly number: number
  readonly copy: Copy
  /** When it began and when it ended, in story time, ISO 8601 UTC. */
  readonly at: string
  endedAt: string | undefined
  /** Why the story has ended it, or that it failed and is started again; undefined if neither. */
  ended: 'killed' | 'stopped' | 'failed' | undefined
  /** Its processes; undefined before it has any. */
  group: ProcessGroup | undefined
  /** Aborted when it has processes, or has ended. */
  readonly started = new AbortController()
  /** Aborted when it sends its first request. */
  readonly asked = new AbortController()
  readonly #stopping = new AbortController()
  /** Settled when all of its processes have ended. */
  readonly ending: Promise<CommandEnd>

  constructor(play: CommandPlay, number: number, copy: Copy) {
    const { agent, server, pace, options } = play
    const { command, environment } = agent
    this.#play = play
    this.number = number
    this.copy = copy
    this.at = server.simulator.clock.now()
    const own = clientEnvironment({ ...play, url: copy.url }, number, agent.variables)
    const observed = { ...own, ...pace.environment, ...environment }
    const isRefused = refusesObservers(command, observed)
    if (isRefused) pace.noted(`${command[0]} was started with --permission, so it is not observed`)
    const env = isRefused ? { ...observed, NODE_OPTIONS: process.env['NODE_OPTIONS'] } : observed
    this.ending = runCommand(command, {
      env,
      timeLimit: options.timeLimit,
      onStarted: (group) => {
        this.group = group
        if (this.ended === 'killed') group.kill()
        pace.started(group)
        this.started.abort()
      },
      onLines: (lines, stream) => {
        pace.wrote()
        if (!options.watcher?.wrote) return
        const masker = server.simulator.masker.forCommand(command, { ...process.env, ...env })
        // Masked as one text, since a secret may span several lines.
        options.watcher.wrote(masker.text(lines.join('\n')).split('\n'), stream)
      },
      signal: this.#stopping.signal,
      kill: options.kill,
    }).finally(() => {
      if (this.group) pace.ended(this.group)
      this.started.abort()
    })
  }

  /** Kills it, so that none of its processes does anything any more, or ends it with SIGTERM, as the story says. */
  end(how: 'killed' | 'stopped'): void {
    this.ended = how
    this.endedAt = this.#play.server.simulator.clock.now()
    if (how === 'killed') this.group?.kill()
    else this.stop()
  }

  /** Ends it with SIGTERM, and with SIGKILL if it does not end in time. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Returns how it ended, which its ending tells; `reason` is why it was stopped, if it was. */
  async endFor(reason: StopReason, stopProblem?: string): Promise<AgentEnd> {
    const { agent, server } = this.#play
    const { ended, status, signal, notes, output, complaint, ...end } = await this.ending
    const problem = ended === 'stopped' ? (stopProblem ?? null) : end.problem
    // The output before a kill rarely explains it.
    const line = ended === 'by-itself' && signal === null ? complaint : undefined
    return {
      command: hideSecretArguments(agent.command, server),
      status,
      signal,
      ended: ended === 'stopped' ? reason : ended,
      passed: problem === null,
      problem: problem && this.#shown(problem),
      notes: [...notes, ...refusedOf(server)].map((note) => this.#shown(note)),
      output: problem === null ? '' : this.#shown(output),
      why: problem && this.#shown(line ?? problem),
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
