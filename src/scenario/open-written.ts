import { parseInstant } from '../world/index.js'
import { buildBase } from './building/build.js'
import type { OnProgress } from './building/progress.js'
import { checkStory, withoutBulk } from './checks/index.js'
import type { ScenarioDefinition } from './define-scenario.js'
import type { LoadedScenario, OpenedScenario, OpenOptions } from './opened-scenario.js'
import { furtherProblems, type ProblemAt, refusal } from './problems/refusal.js'
import { filesBeside, type ScenarioFiles, shippedFiles } from './source/files.js'
import type { ScenarioSource } from './source/find-scenario.js'
import { type OwnReadings, ownReadings } from './source/own-readings.js'
import { type ReadScenario, readDefinition, readFound } from './source/read-scenario.js'

/** Opens a scenario that stands in a file. @throws ScenarioError */
export async function openFound(found: ScenarioSource, options: OpenOptions): Promise<OpenedScenario> {
  return open(await readFound(found, options.seed, options.note), options)
}

/** Opens what `defineScenario` gave. @throws ScenarioError */
export async function openDefinition(
  definition: ScenarioDefinition,
  options: OpenOptions,
): Promise<OpenedScenario> {
  return open(await readDefinition(definition, options.seed), options)
}

async function open(read: ReadScenario, { seed, note, confined }: OpenOptions): Promise<OpenedScenario> {
  const own = await ownReadings(read.checked, read.url, note, confined)
  const files = confined ? shippedFiles() : filesBeside(read.url, note)
  return {
    layers: own.layers,
    checkReadings: () => refuseIf(own.problems, read),
    load: (onProgress) => load(read, own, { seed: seed ?? read.checked.seed, files, onProgress }),
  }
}

interface Loading {
  readonly seed: number
  readonly files: ScenarioFiles
  readonly onProgress: OnProgress | undefined
}

async function load(
  read: ReadScenario,
  own: OwnReadings,
  { seed, files, onProgress }: Loading,
): Promise<LoadedScenario> {
  const { checked } = read
  const found = [...own.problems, ...(await checkStory(checked))]
  const whole = found.length > 0 ? withoutBulk(checked) : checked
  const built = await buildBase(whole, { seed, files, onProgress })
  refuseIf([...found, ...furtherProblems(built.problems, found)], read)
  return {
    scenario: checked.scenario,
    describe: checked.describe ?? '',
    seed,
    start: parseInstant(checked.start) as number,
    base: built.base,
    timeline: built.timeline,
    bounces: checked.bounces,
    expectations: built.expectations,
  }
}

/** @throws ScenarioError with every problem */
function refuseIf(problems: readonly ProblemAt[], { source, locate }: ReadScenario): void {
  if (problems.length > 0) throw refusal(source, locate, problems)
}
