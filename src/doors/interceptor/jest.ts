// First, since other modules need it when they are loaded.
import '../../base/platform.js'
import { createRequire } from 'node:module'
import type { InferredScenario, NamedScenario } from '../../story/read/define-scenario.js'
import type { Simulator } from '../simulator/simulator.js'
import { type TestMatchers, testMatchers } from '../simulator/test-matchers.js'
import { type ListeningSimulator, type ListenOptions, listen } from './node.js'

export { attacksOf } from '../simulator/attacks.js'

declare global {
  namespace jest {
    interface Matchers<R, T> extends TestMatchers {}
  }
}

// biome-ignore lint/suspicious/noTsIgnore: with Jest there is no error, without there is one.
/** @ts-ignore The types of `@jest/globals`, which are not there without Jest. */
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends TestMatchers<R> {}
}

/** The globals of a Jest test file that this entry uses; the package does not need Jest's types. */
interface JestGlobals {
  expect: { extend(matchers: object): void }
  beforeAll(hook: () => Promise<void>): void
  beforeEach(hook: () => void): void
  afterEach(hook: () => void): void
  afterAll(hook: () => void): void
}

const { expect, beforeAll, beforeEach, afterEach, afterAll } = globalsOfJest()

/** Returns the globals of Jest. @throws TypeError outside its test files */
function globalsOfJest(): JestGlobals {
  const globals = globalThis as unknown as Partial<JestGlobals>
  if (globals.expect && globals.beforeAll) return globals as JestGlobals
  try {
    // Jest answers this in its test files only; with `injectGlobals: false`, there is no other way.
    return createRequire(import.meta.url)('@jest/globals')
  } catch {}
  throw new TypeError(
    'agent-mailbox-sim/jest needs the globals of Jest: import it in a test file of Jest. ' +
      'For Vitest, use agent-mailbox-sim/vitest; elsewhere, listen() of agent-mailbox-sim/node.',
  )
}

expect.extend(testMatchers)

/**
 * Creates a mailbox for each test of this file, or of the `describe` in which it is called, and adds the matchers to
 * Jest's `expect`. Returns a function that returns the mailbox of the current test.
 * @example const mailbox = useMailbox({ scenario: 'refund-request' })
 */
export function useMailbox<const Name extends string = string>(
  options?: ListenOptions & InferredScenario<Name> & NamedScenario<Name>,
): () => Simulator {
  let simulator: ListeningSimulator | undefined
  let mailbox: Simulator | undefined
  beforeAll(async () => {
    simulator = await listen(options)
  })
  beforeEach(() => {
    mailbox = simulator?.fork()
  })
  afterEach(() => mailbox?.close())
  afterAll(() => simulator?.close())
  return () => {
    if (mailbox) return mailbox
    throw new Error('useMailbox: a mailbox is open only while a test or one of its hooks runs.')
  }
}
