import { listOf } from '../../base/index.js'
import type { RunningServer } from '../../doors/server/index.js'
import { hideRunDetails, hideSecretArguments } from '../reports/index.js'
import type { AgentEnd, CommandAgent, CommandWatch, RunningAgent } from './agent.js'
import { clientEnvironment } from './client-environment.js'
import { FailureLine } from './command-output.js'
import type { PlayOptions } from './options.js'
import type { DeliveryPorts } from './receivers.js'
import { runCommand } from './run-command.js'

/** Starts a command with the addresses and credentials of the service and its control API in its environment. */
export function startCommand(
  { command, variables, environment, usualLines }: CommandAgent,
  { server, ports }: { readonly server: RunningServer; readonly ports: DeliveryPorts },
  pace: CommandWatch,
  { watcher, kill, timeLimit }: PlayOptions,
): RunningAgent {
  const stopping = new AbortController()
  const gone = new AbortController()
  const env = { ...clientEnvironment(server, variables, ports), ...pace.environment, ...environment }
  const failure = new FailureLine(usualLines)
  const ending = runCommand(command, {
    env,
    timeLimit,
    onStarted: (group) => pace.started?.(group),
    onLines: (lines, stream) => {
      pace.wrote?.()
      failure.add(lines)
      if (!watcher?.wrote) return
      const masker = server.simulator.masker.forCommand(command, { ...process.env, ...env })
      // Masked as one text, since a secret may span several lines.
      watcher.wrote(masker.text(lines.join('\n')).split('\n'), stream)
    },
    signal: stopping.signal,
    kill,
  }).finally(() => gone.abort())
  const trace = environment?.['MAILBOX_SIM_TRACE'] ?? ''
  const shown = (text: string): string => {
    const plain = trace === '' ? text : text.replaceAll(trace, '$MAILBOX_SIM_TRACE')
    return hideRunDetails(plain, server, command)
  }
  return {
    gone: gone.signal,
    async stop(reason, stopProblem): Promise<AgentEnd> {
      stopping.abort()
      const { ended, status, signal, notes, output, ...end } = await ending
      const problem = ended === 'stopped' ? (stopProblem ?? null) : end.problem
      // The output before a kill rarely explains it.
      const line = ended === 'by-itself' && signal === null ? failure.best : undefined
      return {
        command: hideSecretArguments(command, server),
        status,
        signal,
        ended: ended === 'stopped' ? reason : ended,
        passed: problem === null,
        problem: problem && shown(problem),
        notes: [...notes, ...refusedOf(server)].map(shown),
        output: problem === null ? '' : shown(output),
        why: problem && shown(line ?? problem),
        said: output === '' ? undefined : shown(output.slice(output.lastIndexOf('\n') + 1)),
        complaint: failure.best === undefined ? undefined : shown(failure.best),
        lines: failure.seen,
      }
    },
  }
}

/** Returns a note on what the control API refused to the agent, if anything. */
function refusedOf({ agentAccess }: RunningServer): string[] {
  const { refused = [] } = agentAccess ?? {}
  if (refused.length === 0) return []
  return [
    `the control API refused the agent what it is judged by: ${listOf(refused)}; --agent-controls all allows it`,
  ]
}
