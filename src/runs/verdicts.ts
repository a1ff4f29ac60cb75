import type { Simulator } from '../doors/simulator/simulator.js'
import type { ExpectationChecker } from '../story/expectations/expectation-checker.js'
import { expectedInvariant, generalInvariants, type InvariantName } from '../story/expectations/invariant.js'
import type { Expectation, ExpectationResult } from '../story/expectations/kinds.js'
import type { Story } from '../story/story.js'
import type { CommandEnd } from './agent/run-command.js'

/** A rule for any good client that an agent broke, although the story does not expect that it keeps it. */
interface BrokenRule {
  readonly invariant: InvariantName
  /** What the agent did, in words. */
  readonly found: string
  /** The number of the request that shows it; null if none does. */
  readonly exchange: number | null
}

/** The results of the expectations of a play. */
export interface PlayVerdicts {
  /** In the order of the file; empty if the story was not played. */
  readonly verdicts: readonly ExpectationResult[]
  /** The rules that the agent broke and that the story does not name. */
  readonly broken_rules: readonly BrokenRule[]
}

/** Returns the rules for any good client that a story does not name. */
function unnamedRules({ expectations }: Story): InvariantName[] {
  return generalInvariants.filter((name) => {
    return !expectations.some(({ written }) => written.invariant === name)
  })
}

/** Returns what a play is watched for: what its story expects, and the rules for any good client. */
export function watchedFor(story: Story): Expectation[] {
  return [...story.expectations, ...unnamedRules(story).map(expectedInvariant)]
}

/** Returns what became of the entries of a story; those that never happened although it ended with why. */
export function timelineOf({ timeline, view }: Simulator) {
  return { played: timeline.played(), left: timeline.left, never: view.world.triggers.neverHappened() }
}

/** Returns whether the story was played: it was not if the agent did not come up. */
export function wasPlayed(agent: Pick<CommandEnd, 'ended'> | null): boolean {
  return agent?.ended !== 'not-started' && agent?.ended !== 'not-ready'
}

/** Returns the results of a checker of what the play of a story is watched for. */
export function verdictsOf(story: Story, checker: ExpectationChecker, isPlayed: boolean): PlayVerdicts {
  const { expectations } = story
  const all = isPlayed ? checker.results() : []
  const broken_rules = unnamedRules(story).flatMap((invariant, index): BrokenRule[] => {
    const { passed = true, found = '', nearest = null } = all[expectations.length + index] ?? {}
    return passed ? [] : [{ invariant, found, exchange: nearest?.exchange ?? null }]
  })
  return { verdicts: all.slice(0, expectations.length), broken_rules }
}
