import { listOf } from '../../base/text.js'
import type { RunningServer } from '../../doors/server/start-server.js'
import { hideRunDetails, hideSecretArguments } from '../reports/report.js'
import type { AgentEnd, CommandAgent, CommandWatch, StopReason } from './agent.js'
import { type ClientPlace, clientEnvironment } from './client-environment.js'
import type { PlayOptions } from './options.js'
import { ProcessGroup } from './process-group.js'
import { runCommand } from './run-command.js'

/** A command that was started once. */
export type StartedCommand = ReturnType<typeof startCommand>

/** Starts a command with the addresses and credentials of the service and its control API in its environment. */
export function startCommand(
  { command, variables, environment }: CommandAgent,
  place: ClientPlace,
  start: number,
  pace: CommandWatch,
  { watcher, kill, timeLimit }: PlayOptions,
) {
  const { server, stateDir } = place
  const stopping = new AbortController()
  let group: number | undefined
  let isKilled = false
  let noteStart = (): void => undefined
  const started = new Promise<void>((resolve) => {
    noteStart = resolve
  })
  const own = clientEnvironment(place, start, variables)
  const observed = { ...own, ...pace.environment, ...environment }
  const isRefused = refusesObservers(command, observed)
  if (isRefused) pace.noted(`${command[0]} was started with --permission, so it is not observed`)
  const env = isRefused ? { ...observed, NODE_OPTIONS: process.env['NODE_OPTIONS'] } : observed
  const ending = runCommand(command, {
    env,
    timeLimit,
    onStarted(id) {
      group = id
      if (isKilled) new ProcessGroup(id).kill()
      pace.started(id)
      noteStart()
    },
    onLines: (lines, stream) => {
      pace.wrote()
      if (!watcher?.wrote) return
      const masker = server.simulator.masker.forCommand(command, { ...process.env, ...env })
      // Masked as one text, since a secret may span several lines.
      watcher.wrote(masker.text(lines.join('\n')).split('\n'), stream)
    },
    signal: stopping.signal,
    kill,
  }).finally(() => {
    if (group !== undefined) pace.ended(group)
    noteStart()
  })
  const trace = environment?.['MAILBOX_SIM_TRACE'] ?? ''
  const shown = (text: string): string => {
    const plain = trace === '' ? text : text.replaceAll(trace, '$MAILBOX_SIM_TRACE')
    const known = plain.replaceAll(stateDir, '$MAILBOX_STATE_DIR')
    return hideRunDetails(known, server, command)
  }
  return {
    /** Its process group; undefined before it has one. */
    get group(): number | undefined {
      return group
    },
    /** Settled when it has one, or has ended; and when all of its processes have ended. */
    ...{ started, ending },
    /** Ends it with SIGTERM, and with SIGKILL if it does not end in time. */
    stop: () => stopping.abort(),
    /** Halts all of its processes, which are about to be killed. */
    halt() {
      if (group !== undefined) new ProcessGroup(group).signal('SIGSTOP')
    },
    /** Kills all of its processes; returns once none of them does anything any more. */
    kill() {
      isKilled = true
      if (group !== undefined) new ProcessGroup(group).kill()
    },
    /** Returns how it ended, which its ending tells; `reason` is why it was stopped, if it was. */
    async endFor(reason: StopReason, stopProblem?: string): Promise<AgentEnd> {
      const { ended, status, signal, notes, output, complaint, ...end } = await ending
      const problem = ended === 'stopped' ? (stopProblem ?? null) : end.problem
      // The output before a kill rarely explains it.
      const line = ended === 'by-itself' && signal === null ? complaint : undefined
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
        complaint: complaint && shown(complaint),
      }
    },
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
