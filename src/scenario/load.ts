import {
  type Beginning,
  type ChosenReadings,
  chooseReadings,
  createFingerprint,
  ReadingError,
  type ReadingsLayer,
} from '../world/index.js'
import type { OnProgress } from './building/progress.js'
import type { ScenarioDefinition } from './define-scenario.js'
import type { OpenedScenario, OpenOptions } from './opened-scenario.js'
import { openPrepared } from './prepared/open-prepared.js'
import type { NoteFile } from './source/files.js'
import { findScenario, refuseUnshipped } from './source/find-scenario.js'
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
  const opened = await open(scenario, { seed, note, confined: shippedOnly })
  const wanted = await layersWanted(readings, note)
  const loaded = await opened.load(onProgress)
  return {
    ...loaded,
    fingerprint: createFingerprint(loaded),
    ...chooseReadings([...opened.layers, ...wanted]),
  }
}

/** The readings a scenario would begin with; its mailboxes are not built. @throws ScenarioError, ReadingError */
export async function loadReadings(
  scenario: string | ScenarioDefinition,
  readings: readonly ReadingsLayer[] = [],
): Promise<ChosenReadings> {
  const note = () => undefined
  const opened = await open(scenario, { seed: undefined, note, confined: false })
  opened.checkReadings()
  return chooseReadings([...opened.layers, ...(await layersWanted(readings, note))])
}

/** Readings with further ones on top, which count for more. @throws ReadingError */
export async function addReadings(
  present: ChosenReadings,
  wanted: readonly ReadingsLayer[],
): Promise<ChosenReadings> {
  return chooseReadings(await layersWanted(wanted, () => undefined), present)
}

/** Opens a scenario as it was prepared, where it was, and else as it is written. @throws ScenarioError */
async function open(scenario: string | ScenarioDefinition, options: OpenOptions): Promise<OpenedScenario> {
  if (typeof scenario !== 'string') {
    const { openDefinition } = await import('./open-written.js')
    return openDefinition(scenario, options)
  }
  if (options.confined) await refuseUnshipped(scenario)
  const found = await findScenario(scenario, options.note)
  const prepared = await openPrepared(found, options)
  if (prepared) return prepared
  // Loaded here, so that a scenario that is prepared does without all that reads, checks and builds one.
  const { openFound } = await import('./open-written.js')
  // What ships may name whatever it likes.
  return openFound(found, { ...options, confined: false })
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
