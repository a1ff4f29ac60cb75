import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, expect } from 'vitest'
import { built } from '../cli/built-program.js'

/** How a process ended. */
export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Options of a process. */
export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A process that runs. */
export interface Running {
  readonly process: ChildProcess
  /** Resolves to a match in its output, once there is one. @throws Error if the process ends before */
  output(pattern: RegExp): Promise<RegExpExecArray>
  readonly ended: Promise<Ended>
}

const running = new Set<ChildProcess>()

/** Ends what a failed case has left running; called once, since cases that run side by side share the hooks of the file. */
export function endProcessesAfterAll(): void {
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL')
  })
}

/** Starts a process without the variables of this test run. */
export function startProcess(words: readonly string[], { env, cwd }: ProcessOptions = {}): Running {
  const outer = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|MAILBOX_)/.test(name))
  const [program = '', ...args] = words
  const child = spawn(program, args, {
    cwd,
    env: { ...Object.fromEntries(outer), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
    })
  }
  const ended = once(child, 'close').then(([status]) => {
    running.delete(child)
    return { status, ...written }
  })
  return {
    process: child,
    ended,
    async output(pattern) {
      for (;;) {
        const match = pattern.exec(written.stdout)
        if (match) return match
        if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${written.stderr}`)
        await Promise.race([once(child.stdout, 'data'), ended])
      }
    },
  }
}

/** Runs the built program. */
export function runProgram(args: readonly string[], options?: ProcessOptions): Promise<Ended> {
  return startProgram(args, options).ended
}

/** Starts the built program. */
export function startProgram(args: readonly string[], options?: ProcessOptions): Running {
  return startProcess([process.execPath, built.main, ...args], options)
}

/** Checks that a process ended as documented, and that nothing in it was left unhandled. */
export function expectEnd({ status, stdout, stderr }: Ended, wanted: number): void {
  const said = `${stderr}\n${stdout}`
  expect(said).not.toMatch(/^ +at \S.*:\d+|unhandled|UnhandledPromise|Traceback \(most recent/im)
  expect(status, said).toBe(wanted)
}
