import type { Scenario } from '../format/index.js'
import type { ProblemAt } from '../problems/refusal.js'
import type { Occurrence } from './occurrences.js'
import type { StoryNames } from './story-names.js'

/** A scenario whose format is fine, as checks look at it. */
export interface Story {
  readonly scenario: Scenario
  readonly names: StoryNames
  /** The instant it begins. */
  readonly start: number
  /** The timeline. */
  readonly occurrences: readonly Occurrence[]
}

/** Finds what is wrong with a story in one respect; a check changes nothing and needs nothing else. */
export type Check = (story: Story) => Iterable<ProblemAt>
