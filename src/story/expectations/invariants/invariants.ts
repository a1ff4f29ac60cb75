import { answersDeliveries } from './answers-deliveries.js'
import { answersEveryone } from './answers-everyone.js'
import { answersNoAutomaticMail } from './answers-no-automatic-mail.js'
import { answersOnce } from './answers-once.js'
import { ends } from './ends.js'
import { givesUp } from './gives-up.js'
import { handlesEventsOnce } from './handles-events-once.js'
import type { Invariant } from './invariant.js'
import { neverAnswersItself } from './never-answers-itself.js'
import { obeysRetryAfter } from './obeys-retry-after.js'
import { readsBeforeItAnswers } from './reads-before-it-answers.js'
import { sendsOnce } from './sends-once.js'
import { writesNothingElse } from './writes-nothing-else.js'

/** Every invariant by its name. */
export const invariants = {
  ends,
  'gives-up': givesUp,
  'obeys-retry-after': obeysRetryAfter,
  'handles-events-once': handlesEventsOnce,
  'answers-deliveries': answersDeliveries,
  'writes-nothing-else': writesNothingElse,
  'sends-once': sendsOnce,
  'never-answers-itself': neverAnswersItself,
  'answers-no-automatic-mail': answersNoAutomaticMail,
  'answers-once': answersOnce,
  'reads-before-it-answers': readsBeforeItAnswers,
  'answers-everyone': answersEveryone,
} as const satisfies Readonly<Record<string, Invariant>>

/** The name of an invariant. */
export type InvariantName = keyof typeof invariants

/** The names of the invariants. */
export const invariantNames = Object.keys(invariants) as InvariantName[]

/** Returns the invariant of a name. */
export function invariantNamed(name: InvariantName): Invariant {
  return invariants[name]
}
