import { quoted } from '../../base/mistake.js'
import { z } from '../../base/schema.js'
import { formatInstant, parseInstant } from '../../service/time/time.js'
import { recipient } from '../format/sent.js'
import { statedWrite } from './exchanges.js'
import { acceptsEvents } from './invariants/accepts-events.js'
import { actsOnce } from './invariants/acts-once.js'
import { answersEveryone } from './invariants/answers-everyone.js'
import { backsOff } from './invariants/backs-off.js'
import { changesNothingElse } from './invariants/changes-nothing-else.js'
import { ignoresAutomaticMail } from './invariants/ignores-automatic-mail.js'
import type { Invariant, Limits, Wrong } from './invariants/invariant.js'
import { readsBeforeItAnswers } from './invariants/reads-before-it-answers.js'
import { defineExpectationKind } from './kind.js'
import { nearestExchange } from './request.js'
import { addressOf } from './sent-parts.js'
import type { NearestMatch, RunFacts, Tracker } from './tracker.js'

const all = {
  'acts-once': actsOnce,
  'answers-everyone': answersEveryone,
  'ignores-automatic-mail': ignoresAutomaticMail,
  'reads-before-it-answers': readsBeforeItAnswers,
  'backs-off': backsOff,
  'accepts-events': acceptsEvents,
  'changes-nothing-else': changesNothingElse,
}

/** The name of an invariant. */
export type InvariantName = keyof typeof all

/** Every invariant by its name. */
export const invariants: Readonly<Record<InvariantName, Invariant>> = all

/** The names of the invariants. */
export const invariantNames = Object.keys(invariants) as InvariantName[]

/** The names of those by which a client is judged where nobody names any. */
export const generalInvariants = invariantNames.filter((name) => invariants[name].general)

/** The names of those by which `check` judges a client unless the scenario switches them off. */
export const ownInvariants = [
  'acts-once',
  'answers-everyone',
  'ignores-automatic-mail',
  'backs-off',
  'accepts-events',
] as const satisfies readonly InvariantName[]

/** The keys that limit an invariant; with any other, the key would have no effect. */
const limits = { replies: 'acts-once', writes: 'changes-nothing-else', people: 'answers-everyone' } as const

const exampleOfWrite = 'PATCH /api/v1/identities/support {"display_name":"Busy"}'

/** The expectation that a client follows a rule. */
export const invariantExpectations = defineExpectationKind({
  about: 'an invariant of clients',
  keys: {
    invariant: z
      .enum(invariantNames)
      .optional()
      .describe('A rule that any good client follows in any story; docs/expectations.md lists these rules.'),
    replies: z
      .literal(1)
      .optional()
      .describe('`acts-once` also forbids a second reply to a message in other words.'),
    writes: z
      .array(z.string())
      .optional()
      .describe(
        'The only writes that `changes-nothing-else` allows, in the form in which it reports them; by default, what other expectations are about.',
      ),
    people: z
      .array(recipient)
      .min(1)
      .optional()
      .describe('The only people whom `answers-everyone` expects to be answered.'),
  },
  problemWith(written) {
    for (const [key, name] of Object.entries(limits)) {
      if (written[key as keyof typeof limits] !== undefined && written.invariant !== name)
        return `"${key}" goes with ${name}, not with ${written.invariant}; leave it out`
    }
    const stray = written.writes?.find((write) => statedWrite(write) === undefined)
    return stray && `no write has the form ${quoted(stray)}; expected one such as ${exampleOfWrite}`
  },
  compile(written, { names, path }) {
    const { invariant: name, replies, writes } = written
    const people = written.people?.map((one, at) => addressOf(names, one, [...path, 'people', at]))
    const limits = { replies, writes, people }
    return { track: (facts) => trackInvariant(name as InvariantName, limits, facts) }
  },
})

/** Returns the expectation of an invariant without limits of its own. */
export function expectedInvariant(invariant: InvariantName) {
  const track = (facts: RunFacts) => trackInvariant(invariant, {}, facts)
  return { kind: 'invariant' as const, key: null, describe: null, written: { invariant }, track }
}

/** Follows a play for one invariant, up to its first violation. */
function trackInvariant(name: InvariantName, limits: Limits, facts: RunFacts): Tracker {
  const watch = invariants[name].watch(limits, facts)
  let first: (Wrong & NearestMatch) | undefined
  return {
    expected: watch.expected,
    get decided() {
      return first !== undefined
    },
    observe(observation) {
      if (first) return
      const wrong = watch.observe(observation)
      if (wrong && observation.type === 'exchange')
        first = { ...wrong, ...nearestExchange(observation.exchange, observation.moment, wrong.differences) }
    },
    evaluate(end) {
      if (first) {
        const { found, ...nearest } = first
        return { passed: false, at: parseInstant(nearest.at), found, nearest }
      }
      const violation = watch.end?.()
      if (!violation)
        return { passed: true, found: 'no violation', nearest: null, unjudged: watch.unjudged?.() }
      const { found, line, since = end, differences } = violation
      return {
        ...{ passed: false, at: end, found },
        nearest: { line, exchange: null, at: formatInstant(since), differences },
      }
    },
  }
}
