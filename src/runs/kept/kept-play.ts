import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseJson } from '../../base/json.js'
import { z } from '../../base/schema.js'
import { WorldError } from '../../service/model/errors.js'
import { Fold, type WrittenEntry } from '../../service/world/log-lines.js'
import type { World } from '../../service/world/world.js'
import type { AttackChoice } from '../../story/attacks/lay-attacks.js'
import { RunError } from '../errors.js'

/** The files of a folder of results that a play is kept in. */
export const resultsFile = 'results.json'
export const logFile = 'log.jsonl'

/** The value of `format` in `results.json`. */
export const resultsFormat = 'agent-mailbox-sim/results'

/** The latest version of `results.json` that this program reads, and the one that it writes. */
export const resultsVersion = 3

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
export type ResultsDocument = z.output<typeof documentSchema>

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
    latest = Math.max(latest, Number(line?.seq) || 0)
    if (index > 0 && latest > at) break
    try {
      fold.apply(line as WrittenEntry)
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
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw noResults(`${path}: ${why}; replay --out FOLDER/ writes one.`)
  })
}

function noResults(message: string): RunError {
  return new RunError('no-results', message)
}
