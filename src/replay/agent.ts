import { type CommandEnd, clientEnvironment, runCommand } from '../processes/run-command.js'
import { hideRunDetails, hideSecretArguments } from '../reports/index.js'
import type { RunningServer } from '../server/index.js'
import { formatDuration } from '../world/index.js'
import type { ReplayOptions } from './options.js'
import type { CommandOutcome } from './report.js'

/** An agent that runs as a command. */
export class Agent {
  readonly #command: readonly string[]
  readonly #server: RunningServer
  readonly #stop = new AbortController()
  readonly #gone = new AbortController()
  readonly #end: Promise<CommandEnd>

  /** Starts it with what it needs to find the service in its environment. */
  constructor(
    command: readonly string[],
    server: RunningServer,
    { watcher, kill, variables }: Pick<ReplayOptions, 'watcher' | 'kill' | 'variables'>,
  ) {
    this.#command = command
    this.#server = server
    this.#end = runCommand(command, {
      env: clientEnvironment(server, variables),
      onLines: (lines, stream) => {
        const masker = server.simulator.masker.forCommand(command, process.env)
        watcher?.wrote?.(
          lines.map((line) => masker.text(line)),
          stream,
        )
      },
      signal: this.#stop.signal,
      kill,
    }).finally(() => this.#gone.abort())
  }

  /** Aborted once it has ended, for whatever reason. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  /** Stops it if it still runs, waits until it and all it started are gone, and returns the outcome. */
  async stop(reason: 'story-over' | 'interrupted' = 'story-over'): Promise<CommandOutcome> {
    this.#stop.abort()
    const end = await this.#end
    return this.#outcome(end, end.ended === 'stopped' ? reason : end.ended, end.problem)
  }

  /** Stops it because it did not answer at a URL in time, in milliseconds. */
  async stopUnready(url: string, waited: number): Promise<CommandOutcome> {
    this.#stop.abort()
    const end = await this.#end
    if (end.ended !== 'stopped') return this.#outcome(end, end.ended, end.problem)
    const problem = `did not answer at ${url} within ${formatDuration(waited)} of its start`
    return this.#outcome(end, 'not-ready', problem)
  }

  #outcome(
    end: CommandEnd,
    ended: CommandOutcome['ended'] | 'stopped' | 'time-limit',
    problem: string | null,
  ): CommandOutcome {
    const shown = (text: string): string => hideRunDetails(text, this.#server, this.#command)
    return {
      command: hideSecretArguments(this.#command, this.#server),
      status: end.status,
      signal: end.signal,
      ended: ended as CommandOutcome['ended'],
      passed: problem === null,
      problem: problem === null ? null : shown(problem),
      notes: end.notes.map(shown),
      output: problem === null ? '' : shown(end.output),
    }
  }
}
