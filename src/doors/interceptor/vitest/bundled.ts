// The parts of the entry for Vitest that do not need Vitest: the entry is an ES module, because Vitest is
// one, and everything else is in the CommonJS build. The first import is one that other modules need when
// they are loaded.
import '../../../base/platform.js'

export { checkOptions } from '../../../base/options.js'
export { attacksOf } from '../../simulator/attacks.js'
export { mailboxMatchers } from '../../simulator/matchers.js'
export { testMatchers } from '../test-matchers.js'
export { Interception } from './interception.js'
export { mailboxTestOptions } from './mailbox-pool.js'
