import { expect } from 'vitest'
import type { Start } from './program.js'

/** What a run that goes well writes. */
export async function output(run: Start, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run(...args).outcome
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

/** What a run that is refused says. */
export async function refusal(run: Start, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run(...args).outcome
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).not.toMatch(/^ +at /m)
  return stderr
}
