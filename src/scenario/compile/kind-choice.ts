import type { Random } from '../../world/index.js'
import type { ScenarioGenerate } from '../format/index.js'
import type { MailKind } from '../letters/kinds.js'

/** The kind of one generated thread, and how many messages it has. */
export interface ChosenKind {
  readonly kind: MailKind
  readonly count: number
}

/** One-way mail is never answered, so a thread of it has one message or two. */
const mostOneWay = 2

/**
 * Creates the choice of a mailbox's threads: a kind by weight, then how many messages its thread has.
 *
 * The kinds of a category share the weight given to it in proportion to their own. Without `kinds`, a
 * mailbox whose threads have three messages or more holds no one-way mail. With `kinds`, everything named
 * comes in its share, and `messages` counts for conversations: threads of one-way mail have as many of
 * them as are wanted, but two at the most.
 */
export function createKindChoice(
  kinds: readonly MailKind[],
  { kinds: wanted, messages }: Pick<ScenarioGenerate, 'kinds' | 'messages'>,
): (random: Random) => ChosenKind {
  const [least, most] = typeof messages === 'number' ? [messages, messages] : messages
  const choices = wanted ? chosenKinds(kinds, weightsOf(wanted)) : defaultKinds(kinds, least)
  return (random) => {
    const { kind } = random.weighted(choices)
    const limit = kind.oneWay ? mostOneWay : most
    return { kind, count: random.integer(Math.min(least, limit), Math.min(most, limit)) }
  }
}

interface Choice {
  readonly kind: MailKind
  readonly weight: number
}

type Weights = Readonly<Record<string, number | undefined>>

function defaultKinds(kinds: readonly MailKind[], least: number): readonly Choice[] {
  return kinds
    .filter(({ oneWay, isOwn }) => !isOwn && (least <= mostOneWay || !oneWay))
    .map((kind) => ({ kind, weight: kind.weight }))
}

/** A list counts every category once, however often it is named. */
function weightsOf(wanted: NonNullable<ScenarioGenerate['kinds']>): Weights {
  return Array.isArray(wanted) ? Object.fromEntries(wanted.map((name) => [name, 1])) : wanted
}

function chosenKinds(kinds: readonly MailKind[], weights: Weights): readonly Choice[] {
  return kinds.flatMap((kind) => {
    const share = weights[kind.category] ?? 0
    const siblings = kinds.filter(({ category }) => category === kind.category)
    const sum = siblings.reduce((total, { weight }) => total + weight, 0)
    return share > 0 ? [{ kind, weight: (share * kind.weight) / sum }] : []
  })
}
