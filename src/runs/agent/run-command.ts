import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { formatCommand } from '../../base/text.js'
import { Timers } from '../../service/time/wall-time.js'
import { CommandOutput, type OnLines } from './command-output.js'
import { ProcessGroup } from './process-group.js'

/** Options for running a command. Times are milliseconds of wall time. */
export interface CommandOptions {
  /** Variables in addition to this process's own; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Called with the lines that the command writes to either stream. */
  readonly onLines?: OnLines | undefined
  /** Stops the command: sends SIGTERM to all its processes and, after the grace period, SIGKILL. */
  readonly signal?: AbortSignal | undefined
  /** Ends the grace period early, e.g. when a user is waiting. */
  readonly kill?: AbortSignal | undefined
  /** Called with its processes once it has started. */
  readonly onStarted?: ((group: ProcessGroup) => void) | undefined
}

/**
 * Why the command of a play is stopped: because the story had ended; because the play was interrupted; because it was not ready
 * before the story could begin; or because it had sent too many requests, where these are limited.
 */
export type StopReason = 'story-over' | 'interrupted' | 'not-ready' | 'too-many-requests'

/** How a command ended. All processes of its group have ended as well. */
export interface CommandEnd {
  /** The command and its arguments as they were given; in a play, secrets are masked. */
  readonly command: readonly string[]
  /** Null if a signal ended it, or it never started. */
  readonly status: number | null
  /** The signal that ended it, e.g. `SIGKILL`. */
  readonly signal: string | null
  /**
   * Why it ended: on its own; because it could not be started; or because it was stopped, in a play for a reason, or killed by
   * the story. If it was not ready or not started, the story was not played.
   */
  readonly ended: 'by-itself' | 'not-started' | 'stopped' | 'killed' | StopReason
  /** Whether it has no problem. */
  readonly passed: boolean
  /** The problem in words; null if it exited with status 0, or was stopped without a reason to blame it. */
  readonly problem: string | null
  /** Further notes, e.g. that it left something running. */
  readonly notes: readonly string[]
  /** The last lines it wrote to either stream, as plain text; in a play, empty if it passed. */
  readonly output: string
  /**
   * The line of its whole output that looks most like a failure; the last one if none does. Undefined without lines, or if it was
   * killed from outside, which its output rarely explains.
   */
  readonly complaint: string | undefined
}

/** Milliseconds between SIGTERM and SIGKILL. */
const grace = 5_000

/** Milliseconds in which processes may end after the command before they count as left running. */
const leftoverGrace = 250

/** Milliseconds for reading the rest of the pipes once no process writes to them. */
const drainTimeout = 1_000

/** The processes of the commands that run, which are killed if this process exits. */
const running = new Set<ProcessGroup>()
process.on('exit', () => {
  for (const group of running) group.signal('SIGKILL')
})

/**
 * Runs a command in its own process group, without input, and ends all processes that it leaves running there. Never
 * rejects because of a failure of the command: the result describes it.
 */
export async function runCommand(
  command: readonly string[],
  options: CommandOptions = {},
): Promise<CommandEnd> {
  const child = await start(command, options)
  if (child instanceof Error) {
    const problem = explainStartProblem(command, child)
    return {
      ...{ command, status: null, signal: null, ended: 'not-started', passed: false, problem },
      ...{ notes: [], output: '', complaint: undefined },
    }
  }
  const group = new ProcessGroup(child.pid as number)
  running.add(group)
  options.onStarted?.(group)
  const end = await supervise(child, group, options).finally(() => running.delete(group))
  return { command, ...end }
}

/** Starts the command; returns the error if that fails. */
async function start(
  [program = '', ...args]: readonly string[],
  { env }: CommandOptions,
): Promise<ChildProcess | Error> {
  try {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      // Its own process group and session, so that it can be ended as a whole and Ctrl-C reaches only this
      // process.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    await once(child, 'spawn')
    return child
  } catch (error) {
    return error as Error
  }
}

async function supervise(
  child: ChildProcess,
  group: ProcessGroup,
  { signal, kill, onLines }: CommandOptions,
): Promise<Omit<CommandEnd, 'command'>> {
  const output = new CommandOutput(onLines)
  const [stdout, stderr] = [child.stdout as Readable, child.stderr as Readable]
  const drained = Promise.all([output.read(stdout, 'stdout'), output.read(stderr, 'stderr')])
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const timers = new Timers()
  const ended = await Promise.race([
    exited.then(() => 'by-itself' as const),
    timers.wait(Infinity, signal).then(() => 'stopped' as const),
  ])
  // Signals may outlive many commands: this removes the listeners.
  timers.end()
  const notes = await (ended === 'by-itself' ? endLeftovers : stopAll)(group, kill)
  // Processes that survive SIGKILL or still hold the pipes are not waited for any longer.
  const [status, endedBy] = (await Promise.race([exited, timers.wait(drainTimeout)])) ?? [null, null]
  await Promise.race([drained, timers.wait(drainTimeout)])
  timers.end()
  for (const stream of [stdout, stderr]) stream.destroy()
  const problem = problemOf(ended, status, endedBy)
  const complaint = problem === null || endedBy === null ? output.complaint : undefined
  return {
    ...{ status, signal: endedBy, ended, passed: problem === null, problem, notes },
    ...{ output: output.tail, complaint },
  }
}

async function stopAll(group: ProcessGroup, kill?: AbortSignal): Promise<string[]> {
  return (await group.stop(grace, kill)) ? ['It did not end after SIGTERM, so it was killed.'] : []
}

/** Ends the processes that a command left running; returns a note about them. */
async function endLeftovers(group: ProcessGroup, kill?: AbortSignal): Promise<string[]> {
  if (await group.gone(leftoverGrace)) return []
  const killed = await group.stop(grace, kill)
  const how = killed ? 'killed, since SIGTERM did not end it' : 'ended'
  return [`It left something running, which was ${how}.`]
}

function problemOf(ended: CommandEnd['ended'], status: number | null, signal: string | null): string | null {
  if (ended === 'stopped' || status === 0) return null
  if (signal !== null) {
    const why = signal === 'SIGKILL' ? ' from outside; the system does that when memory runs out' : ''
    return `was ended by ${signal}${why}`
  }
  return `exited with status ${status}${status === 127 ? ' (a shell returns this for a program that does not exist)' : ''}`
}

/** Explains why a command could not be started, and how to fix that; `error` comes from the system. */
function explainStartProblem([program = '']: readonly string[], error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') {
    return `There is no program "${program}" (or what its first line names, #!…). It is looked for in PATH, a path in this folder; arguments are words of their own, as in -- npx tsx agent.ts.`
  }
  if (code === 'EACCES')
    return `${program} is not executable; name what runs it, as in -- ${formatCommand(['python', program])}`
  return `${program} could not be started: ${message}.`
}
