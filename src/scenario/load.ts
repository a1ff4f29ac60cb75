import {
  type Beginning,
  type ChosenReadings,
  chooseReadings,
  parseInstant,
  ReadingError,
  type ReadingsLayer,
} from '../world/index.js'
import { buildBase } from './build.js'
import { filesBeside, findScenario } from './files.js'
import type { Scenario, ScenarioInput } from './format/index.js'
import { checkScenario, keyOf, type Locate, parseScenarioText } from './parse.js'
import { readingsLayers } from './readings-file.js'
import { ScenarioError } from './scenario-error.js'

/** What may stand in for what the scenario says. */
export interface LoadOptions {
  readonly seed?: number | undefined
  /** Readings that count for more than the scenario's own; the later, the more. */
  readonly readings?: readonly ReadingsLayer[] | undefined
}

/**
 * Loads a scenario: a shipped name, a path of a YAML or JSON file, or an object.
 * @throws ScenarioError with every problem in it; ReadingError
 */
export async function loadScenario(
  scenario: string | ScenarioInput,
  { seed, readings = [] }: LoadOptions = {},
): Promise<Beginning> {
  const read = await readScenario(scenario)
  const { source, checked, locate, url } = read
  const chosen = await chooseFor(read, readings)
  const { base, problems } = await buildBase(checked, seed ?? checked.seed, filesBeside(url))
  if (problems.length > 0) {
    throw new ScenarioError(
      'invalid',
      source,
      problems.map(({ path, message }) => ({ ...locate(path), key: keyOf(path), message })),
    )
  }
  return {
    scenario: checked.scenario,
    seed: seed ?? checked.seed,
    start: parseInstant(checked.start) as number,
    base,
    ...chosen,
  }
}

/** The readings a scenario would begin with; its mailboxes are not built. @throws ScenarioError, ReadingError */
export async function loadReadings(
  scenario: string | ScenarioInput,
  readings: readonly ReadingsLayer[] = [],
): Promise<ChosenReadings> {
  return chooseFor(await readScenario(scenario), readings)
}

interface ReadScenario {
  readonly source: string
  readonly checked: Scenario
  readonly locate: Locate
  readonly url: URL | undefined
}

async function readScenario(scenario: string | ScenarioInput): Promise<ReadScenario> {
  if (typeof scenario !== 'string') {
    const source = scenario.scenario ?? 'scenario'
    const locate = () => undefined
    return { source, checked: checkScenario(source, scenario, locate), locate, url: undefined }
  }
  const { name, text, url } = await findScenario(scenario)
  return { source: name, url, ...parseScenarioText(name, text) }
}

/** The scenario's own readings, and on them those that somebody wants. @throws ScenarioError, ReadingError */
async function chooseFor(scenario: ReadScenario, wanted: readonly ReadingsLayer[]): Promise<ChosenReadings> {
  const layers = [...(await layersOf(scenario)), ...(await Promise.all(wanted.map(layersWanted))).flat()]
  return chooseReadings(layers)
}

/** The layers of one wish; an error says whose wish it was. @throws ReadingError */
async function layersWanted(wish: ReadingsLayer): Promise<ReadingsLayer[]> {
  try {
    const layers = await readingsLayers(wish)
    chooseReadings(layers)
    return layers
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error
    throw new ReadingError(error.code, `${wish.from}: ${error.message}`)
  }
}

/** The scenario's own readings. @throws ScenarioError */
async function layersOf({ checked, source, locate, url }: ReadScenario): Promise<ReadingsLayer[]> {
  try {
    const layers = await readingsLayers({ from: 'scenario', input: checked.readings }, url)
    chooseReadings(layers)
    return layers
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error
    const path = ['readings']
    throw new ScenarioError('invalid', source, [{ ...locate(path), key: 'readings', message: error.message }])
  }
}
