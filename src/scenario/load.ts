import {
  type Beginning,
  type ChosenReadings,
  chooseReadings,
  createFingerprint,
  parseInstant,
  ReadingError,
  type ReadingsLayer,
} from '../world/index.js'
import { buildBase } from './building/build.js'
import type { OnProgress } from './building/progress.js'
import { checkStory, withoutBulk } from './checks/index.js'
import type { ScenarioDefinition } from './define-scenario.js'
import { furtherProblems, type ProblemAt, refusal } from './problems/refusal.js'
import { filesBeside, type NoteFile, shippedFiles } from './source/files.js'
import { refuseUnshipped } from './source/find-scenario.js'
import { ownReadings } from './source/own-readings.js'
import { type ReadScenario, readScenario } from './source/read-scenario.js'
import { readingsLayers } from './source/readings-file.js'

/** What may stand in for what the scenario says, and who is told of its files. */
export interface LoadOptions {
  readonly seed?: number | undefined
  /** Readings that count for more than the scenario's own; the later, the more. */
  readonly readings?: readonly ReadingsLayer[] | undefined
  /**
   * Told of every file and folder the scenario is made of, once each and also where loading fails: its own, the
   * modules and files it names, and files of readings. One that is missing is among them.
   */
  readonly onFile?: NoteFile | undefined
  /**
   * Whether it comes from somebody who may not read this machine: it is the name of a shipped scenario then, or
   * an object that names shipped files alone.
   */
  readonly shippedOnly?: boolean | undefined
  /** Told how far loading is, every few thousand messages and at the end. */
  readonly onProgress?: OnProgress | undefined
}

/**
 * Loads a scenario: a shipped name, a path of a YAML, JSON or TypeScript file, or what `defineScenario` gave.
 * @throws ScenarioError with every problem in it; ReadingError
 */
export async function loadScenario(
  scenario: string | ScenarioDefinition,
  { seed, readings = [], onFile, shippedOnly = false, onProgress }: LoadOptions = {},
): Promise<Beginning> {
  const note = onceEach(onFile)
  if (shippedOnly && typeof scenario === 'string') await refuseUnshipped(scenario)
  const read = await readScenario(scenario, seed, note)
  const { checked, url } = read
  // What ships may name whatever it likes.
  const confined = shippedOnly && url === undefined
  const own = await ownReadings(checked, url, note, confined)
  const wanted = await layersWanted(readings, note)
  const found = [...own.problems, ...(await checkStory(checked))]
  const whole = found.length > 0 ? withoutBulk(checked) : checked
  const files = confined ? shippedFiles() : filesBeside(url, note)
  const built = await buildBase(whole, seed ?? checked.seed, files, onProgress)
  refuseIf([...found, ...furtherProblems(built.problems, found)], read)
  const story = {
    scenario: checked.scenario,
    seed: seed ?? checked.seed,
    start: parseInstant(checked.start) as number,
    base: built.base,
    timeline: built.timeline,
    bounces: checked.bounces,
  }
  return {
    ...story,
    describe: checked.describe ?? '',
    expectations: built.expectations,
    fingerprint: createFingerprint(story),
    ...chooseReadings([...own.layers, ...wanted]),
  }
}

/** The readings a scenario would begin with; its mailboxes are not built. @throws ScenarioError, ReadingError */
export async function loadReadings(
  scenario: string | ScenarioDefinition,
  readings: readonly ReadingsLayer[] = [],
): Promise<ChosenReadings> {
  const note = () => undefined
  const read = await readScenario(scenario, undefined, note)
  const own = await ownReadings(read.checked, read.url, note)
  refuseIf(own.problems, read)
  return chooseReadings([...own.layers, ...(await layersWanted(readings, note))])
}

/** Readings with further ones on top, which count for more. @throws ReadingError */
export async function addReadings(
  present: ChosenReadings,
  wanted: readonly ReadingsLayer[],
): Promise<ChosenReadings> {
  return chooseReadings(await layersWanted(wanted, () => undefined), present)
}

/** @throws ScenarioError with every problem */
function refuseIf(problems: readonly ProblemAt[], { source, locate }: ReadScenario): void {
  if (problems.length > 0) throw refusal(source, locate, problems)
}

/** The layers of wishes; an error says whose wish it was. @throws ReadingError */
async function layersWanted(
  wishes: readonly ReadingsLayer[],
  note: NoteFile,
): Promise<readonly ReadingsLayer[]> {
  return (await Promise.all(wishes.map((wish) => layersOf(wish, note)))).flat()
}

async function layersOf(wish: ReadingsLayer, note: NoteFile): Promise<ReadingsLayer[]> {
  try {
    const layers = await readingsLayers(wish, undefined, note)
    chooseReadings(layers)
    return layers
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error
    throw new ReadingError(error.code, `${wish.from}: ${error.message}`)
  }
}

function onceEach(onFile: NoteFile | undefined): NoteFile {
  const told = new Set<string>()
  return (file) => {
    if (told.has(file.href)) return
    told.add(file.href)
    onFile?.(file)
  }
}
