import type { Faker } from '@faker-js/faker'
import { gapIds } from '../../contract/gaps.js'
import { operationNames } from '../../contract/operations.js'
import { createRandom, formatInstant, parseInstant } from '../../world/index.js'
import type { ScenarioContext, ScenarioDefinition, ScenarioFunction } from '../define-scenario.js'
import { type Scenario, scenarioSchema } from '../format/index.js'
import { type CheckedSource, checkFormat, checkInPieces, unknownNames } from '../problems/explain.js'
import { type Locate, type ProblemAt, ScenarioError, type ScenarioProblem } from '../problems/problem.js'
import { createFaker, type FakerWords, loadLocale } from '../wording/locales.js'
import type { NoteFile } from './files.js'
import { findScenario, type ScenarioSource } from './find-scenario.js'
import { explainThrown } from './thrown.js'

/** A scenario whose format has been checked, and where it was read. */
export interface ReadScenario {
  /** Path of the file, or the scenario's name where there is no file. */
  readonly source: string
  readonly checked: Scenario
  readonly locate: Locate
  /** Whether it says itself when its story begins. */
  readonly givesStart: boolean
  /** The scenario's own URL, where it is a file. */
  readonly url: URL | undefined
}

/** Reads a scenario from wherever it is, and checks its format. @throws ScenarioError with every problem in it */
export async function readScenario(
  scenario: string | ScenarioDefinition,
  seed: number | undefined,
  note?: NoteFile,
): Promise<ReadScenario> {
  return typeof scenario === 'string'
    ? readFound(await findScenario(scenario, note), seed, note)
    : readDefinition(scenario, seed)
}

/** Reads what `defineScenario` gave. @throws as `readScenario` */
export function readDefinition(
  definition: ScenarioDefinition,
  seed: number | undefined,
): Promise<ReadScenario> {
  const source = nameOf(definition)
  const explain: Resolving['explain'] = (thrown, what) => explainThrown(thrown, what, source)
  return checkDefinition(definition, { source, what: 'it', seed, explain }, undefined)
}

/** Reads a file that was found. @throws as `readScenario` */
export async function readFound(
  found: ScenarioSource,
  seed: number | undefined,
  note: NoteFile = () => undefined,
  isExtended = false,
): Promise<ReadScenario> {
  const { name: source, url } = found
  // A parser, or a compiler, is loaded for those that take it.
  if (found.form === 'yaml') {
    return {
      source,
      url,
      ...(await parseScenarioText(source, found.text, isExtended ? undefined : undocumentedNames)),
    }
  }
  const { runScenarioModule } = await import('./scenario-module.js')
  const { exported, explain } = await runScenarioModule(found, note)
  return checkDefinition(exported, { source, what: 'the default export', seed, explain }, url)
}

/** What is no name of the interface in a scenario; where it has extensions, it is not known here which names they have. */
function undocumentedNames(scenario: unknown): ProblemAt[] {
  return Object(scenario).extend === undefined ? unknownNames(scenario, operationNames, gapIds) : []
}

/** Reads a scenario from YAML or JSON. @throws ScenarioError with every problem in it */
export async function parseScenarioText(
  source: string,
  text: string,
  further?: CheckedSource['further'],
): Promise<Omit<ReadScenario, 'source' | 'url'>> {
  const { readYaml } = await import('../problems/yaml.js')
  const { value, locate, problems } = readYaml(text)
  if (problems.length > 0) throw new ScenarioError('syntax', source, problems)
  if (value === null) {
    const message = 'the file is empty; a scenario begins with its name, such as "scenario: refund-request"'
    throw new ScenarioError('syntax', source, [{ line: 1, column: 1, key: '', message }])
  }
  const checked = checkFormat(scenarioSchema, value, { source, locate, further })
  return { checked, locate, givesStart: givesStart(value) }
}

async function checkDefinition(
  definition: unknown,
  resolving: Resolving,
  url: URL | undefined,
): Promise<ReadScenario> {
  const { source } = resolving
  const locate = () => undefined
  const resolved = await resolveDefinition(definition, resolving)
  const checked = await checkInPieces(scenarioSchema, resolved, { source, locate })
  return { source, checked, locate, givesStart: givesStart(resolved), url }
}

function givesStart(scenario: unknown): boolean {
  return (scenario as { start?: unknown }).start !== undefined
}

