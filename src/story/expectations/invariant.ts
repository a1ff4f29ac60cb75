import { quoted } from '../../base/mistake.js'
import { z } from '../../base/schema.js'
import { formatInstant } from '../../service/time/time.js'
import { statedWrite } from './exchanges.js'
import type { InvariantExpectation, Violation } from './invariants/invariant.js'
import { type InvariantName, invariantNamed, invariantNames } from './invariants/invariants.js'
import { sharedKeys } from './keys.js'
import { defineExpectationKind } from './kind.js'
import { addressOf, recipient } from './recipients.js'
import type { RunFacts, Tracker } from './tracker.js'

/** The keys by which an invariant is limited; with any other, the key would have no effect. */
const limits = ['at_most', 'writes', 'people'] as const

/** Returns the invariants that a key limits. */
function limitedBy(key: (typeof limits)[number]): InvariantName[] {
  return invariantNames.filter((name) => invariantNamed(name).limit === key)
}

const exampleOfWrite = 'PATCH /api/v1/identities/support {"display_name":"Busy"}'

/** The expectation that a client follows a rule. */
export const invariantExpectations = defineExpectationKind({
  about: 'an invariant of clients',
  keys: {
    invariant: z
      .enum(invariantNames)
      .optional()
      .describe('A rule that any good client follows in any story; docs/fuzz.md lists these rules.'),
    at_most: sharedKeys.at_most,
    writes: z
      .array(z.string())
      .optional()
      .describe('The writes that `writes-nothing-else` allows, in the form in which it reports them.'),
    people: z
      .array(recipient)
      .min(1)
      .optional()
      .describe('The only people whom `answers-everyone` expects to be answered.'),
    within: sharedKeys.within,
  },
  problemWith(written) {
    for (const key of limits) {
      const fitting = limitedBy(key)
      const name = written.invariant as InvariantName
      if (written[key] !== undefined && !fitting.includes(name)) {
        return `"${key}" goes with ${fitting.join(' and ')}, not with ${name}; leave it out`
      }
    }
    return undefined
  },
  rules: limits.map((key) => ({
    if: { required: ['invariant', key] },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: { patternProperties: { '^invariant$': { enum: limitedBy(key) } } },
  })),
  holdsAtStart: () => true,
  resolve(written, { names, path }) {
    const { invariant: name, at_most: atMost = null, writes = null } = written
    const people = written.people?.map((one, at) => addressOf(names, one, [...path, 'people', at])) ?? null
    return ({ window }) => ({ invariant: name as InvariantName, atMost, writes, people, window })
  },
  warnings({ writes = [] }) {
    return writes.flatMap((write, index) => {
      if (statedWrite(write) !== undefined) return []
      const message = `no write has the form ${quoted(write)}; expected one such as ${exampleOfWrite}`
      return [{ key: `writes[${index}]`, message }]
    })
  },
  track: trackInvariant,
  seesCommands: true,
})

/** Expects that a client follows a rule. */
export interface NamedInvariant extends InvariantExpectation {
  readonly invariant: InvariantName
}

/** Creates the expectation of an invariant with its default limits. */
export function expectedInvariant(name: InvariantName): NamedInvariant {
  const window = { after: null, before: null, within: null }
  return {
    kind: 'invariant',
    key: null,
    describe: null,
    invariant: name,
    atMost: null,
    writes: null,
    people: null,
    window,
  }
}

/** Follows a run for one invariant, up to its first violation. */
function trackInvariant(expectation: NamedInvariant, facts: RunFacts): Tracker {
  const watch = invariantNamed(expectation.invariant).watch(expectation, facts.mailbox)
  let first: (Violation & { readonly at: number }) | undefined
  return {
    expected: watch.expected,
    get decided() {
      return first !== undefined
    },
    observe(observation) {
      if (first) return
      const violation = watch.observe(observation)
      if (violation) first = { ...violation, at: observation.moment.at }
    },
    evaluate(end) {
      const violation = first ?? watch.end?.(facts)
      if (!violation) return { passed: true, found: 'no violation', nearest: null }
      const { found, line, exchange = null, since, differences } = violation
      const at = first?.at ?? end
      const nearest = { line, exchange, at: formatInstant(since ?? at), differences }
      return { passed: false, at, found, nearest }
    },
  }
}
