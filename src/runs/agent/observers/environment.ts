import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtFolder } from '../../../base/package.js'

/** How time passes for an observed agent: its waits are skipped, also on the story's date; or, on other clocks than `auto`, nothing is changed. */
export type AgentTime = 'skip' | 'wall' | 'story'

/** How late it is: milliseconds since the play began, and the agent's date when it began, in milliseconds since the epoch. */
export interface Moment {
  readonly now: number
  readonly date: number
}

type ObserverVariable =
  | ('MAILBOX_SIM_OBSERVER' | 'MAILBOX_SIM_MOMENT' | 'MAILBOX_SIM_AGENT_TIME' | 'MAILBOX_SIM_THINK_TIME')
  | ('NODE_OPTIONS' | 'PYTHONPATH')

/**
 * Returns the environment variables with which the Node and Python processes of an agent are observed: each loads a file
 * that connects to a place, such as `127.0.0.1:40123`, and speaks lines of JSON there. What `env` has for Node and Python stays
 * in force.
 */
export function observerEnvironment({
  place,
  moment,
  agentTime,
  thinkTime,
  env,
}: {
  readonly place: string
  /** What a process knows from its first line on; each observer keeps it for those that its process starts. */
  readonly moment: Moment
  readonly agentTime: AgentTime
  /** How long a request to somebody else is a wait, in milliseconds of story time. */
  readonly thinkTime?: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}): Record<ObserverVariable, string | undefined> {
  return {
    MAILBOX_SIM_THINK_TIME: thinkTime === undefined ? undefined : String(thinkTime),
    MAILBOX_SIM_OBSERVER: place,
    MAILBOX_SIM_MOMENT: JSON.stringify(moment),
    MAILBOX_SIM_AGENT_TIME: agentTime,
    NODE_OPTIONS: joined(' ', env['NODE_OPTIONS'], `--require ${quoted(shippedFile('node/observe.cjs'))}`),
    PYTHONPATH: joined(delimiter, shippedFile('python'), env['PYTHONPATH']),
  }
}

/** The path of a file beside this one, in `src` and in the built package. */
function shippedFile(name: string): string {
  return fileURLToPath(new URL(`runs/agent/observers/${name}`, builtFolder()))
}

function joined(separator: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part).join(separator)
}

/** A path as Node reads it in NODE_OPTIONS. */
function quoted(path: string): string {
  return /[\s"\\]/.test(path) ? JSON.stringify(path) : path
}
