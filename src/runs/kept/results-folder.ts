import { cp, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../base/package.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import type { WrittenBody } from '../../service/world/exchange.js'
import { writeEntry, writeStart } from '../../service/world/log-lines.js'
import type { World } from '../../service/world/world.js'
import { shippedScenarios } from '../../story/read/read-scenario.js'
import { writeFileWhole } from '../reports/write-file.js'
import {
  logFile,
  type NamedStory,
  type ResultsDocument,
  resultsFile,
  resultsFormat,
  resultsVersion,
} from './kept-play.js'

/** A story with the files that were read for it, and those that were looked for. */
interface StoryFiles extends NamedStory {
  readonly files: readonly URL[]
}

/**
 * Keeps a play in a folder of results: the story with its files, and the log of its world, so that this can be had again as it was
 * at each entry. @throws an error of the file system
 */
export async function keepPlay(folder: string, simulator: Simulator, story: StoryFiles): Promise<void> {
  const { scenario, extend = [] } = story
  const { seed, start, view } = simulator
  const shipped = ['common', ...(await shippedScenarios())]
  const named = (name: string): string => (shipped.includes(name) ? name : fromFolder(folder, name))
  const copy = shipped.includes(scenario) ? undefined : await copyStory(folder, story)
  const { attacks = [], attacksForm: form } = view.story
  const document: ResultsDocument = {
    format: resultsFormat,
    version: resultsVersion,
    scenario: named(scenario),
    ...(copy !== undefined && { copy }),
    extend: extend.map(named),
    ...{ seed, start },
    ...(form && { attacks: { names: attacks.map(({ name }) => name), form } }),
  }
  await writeFileWhole(join(folder, logFile), linesOf(view.world))
  await writeFileWhole(join(folder, resultsFile), `${JSON.stringify(document, null, 2)}\n`)
}

/** Yields the log of a world as lines of JSON, with secrets masked; of bodies that occur again, only where they came first. */
function* linesOf({ initialState, log, masker, base }: World): Generator<string> {
  const known = masker.asOfNow()
  const line = (written: object): string => `${known.known(JSON.stringify(written))}\n`
  yield line(writeStart(initialState, log.start, log.oldest - 1, base))
  const bodies = new Map<string, number>()
  for (const entry of log.entries) {
    const written = writeEntry(entry, base, known)
    if (entry.type !== 'exchange' || !written) {
      if (written) yield line(written)
      continue
    }
    const { exchange } = written as unknown as { exchange: { responseBody: WrittenBody | null } }
    const key = JSON.stringify(exchange.responseBody)
    const same = bodies.get(key)
    if (same === undefined) bodies.set(key, entry.seq)
    yield line(
      same === undefined ? written : { ...written, exchange: { ...exchange, responseBody: { same } } },
    )
  }
}

function fromFolder(folder: string, name: string): string {
  const path = relative(resolve(folder), resolve(name)).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}

/**
 * Copies the files of a story into a folder of results, so that it can be told again when they have changed. Returns the path
 * of the scenario's copy from there; undefined if a story consists of code, since a copy would lack what that imports.
 */
async function copyStory(
  folder: string,
  { scenario, extend = [], files }: StoryFiles,
): Promise<string | undefined> {
  const shipped = fileURLToPath(packageRoot())
  const further = extend.map((name) => resolve(name))
  const paths = [...new Set(files.map((file) => fileURLToPath(file).replace(/[/\\]$/, '')))].filter(
    (path) => !further.includes(path) && !isWithin(path, join(shipped, 'fixtures')),
  )
  const original = resolve(scenario)
  if (!paths.includes(original) || paths.some((path) => /\.[cm]?[jt]sx?$/.test(path))) return undefined
  const root = paths.map(dirname).reduce(commonFolder)
  const copied = join(folder, 'story')
  for (const path of paths) {
    const isThere = (await stat(path).catch(() => undefined)) !== undefined
    if (isThere && !isWithin(resolve(copied), path)) {
      await cp(path, join(copied, relative(root, path)), { recursive: true })
    }
  }
  return `./story/${relative(root, original).replaceAll(sep, '/')}`
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

function commonFolder(one: string, other: string): string {
  return isWithin(other, one) ? one : commonFolder(dirname(one), other)
}
