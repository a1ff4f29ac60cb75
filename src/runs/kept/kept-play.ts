import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseJson } from '../../base/json.js'
import { WorldError } from '../../service/model/errors.js'
import type { LoggedChange } from '../../service/record/log.js'
import { momentIn } from '../../service/world/past.js'
import { type ToldStory, type ToldTraffic, toldUntil } from '../../service/world/told-story.js'
import type { AttackChoice } from '../../story/attacks/lay-attacks.js'
import { RunError } from '../errors.js'
import { documentSchema, type ResultsDocument, resultsFormat, resultsVersion } from './document.js'

/** What names the story of a play, as a user typed it. */
export interface NamedStory {
  readonly scenario: string
  readonly extend?: readonly string[] | undefined
}

/** A play whose world can be had again as it was. */
export interface KeptPlay extends NamedStory {
  readonly extend: readonly string[]
  readonly seed: number
  readonly start: string
  /** The attacks that were laid over its story. */
  readonly under: AttackChoice | undefined
  /** Returns what happened up to a moment, by default the end, and when that is. @throws RunError `no-results` */
  until(moment: string | undefined): Promise<ToldPart>
}

/** What happened in a play up to a moment. */
interface ToldPart {
  readonly told: ToldStory
  /** When that moment is, in milliseconds since the epoch. */
  readonly now: number
}

/** Reads the play of a folder of results. @throws RunError `no-results` that names the file and the remedy */
export async function readKeptPlay(folder: string): Promise<KeptPlay> {
  const path = join(folder, 'results.json')
  const { scenario, copy, extend, seed, start, attacks, ...files } = await readDocument(path)
  const pathOf = (name: string): string => (name.startsWith('.') ? resolve(folder, name) : name)
  const linesOf = async <Line>(file: string): Promise<Line[]> => {
    const lines = (await readFile(join(folder, file), 'utf8')).split('\n').filter(Boolean)
    return lines.map((line) => parseJson(line) as Line)
  }
  return {
    ...{ seed, start },
    scenario: pathOf(copy ?? scenario),
    extend: extend.map(pathOf),
    under: attacks && { attacks: attacks.names, form: attacks.form },
    async until(moment) {
      const { commands, traffic } = files
      if (commands === null) {
        throw noResults(
          `${path}: what happened was not kept, since it was too much or the agent restored or cleared the world.`,
        )
      }
      const entries = await linesOf<LoggedChange>(commands)
      const told = { entries, traffic: traffic === null ? undefined : await linesOf<ToldTraffic>(traffic) }
      try {
        const place = momentIn(entries, moment)
        return { told: toldUntil(told, place), now: place.now }
      } catch (error) {
        throw error instanceof WorldError ? noResults(error.message) : error
      }
    },
  }
}

async function readDocument(path: string): Promise<ResultsDocument> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw noResults(`${path}: ${why}; replay --out FOLDER/ writes one.`)
  })
  const document = parseJson(text)
  const { format, version } = Object(document)
  if (format === resultsFormat && Number.isInteger(version) && version > resultsVersion) {
    throw noResults(
      `${path} was written by a later version of agent-mailbox-sim; update this one to read it.`,
    )
  }
  const parsed = documentSchema.safeParse(document)
  if (!parsed.success) throw noResults(`${path} is not a file that replay --out FOLDER/ wrote.`)
  return parsed.data
}

function noResults(message: string): RunError {
  return new RunError('no-results', message)
}
