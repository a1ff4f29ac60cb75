// What the entry for Vitest consists of, apart from Vitest: the entry is an ES module, because Vitest is, and all else is
// in the CommonJS build.
// First, since other modules need it when they are loaded.
import '../../contract/platform.js'

export { checkOptions } from '../../contract/options.js'
export { attacksOf } from '../../simulator/attacks.js'
export { mailboxMatchers } from '../../simulator/matchers.js'
export { testMatchers } from '../test-matchers.js'
export { Interception } from './interception.js'
export { mailboxTestOptions } from './mailbox-pool.js'
