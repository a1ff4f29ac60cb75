import { afterEach, beforeEach, expect, vi } from 'vitest'
import { findMembers } from '../../src/processes/process-group.js'
import { uniqueMark } from '../../src/world/index.js'

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
    expect(findMembers({ id: -1, mark: `${name}=${mark}` })).toEqual([])
  })
  return { variables: () => ({ [name]: mark }) }
}
