import { ScenarioError } from '../scenario/scenario-error.js'
import { ServerError } from '../server/server-error.js'
import { ClockError, ReadingError } from '../world/errors.js'

/** What the program's exit status means. */
export const exitStatus = { fine: 0, failed: 1, badInput: 2 } as const

/** Says on the error stream what went wrong, with the stack trace where it is wanted; gives the exit status. */
export function reportFailure(error: unknown, verbose: boolean): number {
  const text = error instanceof Error ? error.message : String(error)
  // A scenario's problems begin with their place, where editors and terminals look for it.
  process.stderr.write(error instanceof ScenarioError ? `${text}\n` : `error: ${text}\n`)
  if (verbose && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  return statusOf(error)
}

function statusOf(error: unknown): number {
  if (error instanceof ServerError && error.code === 'unknown-host') return exitStatus.badInput
  const input = [ScenarioError, ReadingError, ClockError].some((family) => error instanceof family)
  return input ? exitStatus.badInput : exitStatus.failed
}
