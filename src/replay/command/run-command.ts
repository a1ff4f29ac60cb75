import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { startPause, uniqueMark } from '../../world/index.js'
import { CommandOutput, type OnLines } from './command-output.js'
import { describeEnd } from './describe-end.js'
import { explainNotStarted } from './not-started.js'
import { ProcessFamily } from './process-family.js'
import { writtenBy } from './process-table.js'

/** How a command is run. Times are milliseconds of wall time. */
export interface CommandOptions {
  /** Variables besides this process's own; undefined for one it is not to have. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** The folder it runs in: this process's own when it is left out. */
  readonly cwd?: string | undefined
  /** Told of the lines it writes as they come, of both streams, without their line breaks. */
  readonly onLines?: OnLines | undefined
  /** Told once it runs. */
  readonly onStart?: (() => void) | undefined
  /** Has it ended: it and everything it started gets SIGTERM and, after the grace, SIGKILL. */
  readonly signal?: AbortSignal | undefined
  /** How long it may take to end after SIGTERM; 5,000 when it is left out. */
  readonly grace?: number | undefined
  /** How long it may run before it is ended; for ever when it is left out. */
  readonly timeLimit?: number | undefined
}

/** How a command ended; by then nothing it started is running any more. */
export interface CommandEnd {
  /** By itself, because `signal` said so, because its time was over, or before it began. */
  readonly ended: 'by-itself' | 'told' | 'time-limit' | 'not-started'
  /** Null where a signal ended it, or it never began. */
  readonly status: number | null
  /** The signal that ended it, e.g. `SIGKILL`. */
  readonly signal: string | null
  /** What is wrong with that, for people; null where it ended with status 0, or because it was told to. */
  readonly problem: string | null
  /** What is worth telling besides, e.g. what it left running. */
  readonly notes: readonly string[]
  /** The last lines it wrote, of both streams, as plain text. */
  readonly output: string
}

/** The variable by which processes are known that a command started, wherever they have gone. */
const markName = 'MAILBOX_SIM_RUN'

/** Milliseconds that what a command started may take to end after it, before it counts as left behind. */
const afterwards = 250

/** Milliseconds for what is left in the pipes once nobody writes to them any more. */
const drainTime = 1_000

/**
 * Runs a command in a process group of its own, without input, and sees to it that nothing it started is left when
 * it has ended. Never rejects for what the command does: what went wrong is told in what it gives.
 */
export async function runCommand(
  command: readonly string[],
  options: CommandOptions = {},
): Promise<CommandEnd> {
  const output = new CommandOutput(options.onLines)
  const mark = uniqueMark()
  const started = await start(command, options, mark)
  if (started instanceof Error) {
    const problem = explainNotStarted(command, started)
    return { ended: 'not-started', status: null, signal: null, problem, notes: [], output: '' }
  }
  const { child, outputs } = started
  const family = new ProcessFamily({ group: child.pid as number, mark: `${markName}=${mark}`, outputs })
  const letGo = dieTogether(family)
  try {
    return await watch(child, family, output, options)
  } finally {
    letGo()
  }
}

/** A command that was started, and what it writes to. */
interface Started {
  readonly child: ChildProcess
  readonly outputs: readonly string[]
}

/** Starts it; gives the error where that cannot be done. */
async function start(
  [program = '', ...args]: readonly string[],
  { env, cwd }: CommandOptions,
  mark: string,
): Promise<Started | Error> {
  try {
    const child = spawn(program, args, {
      env: { ...process.env, ...env, [markName]: mark },
      cwd,
      // In a group, and a session, of its own: all of it can be ended at once, and Ctrl-C reaches this process alone.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // At once, while it has what it was given.
    const outputs = child.pid === undefined ? [] : writtenBy(child.pid)
    await once(child, 'spawn')
    return { child, outputs }
  } catch (error) {
    return error as Error
  }
}

/** Has the whole family killed where this process ends before it; gives how to let go of that. */
function dieTogether(family: ProcessFamily): () => void {
  const kill = (): void => family.signal('SIGKILL')
  // Many commands may run at a time; their listeners are no leak.
  process.setMaxListeners(process.getMaxListeners() + 1)
  process.once('exit', kill)
  return () => {
    process.off('exit', kill)
    process.setMaxListeners(process.getMaxListeners() - 1)
  }
}

async function watch(
  child: ChildProcess,
  family: ProcessFamily,
  output: CommandOutput,
  { signal, grace = 5_000, timeLimit, onStart }: CommandOptions,
): Promise<CommandEnd> {
  const drained = Promise.all([
    output.read(child.stdout as Readable, 'stdout'),
    output.read(child.stderr as Readable, 'stderr'),
  ])
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const limit = timeLimit === undefined ? undefined : startPause(timeLimit)
  onStart?.()
  const { told, forget } = watchFor(signal)
  const cause = await Promise.race([
    exited.then(() => 'by-itself' as const),
    told.then(() => 'told' as const),
    ...(limit ? [limit.over.then(() => 'time-limit' as const)] : []),
  ])
  limit?.end()
  forget()
  const notes: string[] = []
  if (cause === 'by-itself') notes.push(...(await endLeftBehind(family, grace)))
  else if (await family.end(grace))
    notes.push(`It had not ended ${shownTime(grace)} after SIGTERM, so it was killed.`)
  const [status, endedBy] = await exited
  const pause = startPause(drainTime)
  await Promise.race([drained, pause.over])
  pause.end()
  output.close()
  const problem = problemOf(cause, status, endedBy, timeLimit)
  return { ended: cause, status, signal: endedBy, problem, notes, output: output.tail }
}

/** Ends what is still running after a command; gives what there is to tell of it. */
async function endLeftBehind(family: ProcessFamily, grace: number): Promise<string[]> {
  if (await family.gone(afterwards)) return []
  const names = family.members().map(({ name }) => name)
  if (names.length === 0) return []
  const killed = await family.end(grace)
  const how = killed ? `killed, since SIGTERM did not end it within ${shownTime(grace)}` : 'ended'
  return [`It left ${names.toSorted().join(', ')} running, which was ${how}.`]
}

function problemOf(
  cause: Exclude<CommandEnd['ended'], 'not-started'>,
  status: number | null,
  signal: string | null,
  timeLimit = 0,
): string | null {
  if (cause === 'time-limit') return `had not ended after ${shownTime(timeLimit)}`
  return cause === 'told' || status === 0 ? null : describeEnd(status, signal)
}

function shownTime(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${milliseconds / 1_000} s`
}

/** Settled once a signal tells to end, unless that is forgotten: a signal may outlive many commands. */
function watchFor(signal: AbortSignal | undefined): { told: Promise<void>; forget: () => void } {
  if (signal?.aborted) return { told: Promise.resolve(), forget: () => undefined }
  let tell = (): void => undefined
  const told = new Promise<void>((resolve) => {
    tell = resolve
  })
  signal?.addEventListener('abort', tell, { once: true })
  return { told, forget: () => signal?.removeEventListener('abort', tell) }
}
