import { expect } from 'vitest'
import type { RunProgram } from './in-process.js'

/** Returns the output of a successful run. */
export async function output(run: RunProgram, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run(...args).outcome
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

/** Returns the error of a refused run. */
export async function refusal(run: RunProgram, ...args: readonly string[]): Promise<string> {
  const { status, stderr } = await failure(run, ...args)
  expect({ status, stderr }).toMatchObject({ status: 2 })
  return stderr
}

/** Returns how a run failed that wrote nothing to the standard output. */
export async function failure(run: RunProgram, ...args: readonly string[]) {
  const { status, stdout, stderr } = await run(...args).outcome
  expect(stdout).toBe('')
  expect([1, 2]).toContain(status)
  // No stack trace, output of libraries or JavaScript error.
  expect(stderr).not.toMatch(/^ +at |✖|→ at|\[object Object\]|Cannot read properties|is not a function/m)
  return { status, stderr }
}
