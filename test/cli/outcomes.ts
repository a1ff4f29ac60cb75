import { expect } from 'vitest'
import type { RunProgram } from './in-process.js'

/** What a run that goes well writes. */
export async function output(run: RunProgram, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run(...args).outcome
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

/** What a run that is refused says. */
export async function refusal(run: RunProgram, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run(...args).outcome
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).not.toMatch(/^ +at /m)
  return stderr
}
