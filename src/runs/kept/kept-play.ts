import { cp } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path'
import { parseJson } from '../../base/json.js'
import { z } from '../../base/schema.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import { WorldError } from '../../service/model/errors.js'
import { Fold, type WrittenEntry, writeEntry, writeStart } from '../../service/world/log-lines.js'
import type { World } from '../../service/world/world.js'
import type { AttackChoice } from '../../story/attacks/lay-attacks.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import { formatScenarioDocument, mapPaths, readScenarioDocument } from '../../story/read/document.js'
import { shippedScenarios } from '../../story/read/read-scenario.js'
import { RunError } from '../errors.js'
import { readWholeFile, writeFileWhole } from '../reports/write-file.js'

/** The files of a folder of results that a play is kept in. */
const resultsFile = 'results.json'
const logFile = 'log.jsonl'

/** The value of `format` in `results.json`. */
const resultsFormat = 'agent-mailbox-sim/results'

/** The latest version of `results.json` that this program reads, and the one that it writes. */
const resultsVersion = 3

const documentSchema = z.looseObject({
  format: z.literal(resultsFormat),
  version: z.literal(resultsVersion),
  scenario: z.string().describe('A shipped scenario, or a path from this folder that begins with a dot.'),
  extend: z.array(z.string()),
  seed: z.int(),
  start: z.string(),
  attacks: z
    .looseObject({ names: z.array(z.string()), form: z.enum(['hostile', 'benign']) })
    .optional()
    .describe('The attacks that were laid over the scenario, or their harmless versions.'),
})

/** The content of `results.json`. */
type ResultsDocument = z.output<typeof documentSchema>

/** A play whose world can be had again as it was. */
interface KeptPlay {
  readonly scenario: string
  readonly extend: readonly string[]
  readonly seed: number
  readonly start: string
  /** The attacks that were laid over its story. */
  readonly under: AttackChoice | undefined
  /** Reads what happened in it, up to the entry of a number or by default all, for a world of its story. @throws RunError `no-results` */
  read(world: World, at?: number): Promise<Fold>
}

/** Reads the play of a folder of results. @throws RunError `no-results` that names the file and the remedy */
export async function readKeptPlay(folder: string): Promise<KeptPlay> {
  const path = join(folder, resultsFile)
  const document = parseJson(await contentOf(path))
  const { format, version } = Object(document)
  if (format === resultsFormat && version !== resultsVersion) {
    throw noResults(`${path} was written by another version of agent-mailbox-sim, which can read it.`)
  }
  const parsed = documentSchema.safeParse(document)
  if (!parsed.success) throw noResults(`${path} is not a file that replay --out FOLDER/ wrote.`)
  const { scenario, extend, seed, start, attacks } = parsed.data
  const pathOf = (name: string): string => (name.startsWith('.') ? resolve(folder, name) : name)
  return {
    ...{ seed, start, under: attacks && { attacks: attacks.names, form: attacks.form } },
    scenario: pathOf(scenario),
    extend: extend.map(pathOf),
    read: (world, at) => readLog(join(folder, logFile), world, at),
  }
}

async function readLog(path: string, { id, initialState, masker }: World, at = Infinity): Promise<Fold> {
  const lines = (await contentOf(path)).split('\n').filter(Boolean)
  const fold = new Fold(initialState, { world: id, masker, bodyCharacters: 65_536 })
  let latest = 0
  for (const [index, text] of lines.entries()) {
    const line = parseJson(text) as WrittenEntry | undefined
    if (!line || (index === 0 ? line.type !== 'start' : line.seq !== latest + 1)) {
      throw noResults(`${path}: line ${index + 1} is damaged, or one before it is missing.`)
    }
    latest = line.seq
    if (index > 0 && latest > at) break
    try {
      fold.apply(line)
    } catch (error) {
      if (error instanceof WorldError && index === 0) throw error
      throw noResults(`${path}: line ${index + 1} cannot be read: ${(error as Error).message}`)
    }
  }
  if (at > latest && at !== Infinity)
    throw noResults(`There is no entry ${at} in ${path}; the latest is ${latest}.`)
  if (at < fold.seq) throw noResults(`What was at ${at} is not in ${path}; the earliest is ${fold.seq}.`)
  return fold
}

async function contentOf(path: string): Promise<string> {
  return readWholeFile(path).catch((error: Error) => {
    throw noResults(`${path}: ${error.message}; replay --out FOLDER/ writes one.`)
  })
}

function noResults(message: string): RunError {
  return new RunError('no-results', message)
}

/** The story of a play: its scenario as a user named it, or as it was changed, and the extensions that the user named. */
interface KeptStory {
  readonly scenario: string | ScenarioInput
  readonly extend?: readonly string[] | undefined
}

/**
 * Keeps a play in a folder of results: the story with its files, and the log of its world, so that this can be had again as it was
 * at each entry. @throws an error of the file system, ScenarioError
 */
export async function keepPlay(
  folder: string,
  simulator: Simulator,
  { scenario, extend = [] }: KeptStory,
): Promise<void> {
  const { seed, start, view } = simulator
  const shipped = ['common', ...(await shippedScenarios())]
  const shippedName = shipped.find((name) => name === scenario)
  if (shippedName === undefined) {
    const { document } = await readScenarioDocument(scenario, seed)
    const name = typeof scenario === 'string' ? scenario : view.story.scenario
    await writeStory(join(folder, 'story.yaml'), document, `The story of these results: ${name}`)
  }
  const { attacks = [], attacksForm: form } = view.story
  const document: ResultsDocument = {
    format: resultsFormat,
    version: resultsVersion,
    scenario: shippedName ?? './story.yaml',
    extend: extend.map((name) => (shipped.includes(name) ? name : fromFolder(folder, name))),
    ...{ seed, start },
    ...(form && { attacks: { names: attacks.map(({ name }) => name), form } }),
  }
  await writeFileWhole(join(folder, logFile), linesOf(view.world))
  await writeFileWhole(join(folder, resultsFile), `${JSON.stringify(document, null, 2)}\n`)
}

/** Writes a scenario with absolute paths as a file, with copies of the files that it names beside it except for code. */
export async function writeStory(path: string, document: ScenarioInput, comment: string): Promise<void> {
  const folder = dirname(path)
  const copies = new Map<string, string>()
  // A separate folder, since another scenario may have other files.
  const files = `${basename(path, extname(path))}.files`
  const beside = mapPaths(document, (file) => {
    if (!isAbsolute(file)) return file
    // A copy of code would lack what it imports.
    if (/\.[cm]?[jt]s$/.test(file)) return fromFolder(folder, file)
    // Names stay: clients see those of attachments.
    const copy = copies.get(file) ?? join(files, `${copies.size + 1}`, basename(file)).replaceAll('\\', '/')
    copies.set(file, copy)
    return copy
  })
  for (const [file, copy] of copies) await cp(file, join(folder, copy), { recursive: true })
  await writeFileWhole(path, await formatScenarioDocument(beside, comment))
}

/** Yields the log of a world as lines of JSON, with secrets masked. */
function* linesOf({ initialState, log, masker, base }: World): Generator<string> {
  const known = masker.asOfNow()
  const line = (written: object): string => `${known.known(JSON.stringify(written))}\n`
  yield line(writeStart(initialState, log.start, log.oldest - 1, base))
  for (const entry of log.entries) {
    const written = writeEntry(entry, base, known)
    if (written) yield line(written)
  }
}

function fromFolder(folder: string, name: string): string {
  const path = relative(resolve(folder), resolve(name)).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}
