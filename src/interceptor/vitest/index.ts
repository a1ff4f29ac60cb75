// What the entry for Vitest consists of, apart from Vitest: the entry is an ES module, because Vitest is, and all else is
// in the CommonJS build.
// First, since other modules need it when they are loaded.
import '../../contract/platform.js'
import { toHaveLeakedNothing } from '../../simulator/leaks.js'
import { mailboxMatchers } from '../../simulator/matchers.js'
import { toHaveKept } from '../../simulator/violations.js'

export { checkOptions } from '../../contract/options.js'
export { mailboxMatchers } from '../../simulator/matchers.js'
export { Interception } from './interception.js'
export { mailboxTestOptions } from './mailbox-pool.js'

/** The matchers of this entry: those for any test runner, and those for invariants and leaks. */
export const vitestMatchers = { ...mailboxMatchers, toHaveKept, toHaveLeakedNothing }
