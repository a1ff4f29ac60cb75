import type { Random } from '../../world/index.js'
import type { ScenarioGenerate } from '../format/index.js'
import type { StoryCategory } from '../stories/categories.js'
import type { StoryKind } from '../stories/story.js'

/** What one generated thread is going to be. */
export interface ChosenStory {
  readonly kind: StoryKind
  /** How many messages it has. */
  readonly count: number
}

/** One-way mail is never answered, so a thread of it has one message or two. */
const mostOneWay = 2

/**
 * Makes the choice of a mailbox's stories: a kind by weight, then how many messages its thread has.
 *
 * The kinds of a category share the weight given to it in proportion to their own. Without `kinds`, a
 * mailbox whose threads have three messages or more holds no one-way mail. With `kinds`, everything named
 * comes in its share, and `messages` counts for conversations: threads of one-way mail have as many of
 * them as are wanted, but two at the most.
 */
export function createStoryChoice(
  kinds: readonly StoryKind[],
  { kinds: wanted, messages }: Pick<ScenarioGenerate, 'kinds' | 'messages'>,
): (random: Random) => ChosenStory {
  const [least, most] = typeof messages === 'number' ? [messages, messages] : messages
  const choices = wanted ? chosenKinds(kinds, weightsOf(wanted)) : defaultKinds(kinds, least)
  return (random) => {
    const { kind } = random.weighted(choices)
    const limit = kind.oneWay ? mostOneWay : most
    return { kind, count: random.integer(Math.min(least, limit), Math.min(most, limit)) }
  }
}

interface Choice {
  readonly kind: StoryKind
  readonly weight: number
}

type Weights = Readonly<Partial<Record<StoryCategory, number>>>

function defaultKinds(kinds: readonly StoryKind[], least: number): readonly Choice[] {
  const fitting = least > mostOneWay ? kinds.filter(({ oneWay }) => !oneWay) : kinds
  return fitting.map((kind) => ({ kind, weight: kind.weight }))
}

/** A list counts every category once, however often it is named. */
function weightsOf(wanted: NonNullable<ScenarioGenerate['kinds']>): Weights {
  return isList(wanted) ? Object.fromEntries(wanted.map((category) => [category, 1])) : wanted
}

function isList(wanted: NonNullable<ScenarioGenerate['kinds']>): wanted is StoryCategory[] {
  return Array.isArray(wanted)
}

function chosenKinds(kinds: readonly StoryKind[], weights: Weights): readonly Choice[] {
  return kinds.flatMap((kind) => {
    const share = weights[kind.category] ?? 0
    const siblings = kinds.filter(({ category }) => category === kind.category)
    const sum = siblings.reduce((total, { weight }) => total + weight, 0)
    return share > 0 ? [{ kind, weight: (share * kind.weight) / sum }] : []
  })
}
