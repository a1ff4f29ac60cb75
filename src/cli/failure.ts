import { TapeError } from '../replay/tape/tape-error.js'
import { ScenarioError } from '../scenario/problems/scenario-error.js'
import { ServerError } from '../server/server-error.js'
import { TraceError } from '../simulator/trace-error.js'
import { ClockError, ReadingError } from '../world/errors.js'

/** What the program's exit status means. */
export const exitStatus = { fine: 0, failed: 1, badInput: 2 } as const

/** Something the user asked for that cannot be done. */
export class InputError extends Error {
  override readonly name = 'InputError'
}

/** Input that is wrong, of which everything has been said already. */
export class ReportedError extends Error {
  override readonly name = 'ReportedError'
}

/** A run that was fine but found what it looked for, or whose agent failed: of which everything has been said already. */
export class FailedRun extends Error {
  override readonly name = 'FailedRun'
}

/** Says on the error stream what went wrong, with the stack trace where it is wanted; gives the exit status. */
export function reportFailure(error: unknown, verbose: boolean): number {
  if (error instanceof FailedRun) return exitStatus.failed
  if (!(error instanceof ReportedError)) process.stderr.write(formatFailure(error))
  if (verbose) process.stderr.write(stacksOf(error))
  return statusOf(error)
}

/** The stack traces of an error and of what it was caused by, as where a scenario's own code throws. */
function stacksOf(error: unknown): string {
  return error instanceof Error ? `${error.stack}\n${stacksOf(error.cause)}` : ''
}

/** What went wrong, as people read it. */
export function formatFailure(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // A scenario's problems begin with their place, where editors and terminals look for it.
  return error instanceof ScenarioError ? `${text}\n` : `error: ${text}\n`
}

/** What went wrong, as programs read it: one object for each problem, with its place as far as it has one. */
export function problemsOf(error: unknown): object[] {
  if (!(error instanceof ScenarioError)) return [{ key: '', message: (error as Error).message }]
  return error.problems.map(({ line, column, key, message }) => {
    return { file: error.source, line, column, key, message }
  })
}

/** Whether it is what the user gave that is wrong. */
export function isBadInput(error: unknown): boolean {
  if (error instanceof ServerError) return error.code === 'unknown-host'
  const families = [ScenarioError, ReadingError, ClockError, TraceError, TapeError, InputError, ReportedError]
  return families.some((family) => error instanceof family)
}

function statusOf(error: unknown): number {
  return isBadInput(error) ? exitStatus.badInput : exitStatus.failed
}
