import { resolveAssumptions, setAssumptions } from '../../../story/edits.js'
import type { ScenarioInput } from '../../../story/format/scenario.js'
import type { DisturbedStory } from '../disturbance.js'

const gap = 'common.idempotency'

/**
 * Returns a document whose service honours an `Idempotency-Key` where nobody chose otherwise: who sends one with what must not
 * happen twice did what it can.
 */
export function honouringKeys(document: ScenarioInput, { story }: DisturbedStory): ScenarioInput {
  const origins: Readonly<Record<string, string>> = story.origins
  const isFree = story.extensions?.gaps.has(gap) && (origins[gap] ?? 'default') === 'default'
  if (!isFree) return document
  return setAssumptions(resolveAssumptions(document, story), { [gap]: 'replayed' })
}
