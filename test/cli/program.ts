import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type BuiltProgram, buildProgram } from './built-program.js'

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
  /** The lines of its output, as they come. */
  readonly lines: AsyncIterator<string>
  /** How it ended, once it has. */
  readonly outcome: Promise<Outcome>
}

/** Starts the program with some arguments. */
export type Start = (...args: readonly string[]) => RunningProgram

/** Builds the program for the tests of one file and gives what starts it. */
export function useProgram(): Start {
  let built: BuiltProgram
  beforeAll(async () => {
    built = await buildProgram()
  }, 60_000)
  afterAll(() => built.remove())
  return (...args) => startProgram(built.main, args)
}

function startProgram(main: string, args: readonly string[]): RunningProgram {
  // Whatever the tests are run with, the program is to behave as on an ordinary machine.
  const { NO_COLOR: _, FORCE_COLOR: __, NODE_OPTIONS: ___, ...env } = process.env
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output: Interface = createInterface({ input: child.stdout })
  const lines: AsyncIterator<string> = output[Symbol.asyncIterator]()
  return { process: child, lines, outcome: outcomeOf(child) }
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

/** The first line of the output with a match, and what matched. */
export async function findLine(program: RunningProgram, pattern: RegExp): Promise<string> {
  for (;;) {
    const [match] = pattern.exec(await nextLine(program)) ?? []
    if (match !== undefined) return match
  }
}
