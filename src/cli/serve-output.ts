import type { AnsweredRequest, DeliveryTry, RunningServer } from '../server/index.js'
import { version } from '../server/version.js'
import { formatSummary } from './counts.js'
import { problemsOf } from './failure.js'
import type { Paint } from './terminal.js'

/** The line that tells a program that the server is ready, and where. */
export function formatReady({ url, controlUrl, simulator }: RunningServer): string {
  const { scenario, seed } = simulator
  return `${JSON.stringify({ event: 'ready', url, control: controlUrl, scenario, seed, pid: process.pid })}\n`
}

/** What people read once the server is ready: where it is, what it holds, and a first request. */
export function formatWelcome({ url, controlUrl, simulator }: RunningServer, paint: Paint): string {
  const facts = [
    ['base URL', paint.strong(url)],
    ['control', `${controlUrl}/health`],
    ['scenario', summaryOf(simulator)],
    ['seed', String(simulator.seed)],
    ['clock', `${simulator.clock.mode}, now ${simulator.clock.now()}`],
  ] as const
  const table = facts.map(([name, value]) => `  ${paint.faint(name.padEnd(8))}  ${value}`).join('\n')
  const title = paint.strong(`agent-mailbox-sim ${version}`)
  return `${title}\n\n${table}\n\nTry it:\n  ${exampleRequest(url, simulator)}\n\nCtrl-C stops it.\n`
}

/** The line that tells a program that the scenario was loaded again. */
export function formatReloaded({ scenario, seed }: RunningServer['simulator']): string {
  return `${JSON.stringify({ event: 'reloaded', scenario, seed })}\n`
}

/** What people read once the scenario was loaded again. */
export function formatReload(simulator: RunningServer['simulator']): string {
  return `Reloaded: ${summaryOf(simulator)}\n`
}

/** The line that tells a program that the scenario was not loaded again, and why. */
export function formatReloadFailed(error: unknown): string {
  return `${JSON.stringify({ event: 'reload-failed', problems: problemsOf(error) })}\n`
}

/** One request as a line of a log. */
export function formatAnswered({ method, target, status, durationMs }: AnsweredRequest): string {
  return `${method} ${harmless(target)} ${status} ${durationMs.toFixed(1)} ms\n`
}

/** One try to deliver an event as a line of a log, e.g. `message.received to http://… 500 3.1 ms, attempt 2 (retry)`. */
export function formatDeliveryTry(tried: DeliveryTry): string {
  const { event, url, number, cause, status, error, durationMs } = tried
  const outcome = [status ?? [], error?.code ?? []].flat().join(' ')
  const repeat = number === 1 ? '' : `, attempt ${number} (${cause})`
  const reason = error ? `: ${error.message.replace(/[^ -~]/g, encodeURIComponent)}` : ''
  return `${event} to ${harmless(url)} ${outcome} ${durationMs.toFixed(1)} ms${repeat}${reason}\n`
}

/** The line that tells a program that the server has stopped. */
export function formatStopped({ interrupted }: RunningServer): string {
  return `${JSON.stringify({ event: 'stopped', interrupted })}\n`
}

/** What people read once the server has stopped. */
export function formatFarewell({ interrupted }: RunningServer): string {
  if (interrupted === 0) return '\nStopped.\n'
  return `\nStopped; ${interrupted} ${interrupted === 1 ? 'delivery was' : 'deliveries were'} interrupted.\n`
}

/** What is beyond ASCII may be a terminal's control character. */
function harmless(text: string): string {
  return text.replace(/[^!-~]/g, encodeURIComponent)
}

function exampleRequest(url: string, { apiKey, identities }: RunningServer['simulator']): string {
  const [agent] = identities.list()
  const query = agent ? `agent=${encodeURIComponent(agent.agent_handle)}&limit=5` : 'limit=5'
  const header = `Authorization: Bearer ${apiKey}`.replace(/["$`\\]/g, '\\$&')
  return `curl -H "${header}" "${url}/api/v1/mail/threads?${query}"`
}

function summaryOf(simulator: RunningServer['simulator']): string {
  return `${simulator.scenario}: ${formatSummary(simulator.summary())}`
}
