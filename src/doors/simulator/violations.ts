import { counted, expectedOneOf } from '../../base/text.js'
import { ExpectationChecker } from '../../story/expectations/expectation-checker.js'
import { expectedInvariant } from '../../story/expectations/invariant.js'
import {
  generalInvariants,
  type InvariantName,
  invariantNamed,
  invariantNames,
} from '../../story/expectations/invariants/invariants.js'
import { listed } from '../../story/expectations/judge.js'
import { explainNoRequests } from '../../story/expectations/request.js'
import type { ExpectationResult } from '../../story/expectations/result.js'
import { type MatcherResult, simulatorIn } from './matchers.js'
import type { Simulator } from './simulator.js'

/** Judges a client by invariants; returns the results that failed. */
function violations(mailbox: Simulator, names: readonly InvariantName[]): ExpectationResult[] {
  if (!Array.isArray(names)) {
    throw new TypeError(`The invariants must be a list such as ['acts-once'], not ${JSON.stringify(names)}.`)
  }
  for (const name of names) {
    if (!invariantNames.includes(name))
      throw new TypeError(`There is no invariant "${name}"${expectedOneOf(name, invariantNames, '.')}`)
  }
  const checker = new ExpectationChecker(mailbox, { expectations: names.map(expectedInvariant) })
  checker.close()
  return checker.results().filter(({ passed }) => !passed)
}

/** Returns whether a simulator received requests and its client kept the invariants. */
export function toHaveKept(
  received: unknown,
  names: readonly InvariantName[] = generalInvariants,
): MatcherResult {
  const mailbox = simulatorIn(received, 'expect(mailbox).toHaveKept()')
  const silent = mailbox.journal.entries().length === 0
  const broken = violations(mailbox, names)
  return {
    pass: !silent && broken.length === 0,
    message() {
      const list = names.join(', ')
      if (silent) return `Expected a client that keeps ${list}. ${explainNoRequests(mailbox)}`
      if (broken.length === 0) return `Expected a client that breaks one of ${list}; it keeps all of them.`
      const blocks = broken.map(({ index, found, nearest }) => {
        const name = names[index] as InvariantName
        const line = nearest ? `\n    ${nearest.line}` : ''
        const what = broken.length > 1 ? `${name}: ${found}` : name
        return `${what}${line}\n    ${invariantNamed(name).advice}`
      })
      // Summaries of a run show the first line alone.
      const others = broken.length > 1 ? `, and ${counted(broken.length - 1, 'other violation')}` : ''
      const what = `${broken[0]?.found}${others}`
      return `Expected a client that keeps ${list}; it does not: ${what}.\n${listed(blocks, 8)}`
    },
  }
}
