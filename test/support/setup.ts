import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'
import { afterAll, afterEach, expect, vi } from 'vitest'

// A failure in CI must be reproducible; locally, every run uses another seed.
if (process.env['CI']) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20260105 })

// In an expected value, a bare regular expression equals any object and so asserts nothing; expect.stringMatching does.
expect.addEqualityTesters([
  (found, expected) => (expected instanceof RegExp && !(found instanceof RegExp) ? false : undefined),
])

// Test files share a process, so each must clean up for the next.
const { setTimeout } = globalThis
afterAll(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  // An MSW server that this file has closed is otherwise still behind `import { request } from 'node:http'`.
  syncBuiltinESMExports()
  if (globalThis.setTimeout !== setTimeout) throw new Error('This file leaves timers replaced')
})

// A failure prints at most 100 lines.
afterEach(({ task }) => {
  for (const error of task.result?.errors ?? []) {
    error.message = beginningOf(error.message)
    if (error.stack) error.stack = beginningOf(error.stack)
    if (error.diff) error.diff = beginningOf(error.diff)
  }
})

function beginningOf(text: string): string {
  const beginning = text.slice(0, 8_000).split('\n').slice(0, 100).join('\n')
  return beginning.length === text.length ? text : `${beginning}\n[… ${text.length} characters in all]`
}
