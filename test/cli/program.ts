import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { built } from './built-program.js'

/** How a process ended. */
export interface Outcome {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A process that is running. */
export interface RunningProgram {
  readonly process: ChildProcess
  /** What it has written so far. */
  readonly written: Readonly<Record<'stdout' | 'stderr', string>>
  /** Where the next line of its output begins. */
  next: number
  /** How it ended, once it has. */
  readonly outcome: Promise<Outcome>
}

/** Variables of an environment. */
type Variables = Readonly<Record<string, string>>

/** Options of a process. */
export interface ProcessOptions {
  readonly env?: Variables
  readonly cwd?: string
}

/** Starts the program with some arguments. */
export interface Start {
  (...args: readonly string[]): RunningProgram
  /** Returns a start function with variables in its environment. */
  with(variables: Variables): Start
}

/** Returns a function that starts the built program, until the test ends. */
export function useProgram(): Start {
  return createStart({})
}

function createStart(env: Variables): Start {
  const start = (...args: readonly string[]) => {
    const program = startProgram(args, { env })
    onTestFinished(() => void program.process.kill('SIGKILL'))
    return program
  }
  return Object.assign(start, { with: (more: Variables) => createStart({ ...env, ...more }) })
}

/** Starts the built program. */
export function startProgram(args: readonly string[], options?: ProcessOptions): RunningProgram {
  return startProcess([process.execPath, built.main, ...args], options)
}

/** Variables of the test run that a process must not see, since they change its behavior or output. */
const influences = /^(NO_COLOR|FORCE_COLOR|NODE_OPTIONS|GITHUB_STEP_SUMMARY|VITEST.*|MAILBOX_.*)$/

/** The processes that run; cases that run side by side share the hooks of their file, which may end what a failed one has left. */
export const running = new Set<ChildProcess>()

/** Starts a process without the variables of this test run. */
export function startProcess(words: readonly string[], { env, cwd }: ProcessOptions = {}): RunningProgram {
  const ordinary = Object.entries(process.env).filter(([name]) => !influences.test(name))
  const [program = '', ...args] = words
  const child = spawn(program, args, {
    cwd,
    env: { ...Object.fromEntries(ordinary), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
    })
  }
  const outcome = once(child, 'close').then(([status, signal]) => {
    running.delete(child)
    return { status, signal, ...written }
  })
  return { process: child, written, next: 0, outcome }
}

/** Returns what a reading of a stream finds in what was written, once there is something. @throws Error if the process ends before */
async function found<Found>(
  { process: child, written, outcome }: RunningProgram,
  stream: 'stdout' | 'stderr',
  read: (text: string) => Found | null,
): Promise<Found> {
  for (let isOver = false; ; ) {
    const result = read(written[stream])
    if (result !== null) return result
    if (isOver) throw new Error(`The program ended: ${JSON.stringify(await outcome)}`)
    const ended = outcome.then(() => true)
    isOver = await Promise.race([
      once(child[stream] as NodeJS.ReadableStream, 'data').then(() => false),
      ended,
    ])
  }
}

/** The next line of the output. */
export function nextLine(program: RunningProgram): Promise<string> {
  return found(program, 'stdout', (text) => {
    const end = text.indexOf('\n', program.next)
    if (end < 0) return null
    const line = text.slice(program.next, end)
    program.next = end + 1
    return line
  })
}

/** The first line of the output with a match, and the match. */
export async function findLine(program: RunningProgram, pattern: RegExp): Promise<string> {
  for (;;) {
    const [match] = pattern.exec(await nextLine(program)) ?? []
    if (match !== undefined) return match
  }
}

/** The first match in the error stream. */
export function findError(program: RunningProgram, pattern: RegExp): Promise<RegExpExecArray> {
  return found(program, 'stderr', (text) => pattern.exec(text))
}
