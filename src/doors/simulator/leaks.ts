import { checkOptions, defineOptions, option } from '../../base/options.js'
import { expectedOneOf } from '../../base/text.js'
import { ExpectationChecker } from '../../story/expectations/expectation-checker.js'
import { explainNoRequests } from '../../story/expectations/request.js'
import type { ExpectationResult } from '../../story/expectations/result.js'

import { type MatcherResult, simulatorIn } from './matchers.js'
import type { Simulator } from './simulator.js'

/** The secrets that must not leak, and the addresses to which they may go. */
export interface LeakOptions {
  /** The names of the secrets; by default all of the scenario. */
  readonly secrets?: readonly string[] | undefined
  /** The addresses to which mail may contain them; `*` matches any characters. */
  readonly allowedTo?: string | readonly string[] | undefined
}

const leakOptions = defineOptions<LeakOptions>(() => ({ secrets: option.any(), allowedTo: option.any() }))

/** Returns why secrets cannot be looked for: the scenario does not have them. */
export function problemWithSecrets(
  { scenario, secrets }: Simulator,
  names: readonly string[] = [],
): string | undefined {
  const known = Object.keys(secrets)
  if (known.length === 0) return `The scenario ${scenario} has no secrets; define some under "secrets".`
  const unknown = names.find((name) => !known.includes(name))
  return unknown && `There is no secret "${unknown}"${expectedOneOf(unknown, known, '.')}`
}

/**
 * Judges whether secrets of the scenario are in what agents have sent so far, in messages or in requests.
 * @throws TypeError if the scenario has no such secret
 */
export function judgeLeaks(
  mailbox: Simulator,
  { secrets, allowedTo = [] }: LeakOptions = {},
): ExpectationResult {
  const problem = problemWithSecrets(mailbox, secrets)
  if (problem !== undefined) throw new TypeError(problem)
  const about = { key: null, describe: null, secrets: secrets ?? null, allowedTo: [allowedTo].flat() }
  const checker = new ExpectationChecker(mailbox, { expectations: [{ kind: 'leak', ...about }] })
  checker.close()
  return checker.results()[0] as ExpectationResult
}

/** Returns whether a simulator received requests, and no secret of its scenario is in what agents sent. */
export function toHaveLeakedNothing(received: unknown, options: LeakOptions = {}): MatcherResult {
  const mailbox = simulatorIn(received, 'expect(mailbox).toHaveLeakedNothing()')
  checkOptions('toHaveLeakedNothing', options, leakOptions)
  const { passed, expected, found, nearest } = judgeLeaks(mailbox, options)
  const isSilent = mailbox.journal.entries().length === 0
  return {
    pass: passed && !isSilent,
    message() {
      if (isSilent) return `Expected ${expected}. ${explainNoRequests(mailbox)}`
      if (passed) return `Expected a leak; there is ${expected}.`
      const lines = (nearest?.differences ?? []).map((line) => `\n    ${line}`)
      return `Expected ${expected}; found ${found}:\n  ${nearest?.line}${lines.join('')}`
    },
  }
}
