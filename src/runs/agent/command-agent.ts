import type { RunningServer } from '../../doors/server/index.js'
import { SecretFinder } from '../../service/world/index.js'
import type { ReplayOptions } from '../replay/options.js'
import type { CommandOutcome } from '../replay/outcome.js'
import { hideRunDetails, hideSecretArguments } from '../reports/index.js'
import { clientEnvironment } from './client-environment.js'
import { runCommand } from './run-command.js'

type StopReason = Exclude<CommandOutcome['ended'], 'by-itself' | 'not-started'>

/** An agent that runs as a command. */
interface Agent {
  /** Aborted when the command has ended, for whatever reason. */
  readonly gone: AbortSignal
  /**
   * Stops the command if it still runs, waits until all of its processes have ended, and returns the outcome. `problem`
   * is the reason why it is stopped, if there is one.
   */
  stop(reason: StopReason, problem?: string): Promise<CommandOutcome>
}

/** Starts a command with the addresses and credentials of the service and its control API in its environment. */
export function startAgent(
  command: readonly string[],
  server: RunningServer,
  { watcher, kill, variables }: ReplayOptions,
): Agent {
  const stopping = new AbortController()
  const gone = new AbortController()
  const env = clientEnvironment(server, variables)
  const ending = runCommand(command, {
    env,
    onLines: (lines, stream) => {
      const masker = server.simulator.masker.forCommand(command, { ...process.env, ...env })
      // Masked as one text, since a secret may span several lines.
      watcher?.wrote?.(masker.text(lines.join('\n')).split('\n'), stream)
    },
    signal: stopping.signal,
    kill,
  }).finally(() => gone.abort())
  const secrets = new SecretFinder(server.simulator.secrets)
  const shown = (text: string): string => secrets.masked(hideRunDetails(text, server, command))
  return {
    gone: gone.signal,
    async stop(reason, stopProblem) {
      stopping.abort()
      const { ended, status, signal, notes, output, ...end } = await ending
      const problem = ended === 'stopped' ? (stopProblem ?? null) : end.problem
      return {
        command: hideSecretArguments(command, server),
        status,
        signal,
        // It is never `time-limit`, since this command has none.
        ended: ended === 'stopped' ? reason : (ended as CommandOutcome['ended']),
        passed: problem === null,
        problem: problem && shown(problem),
        notes: notes.map(shown),
        output: problem === null ? '' : shown(output),
      }
    },
  }
}
