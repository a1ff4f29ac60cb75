import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { built } from './built-program.js'

/** How a run of the program ended. */
export interface Outcome {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A program that is running. */
export interface RunningProgram {
  readonly process: ChildProcess
  /** The lines of its output while it runs. */
  readonly lines: AsyncIterator<string>
  /** How it ended, once it has. */
  readonly outcome: Promise<Outcome>
}

/** Variables of an environment. */
type Variables = Readonly<Record<string, string>>

/** Starts the program with some arguments. */
export interface Start {
  (...args: readonly string[]): RunningProgram
  /** Returns a start function with variables in its environment. */
  with(variables: Variables): Start
}

/** Returns a function that starts the built program. */
export function useProgram(): Start {
  return createStart({})
}

function createStart(variables: Variables): Start {
  const start = (...args: readonly string[]) => startProgram(args, variables)
  return Object.assign(start, { with: (more: Variables) => createStart({ ...variables, ...more }) })
}

/** Variables that change the behavior or output of the program. */
const influences = /^(NO_COLOR|FORCE_COLOR|NODE_OPTIONS|MAILBOX_SIM_.*)$/

function startProgram(args: readonly string[], variables: Variables): RunningProgram {
  // The program must not see the variables of the test run.
  const ordinary = Object.entries(process.env).filter(([name]) => !influences.test(name))
  const env = { ...Object.fromEntries(ordinary), ...variables }
  const child = spawn(process.execPath, [built.main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    process: child,
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    outcome: outcomeOf(child),
  }
}

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (text) => {
    stdout += text
  })
  child.stderr?.on('data', (text) => {
    stderr += text
  })
  const [status, signal] = await once(child, 'close')
  return { status, signal, stdout, stderr }
}

/** The next line of the output. */
export async function nextLine({ lines, outcome }: RunningProgram): Promise<string> {
  const { value, done } = await lines.next()
  if (!done) return value
  throw new Error(`The program ended: ${JSON.stringify(await outcome)}`)
}

/** The first line of the output with a match, and the match. */
export async function findLine(program: RunningProgram, pattern: RegExp): Promise<string> {
  for (;;) {
    const [match] = pattern.exec(await nextLine(program)) ?? []
    if (match !== undefined) return match
  }
}
