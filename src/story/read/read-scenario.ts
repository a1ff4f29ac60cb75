import type { Faker } from '@faker-js/faker'
import { createRandom } from '../../service/time/random.js'
import { formatInstant, parseInstant } from '../../service/time/time.js'
import { loadFaker } from '../compile/wording.js'
import { type Scenario, scenarioSchema } from '../format/scenario.js'
import { checkFormat } from './check-format.js'
import type { ScenarioContext, ScenarioDefinition } from './define-scenario.js'
import { explainThrown } from './explain-thrown.js'
import type { NoteFile } from './files.js'
import { findScenario, type ScenarioSource } from './find-scenario.js'
import { type Locate, ScenarioError, scenarioError } from './problem.js'

/** A scenario as its author wrote it, and where it came from. */
export interface WrittenScenario {
  /** The path of the file, or the scenario's name if there is no file. */
  readonly source: string
  readonly value: object
  readonly locate: Locate
  /** The scenario's own URL, if it is a file. */
  readonly url: URL | undefined
}

/** Reads a scenario from a name, a path or a definition, and checks its format. @throws ScenarioError */
export async function readScenario(
  scenario: string | ScenarioDefinition,
  seed: number | undefined,
): Promise<Scenario> {
  return checkScenario(await readWritten(scenario, seed))
}

/** Reads a scenario as its author wrote it. @throws ScenarioError */
export async function readWritten(
  scenario: string | ScenarioDefinition,
  seed: number | undefined,
): Promise<WrittenScenario> {
  if (typeof scenario === 'string') return readFound(await findScenario(scenario), seed)
  return readDefinition(scenario, seed)
}

/** Reads a definition returned by `defineScenario`. @throws ScenarioError */
export async function readDefinition(
  definition: ScenarioDefinition,
  seed: number | undefined,
): Promise<WrittenScenario> {
  const source = nameOf(definition)
  const value = await resolveDefinition(definition, source, 'it', seed, (thrown, what) =>
    explainThrown(thrown, what, source),
  )
  return { source, value, locate: () => undefined, url: undefined }
}

/** Parses or runs a scenario's file. @throws ScenarioError */
export async function readFound(
  found: ScenarioSource,
  seed: number | undefined,
  note: NoteFile = () => undefined,
): Promise<WrittenScenario> {
  const { name: source, url, text } = found
  // The YAML parser and the compiler are loaded only if they are needed.
  if (found.form === 'yaml') return { ...(await parseScenarioText(source, text)), url }
  const { runModule } = await import('./scenario-module.js')
  const { exported, explain } = await runModule(found, note, 'export default defineScenario({ … })')
  const value = await resolveDefinition(exported, source, 'the default export', seed, explain)
  return { source, value, locate: () => undefined, url }
}

/** Parses YAML or JSON. @throws ScenarioError with the first problem of its syntax */
export async function parseScenarioText(source: string, text: string): Promise<WrittenScenario> {
  const { readYaml } = await import('./yaml.js')
  const { value, locate, problem } = readYaml(text)
  if (problem) throw new ScenarioError('syntax', source, [problem])
  if (value !== null) return { source, value: value as object, locate, url: undefined }
  const message = 'the file is empty; a scenario begins with its name, such as "scenario: refund-request"'
  throw scenarioError('syntax', source, message, { line: 1, column: 1 })
}

/** Checks a scenario's format. @throws ScenarioError */
export function checkScenario({ source, value, locate }: WrittenScenario): Scenario {
  return checkFormat(scenarioSchema, value, { source, locate })
}

/** Returns the name that begins messages about a scenario that is not a file. */
function nameOf(definition: ScenarioDefinition | null | undefined): string {
  const name = typeof definition === 'object' ? definition?.scenario : undefined
  return typeof name === 'string' && name !== '' ? name : 'scenario'
}

const theFunction = 'the function given to defineScenario'

/**
 * Resolves a definition to a scenario whose format is not yet checked; a function is called once, with the seed that is asked
 * for and the default start. `what` is the noun for the definition in messages; `explain` converts what the scenario's own
 * code throws into an error.
 */
async function resolveDefinition(
  definition: unknown,
  source: string,
  what: string,
  seed: number | undefined,
  explain: (thrown: unknown, what: string) => ScenarioError,
): Promise<object> {
  if (typeof definition !== 'function') return objectOf(definition, `${what} is`, source)
  const context = await createScenarioContext(seed)
  try {
    return objectOf(await definition(context), `${theFunction} returns`, source)
  } catch (error) {
    throw error instanceof ScenarioError ? error : explain(error, theFunction)
  }
}

/** @throws ScenarioError unless the value is an object */
function objectOf(value: unknown, words: string, source: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  const message = `${words} ${kindOf(value)}; expected a scenario such as { scenario: 'my-inbox' }`
  throw scenarioError('invalid', source, message)
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

/** The seed, the start and the language of a scenario that does not state them. */
const defaults = scenarioSchema.pick({ seed: true, start: true, locale: true }).parse({})

/** Creates the context that is passed to a scenario's function. */
async function createScenarioContext(seed = defaults.seed): Promise<ScenarioContext> {
  const start = parseInstant(defaults.start) as number
  const createFaker = await loadFaker(defaults.locale)
  // A Faker draws from the random stream of a path; seeding it switches to a stream of that seed.
  const fakerOf = (path: string): Faker => {
    let stream = createRandom(seed, path)
    return createFaker(start, {
      stream: () => stream,
      seed(own) {
        stream = createRandom(seed, `${path}/seeds/${String(own)}`)
      },
    })
  }
  return {
    faker: fakerOf('faker'),
    fakerFor: (name) => fakerOf(`faker/${name}`),
    seed,
    start: formatInstant(start),
  }
}
