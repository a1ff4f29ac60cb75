import { assumptionsVariable } from '../../service/assumptions/assumptions.js'
import { readScenarioDocument } from '../../story/read/document.js'
import { scenarioError } from '../../story/read/problem.js'
import type { RepeatedPlayOptions } from '../agent/options.js'
import { loadStory } from '../load-story.js'
import type { ReplayOptions } from '../replay/replay.js'
import { kindIn } from './disturbance.js'
import { expecting, judgedUnder, judgedUndisturbed } from './judging.js'
import { kinds } from './kinds/kinds.js'
import { Player } from './player.js'
import { formatForEnvironment } from './relied.js'
import { baselineOf } from './undisturbed.js'

/** The options of a replay of a named scenario to a command. */
type DisturbableOptions = Omit<ReplayOptions, 'scenario' | 'command' | 'watcher'> &
  Pick<RepeatedPlayOptions, 'command' | 'extend'> & { readonly scenario: string }

/**
 * Returns what makes a replay one of a disturbed story, judged as `check` judges it: the story is played once undisturbed, to
 * compare with.
 * @throws ScenarioError if the scenario has no such disturbance
 */
export async function disturbedBy(
  id: string,
  options: DisturbableOptions,
): Promise<Pick<ReplayOptions, 'scenario' | 'thinkTime' | 'variables'>> {
  const { scenario, seed, signal, variables } = options
  const story = await loadStory(options)
  const own = { document: { ...(await readScenarioDocument(scenario, seed)), seed: story.seed }, story }
  const kind = kinds[kindIn(id)]
  const disturbance = kind.disturbance(id, own)
  if (!disturbance) {
    throw scenarioError(
      'invalid',
      scenario,
      `there is no disturbance "${id}"; check --list prints all of them`,
    )
  }
  const judged = judgedUndisturbed(own)
  const player = new Player(
    { ...options, trace: undefined, onProgress: undefined } as RepeatedPlayOptions,
    story.start,
  )
  const ended = await player.play(expecting(own.document, judged), {}, { signal })
  const standing = judgedUnder(disturbance, kind, own, baselineOf([ended], judged))
  const { assumption, playing } = disturbance
  const chosen = assumption && formatForEnvironment(assumption.gap, assumption.assumption)
  return {
    scenario: expecting(disturbance.edit?.(own.document) ?? own.document, standing),
    ...playing,
    ...(chosen !== undefined && { variables: { ...variables, [assumptionsVariable]: chosen } }),
  }
}
