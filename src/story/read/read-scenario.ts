import type { Faker } from '@faker-js/faker'
import { fileSystem } from '../../base/file-system.js'
import { didYouMean, nearestName } from '../../base/text.js'
import { createRandom } from '../../service/time/random.js'
import { formatInstant, parseInstant } from '../../service/time/time.js'
import { loadFaker } from '../compile/wording.js'
import { type Scenario, scenarioSchema } from '../format/scenario.js'
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

/** The content of a scenario's file, not yet parsed. */
export interface ScenarioSource {
  /** Path or name, for messages. */
  readonly name: string
  readonly text: string
  /** YAML (and JSON, which is YAML too), or a module of TypeScript or JavaScript. */
  readonly form: 'yaml' | 'module'
  /** The scenario's own URL, which its files are relative to. */
  readonly url: URL
  /** The name of the shipped scenario, if it was found by one. */
  readonly ships: string | undefined
}

/** Finds a shipped scenario by name, or a file by path. @throws ScenarioError `not-found`, `unreadable` */
export async function findScenario(nameOrPath: string, note?: NoteFile): Promise<ScenarioSource> {
  if (nameOrPath === '') throw scenarioError('not-found', '""', await notFound('""', false))
  const isName = /^[a-z0-9-]+$/.test(nameOrPath)
  const name = isName ? `scenarios/${nameOrPath}.yaml` : nameOrPath
  try {
    const { pathToFileURL } = modulesFor(name).url
    const url = isName ? new URL(`${nameOrPath}.yaml`, shippedFolder('scenarios')) : pathToFileURL(nameOrPath)
    note?.(url)
    const bytes = await readWithin(url, name, maxScenarioBytes)
    return {
      name,
      text: textOf(name, bytes),
      form: formOf(name),
      url,
      ships: isName ? nameOrPath : undefined,
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    if (error.code !== 'missing') throw scenarioError('unreadable', name, `it ${error.reason}`)
    throw scenarioError('not-found', nameOrPath, await notFound(nameOrPath, isName))
  }
}

/** Lists the names of the scenarios that ship with the package; none where their files cannot be read. */
export async function shippedScenarios(): Promise<string[]> {
  const files = (await fileSystem()?.fs.promises.readdir(shippedFolder('scenarios'))) ?? []
  return files
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -5))
    .sort()
}

/** Checks that a scenario of that name ships with the package. @throws ScenarioError `not-found` */
export async function refuseUnshipped(name: string): Promise<void> {
  const names = await shippedScenarios()
  if (names.includes(name)) return
  const hint = didYouMean(name, names) || '.'
  throw scenarioError(
    'not-found',
    name,
    `no scenario of that name ships with the simulator${hint} Those that ship are ${names.join(', ')}. ` +
      'Your own scenario is named when the server starts, or sent as an object.',
  )
}

/** Returns the form for the ending of a file's name; undefined for an unknown one. */
function formIn(name: string): ScenarioSource['form'] | undefined {
  if (/\.(ya?ml|json)$/i.test(name)) return 'yaml'
  return /\.m?[jt]s$/i.test(name) ? 'module' : undefined
}

/** Returns the form for the ending of a file's name. @throws ScenarioError `unreadable` for an unknown one */
function formOf(name: string): ScenarioSource['form'] {
  const form = formIn(name)
  if (form) return form
  throw scenarioError('unreadable', name, 'a scenario is a .yaml, .json or .ts file')
}

async function notFound(nameOrPath: string, isName: boolean): Promise<string> {
  const names = await shippedScenarios()
  const known = names.join(', ')
  if (/^[a-z]+:\/\//i.test(nameOrPath)) return 'A scenario is a file on this machine; download it first.'
  if (isName && isFolder(nameOrPath)) {
    return `It is a folder, not the name of a scenario. Give a file by its path, e.g. ./${nameOrPath}/my-inbox.yaml.`
  }
  const folder = nameOrPath.replace(/[^/\\]*$/, '')
  const files = isName ? [] : scenarioFilesIn(folder || '.')
  const wanted = nearestName(stemOf(nameOrPath.slice(folder.length)), files.map(stemOf))
  const near = files.find((file) => stemOf(file) === wanted)
  if (near !== undefined) return `There is no such file; did you mean "${folder}${near}"?`
  if (!isName) return `There is no such file. Scenarios that ship with the simulator: ${known}.`
  const hint = didYouMean(nameOrPath, names) || '.'
  return `There is no scenario of that name${hint} Those that ship with the simulator are ${known}. Give a file by its path, e.g. ./${nameOrPath}.yaml.`
}

const stemOf = (file: string): string => file.replace(/\.\w+$/, '')

/** Lists the files of a folder that may be scenarios, by their endings; none if it cannot be read. */
function scenarioFilesIn(folder: string): string[] {
  try {
    return (fileSystem()?.fs.readdirSync(folder) ?? []).filter(formIn)
  } catch {
    return []
  }
}

function isFolder(path: string): boolean {
  return fileSystem()?.fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
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

/** A scenario that ships with the simulator. */
export interface ShippedScenario {
  readonly name: string
  /** Its content in a sentence. */
  readonly describe: string
}

/** Lists the shipped scenarios by name, without checking or building them. */
export async function describeShipped(): Promise<ShippedScenario[]> {
  const names = await shippedScenarios()
  return Promise.all(names.map(async (name) => ({ name, describe: await describe(name) })))
}

async function describe(name: string): Promise<string> {
  const [{ text }, { parse }] = await Promise.all([findScenario(name), import('yaml')])
  const { describe: described }: { describe?: unknown } = parse(text)
  // A folded text ends with a line break.
  return typeof described === 'string' ? described.trim().replace(/\s+/g, ' ') : ''
}
