import { type CommandEnd, clientEnvironment, runCommand } from '../processes/run-command.js'
import { hideRunDetails, hideSecretArguments } from '../reports/index.js'
import type { RunningServer } from '../server/index.js'
import type { ReplayOptions } from './options.js'
import type { CommandOutcome } from './report.js'

type StopReason = Exclude<CommandOutcome['ended'], 'by-itself' | 'not-started'>

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
          // Some secrets have several lines
          masker.text(lines.join('\n')).split('\n'),
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

  /**
   * Stops it if it still runs, waits until it and all it started are gone, and returns the outcome; with a problem, if it
   * is stopped because of that.
   */
  async stop(reason: StopReason, problem: string | null = null): Promise<CommandOutcome> {
    this.#stop.abort()
    const end = await this.#end
    const [ended, wrong] = end.ended === 'stopped' ? [reason, problem] : [end.ended, end.problem]
    const shown = (text: string): string => hideRunDetails(text, this.#server, this.#command)
    return {
      command: hideSecretArguments(this.#command, this.#server),
      status: end.status,
      signal: end.signal,
      // It has no time limit.
      ended: ended as CommandOutcome['ended'],
      passed: wrong === null,
      problem: wrong === null ? null : shown(wrong),
      notes: end.notes.map(shown),
      output: wrong === null ? '' : shown(end.output),
    }
  }
}
