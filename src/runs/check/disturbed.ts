import { join } from 'node:path'
import { createFolder } from '../../base/create-folder.js'
import { formatCommand } from '../../base/text.js'
import { assumptionsVariable } from '../../service/assumptions/assumptions.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import { readScenarioDocument } from '../../story/read/document.js'
import { scenarioError } from '../../story/read/problem.js'
import { writeStory } from '../kept/kept-play.js'
import type { ReplayOptions } from '../replay/replay.js'
import { loadStory } from '../replay/replay.js'
import type { CheckFinding } from './check-report.js'
import { documentUnder, expecting, judgedUndisturbed } from './judging.js'
import { disturbanceOf } from './kinds/kinds.js'
import { formatForEnvironment, Player, type PlayerOptions } from './player.js'
import { baselineOf } from './undisturbed.js'

/** Reads and loads the story that is disturbed, with where its parts are. @throws ScenarioError, WorldError */
export async function readDisturbed(options: PlayerOptions) {
  const story = await loadStory(options)
  const { document, ...places } = await readScenarioDocument(options.scenario ?? 'support-desk', options.seed)
  return { document: { ...document, seed: story.seed }, story, ...places }
}

/**
 * Returns what makes a replay one of a disturbed story, judged as `check` judges it: the story is played once undisturbed, to
 * compare with.
 * @throws ScenarioError if the scenario has no such disturbance
 */
export async function disturbedBy(
  id: string,
  options: PlayerOptions & { readonly scenario: string },
): Promise<Pick<ReplayOptions, 'thinkTime' | 'variables'> & { readonly scenario: ScenarioInput }> {
  const { scenario, signal, variables } = options
  const own = await readDisturbed(options)
  const disturbance = disturbanceOf(id, own)
  if (!disturbance) {
    const why = `there is no disturbance "${id}"; check --list prints all of them`
    throw scenarioError('invalid', scenario, why)
  }
  const judged = judgedUndisturbed(own)
  const player = new Player(options, own.story.start)
  const ended = await player.play(expecting(own.document, judged), { signal })
  const { document } = documentUnder(disturbance, own, baselineOf([ended], judged))
  const { assumption, playing } = disturbance
  const chosen = assumption && formatForEnvironment(assumption)
  return {
    scenario: document,
    ...playing,
    ...(chosen !== undefined && { variables: { ...variables, [assumptionsVariable]: chosen } }),
  }
}

/**
 * Writes the disturbed scenario of a finding into a folder, with copies of the files that it names except for code; returns its
 * path. `again` returns the command line that replays it.
 */
export async function writeFindingFile(
  folder: string,
  { id, problem, when, advice }: CheckFinding,
  document: ScenarioInput,
  again: (file: string) => string,
): Promise<string> {
  await createFolder(folder)
  const name = id.replace(/[^\w.-]+/g, '-')
  const path = join(folder, `${name}.yaml`)
  const lines = [
    `Found by agent-mailbox-sim check: ${id}`,
    `${problem.replace(/\.$/, '')}, when ${when}`,
    advice,
  ]
  const comment = [
    ...lines.map((line) => line.replace(/\s*\n\s*/g, ' ').slice(0, 400)),
    `Replay: ${again(path)}`,
  ]
  await writeStory(path, document, comment.join('\n'))
  return path
}

/** A flag as it was typed: `--clock` with `frozen`, or `--restart` without a value. */
export interface TypedFlag {
  readonly name: string
  readonly value?: string | undefined
}

/** Flags that `replay` does not have, or that a repetition does not need. */
const dropped = [
  ...['--time', '--plays', '--jobs', '--only', '--list', '--resume'],
  ...['--out', '--reporter', '--verbose'],
]

/** Formats the command line of `replay` that repeats a play of a command to a scenario, as shell input, with further flags. */
export function formatReplayLine(
  scenario: string,
  command: readonly string[],
  flags: readonly TypedFlag[],
  further: readonly TypedFlag[],
): string {
  const typed = [...flags.filter(({ name }) => !dropped.includes(name)), ...further].flatMap(
    ({ name, value }) => {
      if (value === undefined) return [name]
      return value.startsWith('-') ? [`${name}=${value}`] : [name, value]
    },
  )
  return formatCommand(['npx', 'agent-mailbox-sim', 'replay', scenario, ...typed, '--', ...command])
}
