import { cp, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path'
import type { Simulator } from '../../doors/simulator/simulator.js'
import { writeEntry, writeStart } from '../../service/world/log-lines.js'
import type { World } from '../../service/world/world.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import { formatScenarioDocument, mapPaths, readScenarioDocument } from '../../story/read/document.js'
import { shippedScenarios } from '../../story/read/read-scenario.js'
import { writeFileWhole } from '../reports/write-file.js'
import { logFile, type ResultsDocument, resultsFile, resultsFormat, resultsVersion } from './kept-play.js'

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
  await writeFile(path, await formatScenarioDocument(beside, comment))
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
