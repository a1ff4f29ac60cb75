import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { uniqueMark } from '../../src/service/time/wall-time.js'

const name = 'REPLAY_TEST_MARK'

/** Asserts after each test that no process is left; returns the variable that marks them. */
export function expectNoProcessLeft(): { readonly variables: () => Record<string, string> } {
  let mark = ''
  beforeEach(() => {
    mark = uniqueMark()
    vi.stubEnv(name, mark)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    expect(processesWith(`${name}=${mark}`)).toEqual([])
  })
  return { variables: () => ({ [name]: mark }) }
}

/** Returns the ids of running processes with a variable in their environment, given as `NAME=value`. */
export function processesWith(variable: string): number[] {
  return readdirSync('/proc').flatMap((entry) => {
    try {
      // Empty for processes that have ended but were not collected yet.
      return readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0').includes(variable)
        ? Number(entry)
        : []
    } catch {
      return []
    }
  })
}
