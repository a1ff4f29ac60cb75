import type { Faker } from '@faker-js/faker'
import { fileSystem } from '../../base/file-system.js'
import { isJsonObject } from '../../base/json.js'
import { didYouMean } from '../../base/text.js'
import { createRandom } from '../../service/time/random.js'
import { formatInstant, parseInstant } from '../../service/time/time.js'
import { loadFaker } from '../compile/wording.js'
import { type Scenario, type ScenarioInput, scenarioSchema } from '../format/scenario.js'
import type { ScenarioContext, ScenarioDefinition } from './define-scenario.js'
import { FileError, maxScenarioBytes, modulesFor, type NoteFile, readWithin, shippedFolder } from './files.js'
import { checkFormat, explainThrown, type Locate, ScenarioError, scenarioError } from './problem.js'

/** A scenario as its author wrote it, and where it came from. */
export interface WrittenScenario {
  /** The path of the file, or the scenario's name if there is no file. */
  readonly source: string
  readonly value: object
  readonly locate: Locate
  /** The scenario's own URL, if it is a file. */
  readonly url: URL | undefined
  /** Whether it is one that ships, found by its name. */
  readonly ships: boolean
}

/** How a scenario is read. */
interface ReadOptions {
  /** The seed that a function gets. */
  readonly seed?: number | undefined
  readonly note?: NoteFile | undefined
  /** Whether only the names of scenarios that ship are allowed. */
  readonly shippedOnly?: boolean | undefined
}

/** Reads a scenario from a name, a path or a definition, and checks its format. @throws ScenarioError */
export async function readScenario(
  scenario: string | ScenarioDefinition,
  options: ReadOptions = {},
): Promise<Scenario> {
  return checkScenario(await readWritten(scenario, options))
}

/** Checks a scenario's format. @throws ScenarioError */
export function checkScenario({ source, value, locate }: WrittenScenario): Scenario {
  return checkFormat(scenarioSchema, value, { source, locate })
}

/** Reads a scenario as its author wrote it: a shipped one by its name, a file by its path, or a definition. @throws ScenarioError */
export async function readWritten(
  scenario: string | ScenarioDefinition,
  { seed, note = () => undefined, shippedOnly }: ReadOptions = {},
): Promise<WrittenScenario> {
  const nowhere = { locate: () => undefined, url: undefined, ships: false }
  if (typeof scenario !== 'string') {
    const source = nameOf(scenario)
    const value = await resolveDefinition(scenario, source, 'it', seed, (thrown, what) =>
      explainThrown(thrown, what, source),
    )
    return { ...nowhere, source, value }
  }
  if (shippedOnly && !(await shippedScenarios()).includes(scenario)) {
    const remedy = 'Your own scenario is named when the server starts, or sent as an object.'
    throw scenarioError('not-found', scenario, await noSuchName(scenario, remedy))
  }
  const { name: source, text, url, ships } = await readFile(scenario, note)
  // The YAML parser and the compiler are loaded only if they are needed.
  if (yamlFile.test(source)) return { ...(await parseScenarioText(source, text)), url, ships }
  const { runModule } = await import('./scenario-module.js')
  const module = { name: source, text, url }
  const { exported, explain } = await runModule(module, note, 'export default defineScenario({ … })')
  const value = await resolveDefinition(exported, source, 'the default export', seed, explain)
  return { ...nowhere, source, value, url }
}

/** Parses YAML or JSON. @throws ScenarioError with the first problem of its syntax */
async function parseScenarioText(source: string, text: string) {
  const { readYaml } = await import('./yaml.js')
  const { value, locate, problem } = readYaml(text)
  if (problem) throw new ScenarioError('syntax', source, [problem])
  if (isJsonObject(value)) return { source, value, locate }
  const what = value === null ? 'the file is empty' : 'the file is no map'
  const message = `${what}; a scenario begins with its name, such as "scenario: refund-request"`
  throw scenarioError('syntax', source, message, { line: 1, column: 1 })
}

const yamlFile = /\.(ya?ml|json)$/i
const moduleFile = /\.m?[jt]s$/i

/** Reads the file of a scenario: that of a shipped one by its name, or another by its path. @throws ScenarioError */
async function readFile(nameOrPath: string, note: NoteFile) {
  const ships = /^[a-z0-9-]+$/.test(nameOrPath)
  const name = ships ? `scenarios/${nameOrPath}.yaml` : nameOrPath
  try {
    if (name === '') throw new FileError('missing', name, 'is missing')
    const { pathToFileURL } = modulesFor(name).url
    const url = ships ? new URL(`${nameOrPath}.yaml`, shippedFolder('scenarios')) : pathToFileURL(name)
    note(url)
    const text = textOf(name, await readWithin(url, name, maxScenarioBytes))
    if (yamlFile.test(name) || moduleFile.test(name)) return { name, text, url, ships }
    throw scenarioError('unreadable', name, 'a scenario is a .yaml, .json or .ts file')
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    if (error.code !== 'missing') throw scenarioError('unreadable', name, `it ${error.reason}`)
    throw scenarioError('not-found', nameOrPath || '""', await notFound(nameOrPath, ships, error))
  }
}

async function notFound(nameOrPath: string, isName: boolean, { near }: FileError): Promise<string> {
  if (/^[a-z]+:\/\//i.test(nameOrPath)) return 'A scenario is a file on this machine; download it first.'
  if (near !== undefined && !isName) {
    return `There is no such file; did you mean "${nameOrPath.replace(/[^/\\]*$/, '')}${near}"?`
  }
  if (isName) return noSuchName(nameOrPath, `Give a file by its path, e.g. ./${nameOrPath}.yaml.`)
  return `There is no such file. Scenarios that ship with the simulator: ${(await shippedScenarios()).join(', ')}.`
}

async function noSuchName(name: string, remedy: string): Promise<string> {
  const names = await shippedScenarios()
  const hint = didYouMean(name, names) || '.'
  return `There is no scenario of that name${hint} Those that ship with the simulator are ${names.join(', ')}. ${remedy}`
}

/** Lists the names of the scenarios that ship with the package; none where their files cannot be read. */
export async function shippedScenarios(): Promise<string[]> {
  const files = (await fileSystem()?.fs.promises.readdir(shippedFolder('scenarios'))) ?? []
  return files
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -5))
    .sort()
}

/** Decodes UTF-8. @throws ScenarioError `unreadable`, with the place of the first invalid character */
function textOf(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const lines = new TextDecoder().decode(bytes).split('\uFFFD', 1).join().split('\n')
    const place = { line: lines.length, column: (lines.at(-1) as string).length + 1 }
    const message = 'this character is not UTF-8; save the file in that encoding'
    throw scenarioError('unreadable', name, message, place)
  }
}

/** Lists the shipped scenarios by name, each with its content in a sentence, without checking or building them. */
export async function describeShipped() {
  const names = await shippedScenarios()
  const described = names.map(async (name) => {
    const { describe = '' } = (await readWritten(name)).value as ScenarioInput
    // A folded text ends with a line break.
    return { name, describe: describe.trim().replace(/\s+/g, ' ') }
  })
  return Promise.all(described)
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
