import { acceptsEvents } from './accepts-events.js'
import { actsOnce } from './acts-once.js'
import { answersEveryone } from './answers-everyone.js'
import { backsOff } from './backs-off.js'
import { changesNothingElse } from './changes-nothing-else.js'
import { ignoresAutomaticMail } from './ignores-automatic-mail.js'
import type { Invariant } from './invariant.js'
import { readsBeforeItAnswers } from './reads-before-it-answers.js'

/** Every invariant by its name. */
export const invariants = {
  'acts-once': actsOnce,
  'answers-everyone': answersEveryone,
  'ignores-automatic-mail': ignoresAutomaticMail,
  'reads-before-it-answers': readsBeforeItAnswers,
  'backs-off': backsOff,
  'accepts-events': acceptsEvents,
  'changes-nothing-else': changesNothingElse,
} as const satisfies Readonly<Record<string, Invariant>>

/** The name of an invariant. */
export type InvariantName = keyof typeof invariants

/** The names of the invariants. */
export const invariantNames = Object.keys(invariants) as InvariantName[]

/** The names of those by which a client is judged where nobody names any. */
export const generalInvariants = invariantNames.filter((name) => invariantNamed(name).general)

/** Returns the invariant of a name. */
export function invariantNamed(name: InvariantName): Invariant {
  return invariants[name]
}

/** The names of those by which `check` judges a client unless the scenario switches them off. */
export const ownInvariants = [
  ...(['acts-once', 'answers-everyone', 'ignores-automatic-mail', 'backs-off', 'accepts-events'] as const),
] satisfies InvariantName[]