/** What messages about a scenario that is no file begin with. */
function nameOf(definition: ScenarioDefinition | null | undefined): string {
  const name = typeof definition === 'object' ? definition?.scenario : undefined
  return typeof name === 'string' && name !== '' ? name : 'scenario'
}

/** How a definition is made a scenario. */
export interface Resolving {
  /** The file or the name that messages begin with. */
  readonly source: string
  /** What messages call the definition, e.g. `the default export`. */
  readonly what: string
  /** Stands in for the seed a scenario gives. */
  readonly seed: number | undefined
  /** What the scenario's own code threw, as the error it is to be. */
  explain(thrown: unknown, what: string): ScenarioError
}

const theFunction = 'the function given to defineScenario'

/** The scenario that a definition stands for, its format not yet checked. @throws ScenarioError */
export async function resolveDefinition(definition: unknown, resolving: Resolving): Promise<object> {
  if (typeof definition === 'function') return callTwice(definition as ScenarioFunction, resolving)
  return objectOf(definition, `${resolving.what} is`, resolving.source)
}

/**
 * Calls a function with the defaults, and again with its own roots if they are others.
 * @throws ScenarioError if what it gives then has others still
 */
async function callTwice(write: ScenarioFunction, resolving: Resolving): Promise<object> {
  const defaults = rootsOf({}, resolving.seed) as Roots
  const first = await call(write, defaults, resolving)
  const own = rootsOf(first, resolving.seed)
  // What is wrong with them is told where the format is checked.
  if (!own || differences(defaults, own).length === 0) return first
  const second = await call(write, own, resolving)
  const problems = differences(own, rootsOf(second, resolving.seed) ?? own)
  if (problems.length > 0) throw new ScenarioError('invalid', resolving.source, problems)
  return second
}

async function call(write: ScenarioFunction, roots: Roots, resolving: Resolving): Promise<object> {
  const context = await createScenarioContext(roots)
  try {
    const given: unknown = await write(context)
    return objectOf(given, `${theFunction} returns`, resolving.source)
  } catch (error) {
    throw error instanceof ScenarioError ? error : resolving.explain(error, theFunction)
  }
}

/** @throws ScenarioError for what is no object */
function objectOf(value: unknown, words: string, source: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  const message = `${words} ${kindOf(value)}; expected a scenario such as { scenario: 'my-inbox' }`
  throw new ScenarioError('invalid', source, [{ key: '', message }])
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

const rootsSchema = scenarioSchema.pick({ seed: true, start: true, locale: true })

/** What everything in a scenario depends on; undefined where the format is not kept. */
function rootsOf(scenario: object, seed: number | undefined): Roots | undefined {
  const { seed: own, start, locale } = scenario as Record<string, unknown>
  const { data } = rootsSchema.safeParse({ seed: own, start, locale })
  return data && { ...data, seed: seed ?? data.seed, start: parseInstant(data.start) as number }
}

function differences(before: Roots, after: Roots): ScenarioProblem[] {
  const [was, is] = [before, after].map(({ start, ...others }) => ({
    ...others,
    start: formatInstant(start),
  }))
  return (['seed', 'start', 'locale'] as const)
    .filter((key) => was?.[key] !== is?.[key])
    .map((key) => ({
      key,
      message: `expected a plain value; the function gave ${was?.[key]}, and ${is?.[key]} when called with that`,
    }))
}

/** What everything that the function of a scenario draws depends on. */
interface Roots {
  readonly seed: number
  /** The instant the story begins. */
  readonly start: number
  readonly locale: string
}

/** What the function of a scenario draws from. */
async function createScenarioContext(roots: Roots): Promise<ScenarioContext> {
  const { seed, start } = roots
  const words = await loadLocale(roots.locale)
  return {
    faker: fakerOf(roots, words, 'faker'),
    fakerFor: (name) => fakerOf(roots, words, `faker/${name}`),
    seed,
    start: formatInstant(start),
  }
}

/** A Faker that draws from the stream of a path, or from another one of it once it is seeded. */
function fakerOf({ seed, start }: Roots, words: FakerWords, path: string): Faker {
  let stream = createRandom(seed, path)
  return createFaker(words, start, {
    stream: () => stream,
    seed(own) {
      stream = createRandom(seed, `${path}/seeds/${String(own)}`)
    },
  })
}
