import { ExtensionError } from '../contract/extensions.js'
import { ToolError } from '../doors/mcp/tool.js'
import { TraceError } from '../doors/simulator/trace.js'
import { CodedError } from '../service/model/errors.js'
import { Timers } from '../service/time/wall-time.js'
import { ScenarioError } from '../story/read/problem.js'
import { sanitize } from './terminal.js'

/** The meanings of the program's exit status. */
export const exitStatus = { fine: 0, failed: 1, badInput: 2 } as const

/** Ends the program with a status. Its message is printed; without one, everything has been printed. */
export class ExitError extends Error {
  override readonly name: string = 'ExitError'
  readonly status: number

  constructor(status: number, message = '') {
    super(message)
    this.status = status
  }
}

/** Thrown for user input that cannot be used. */
export class InputError extends ExitError {
  override readonly name = 'InputError'

  constructor(message: string, { cause }: ErrorOptions = {}) {
    super(isDiskProblem(cause) ? exitStatus.failed : exitStatus.badInput, message)
    this.cause = cause
  }
}

/** Returns what ends a run that a signal interrupted, with the status that shells report for it. */
export function interruptedBy(signal: unknown, message = ''): ExitError {
  return new ExitError(signal === 'SIGTERM' ? 143 : 130, message)
}

/** Prints what went wrong on the error stream, with the stack trace if wanted; returns the exit status. */
export function reportFailure(error: unknown, verbose: boolean): number {
  const isPrinted = error instanceof ExitError && error.message === ''
  if (!isPrinted) process.stderr.write(formatFailure(error))
  if (verbose && !(isPrinted && error.status === exitStatus.failed)) process.stderr.write(stacksOf(error))
  if (error instanceof ExitError) return error.status
  return isBadInput(error) ? exitStatus.badInput : exitStatus.failed
}

/** Returns the stack traces of an error and its causes. */
function stacksOf(error: unknown): string {
  return error instanceof Error ? `${error.stack}\n${stacksOf(error.cause)}` : ''
}

/** Formats what went wrong for people. */
export function formatFailure(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // A scenario's problems begin with their place, where editors and terminals look for it.
  return sanitize(error instanceof ScenarioError ? `${text}\n` : `error: ${text}\n`)
}

/** Returns what went wrong for programs: an object for each problem, with its place if it has one. */
export function problemsOf(error: unknown): object[] {
  if (!(error instanceof ScenarioError)) return [{ key: '', message: (error as Error).message }]
  return error.problems.map(({ line, column, key, message }) => {
    return { file: error.source, line, column, key, message }
  })
}

/** Returns whether the user's input is wrong. */
export function isBadInput(error: unknown): boolean {
  if (error instanceof ExitError) return error.status === exitStatus.badInput
  if (isDiskProblem((error as Error).cause)) return false
  if (error instanceof CodedError) return !circumstances.includes(error.code)
  return [ExtensionError, ScenarioError, TraceError, ToolError].some((family) => error instanceof family)
}

/** The codes of errors that lie outside the command line. */
const circumstances: readonly string[] = [
  ...['port-taken', 'not-allowed', 'unavailable', 'interrupted', 'not-ready', 'before-failed', 'failed'],
]

/** Returns whether an error of the file system has nothing to do with the input. */
function isDiskProblem(cause: unknown): boolean {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException
  return ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'].includes(code)
}

/**
 * Handles errors of an output stream: continues if the reader has left, as `head` does. If the output cannot be
 * written, e.g. to a full disk, ends the process with a message.
 */
export function handleOutputErrors(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    if (stream !== process.stderr)
      process.stderr.write(`error: The output cannot be written: ${error.message}.\n`)
    process.exit(exitStatus.failed)
  })
}

/** An interruption by Ctrl-C or SIGTERM. */
export interface Interruption {
  /** Aborted at the first signal. */
  readonly signal: AbortSignal
  /** Aborted soon after, or at the second signal: remaining processes must be killed. */
  readonly kill: AbortSignal
}

/** Milliseconds after the first signal at which commands are killed. */
const killAfter = 2_000

/**
 * Runs a task that signals may interrupt. A third signal ends the program immediately, and so do `exitAfter`
 * milliseconds after the first one.
 */
export async function interruptible<Result>(
  act: (interruption: Interruption) => Promise<Result>,
  { exitAfter = 4_500 } = {},
): Promise<Result> {
  const stop = new AbortController()
  const kill = new AbortController()
  const timers = new Timers()
  let isOver = false
  const after = (milliseconds: number, end: () => void): void => {
    void timers.wait(milliseconds).then(() => isOver || end())
  }
  const onSignal = (name: NodeJS.Signals): void => {
    if (kill.signal.aborted) process.exit(exitStatus.failed)
    if (stop.signal.aborted) {
      kill.abort()
      return
    }
    stop.abort(name)
    after(killAfter, () => kill.abort())
    after(exitAfter, () => process.exit(exitStatus.failed))
  }
  // SIGHUP comes when a terminal is closed; commands in their own sessions do not get it.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, onSignal)
  try {
    return await act({ signal: stop.signal, kill: kill.signal })
  } finally {
    isOver = true
    timers.end()
    for (const signal of signals) process.off(signal, onSignal)
  }
}
