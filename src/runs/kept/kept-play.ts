import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseJson } from '../../base/json.js'
import { listOf } from '../../base/text.js'
import { WorldError } from '../../service/model/errors.js'
import type { LoggedChange } from '../../service/record/log.js'
import { momentIn } from '../../service/world/past.js'
import { type ToldStory, type ToldTraffic, toldUntil } from '../../service/world/told-story.js'
import type { AttackChoice } from '../../story/attacks/lay-attacks.js'
import type { ToldPart } from '../agent/options.js'
import { RunError } from '../errors.js'
import {
  documentSchema,
  type ResultsDocument,
  resultsFormat,
  resultsVersion,
  type WrittenPlay,
} from './document.js'
import type { KeptEnd } from './end.js'

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
  /** The file that it was read from, with its number if there were several, for messages. */
  readonly name: string
  /** Its number, if there were several. */
  readonly trial: number | undefined
  /** What it is about if there were several series, e.g. `under refund-to-stranger`. */
  readonly series: string | undefined
  /** How it ended; undefined if an earlier version kept it. */
  readonly end: KeptEnd | undefined
  /** Returns what happened. @throws RunError `no-results` if that was not kept */
  told(): Promise<ToldStory>
  /** Returns what happened up to a moment, by default the end, and when that is. @throws RunError `no-results` */
  until(moment: string | undefined): Promise<ToldPart>
}

/** Kept plays, of which the first is the one that is shown. */
export interface KeptPlays extends Pick<ResultsDocument, 'trials'> {
  readonly plays: readonly KeptPlay[]
}

/** Reads the plays of a folder of results. @throws RunError `no-results` that names the file and the remedy */
export async function readKeptPlays(folder: string): Promise<KeptPlays> {
  const path = join(folder, 'results.json')
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
  const { plays, trials } = parsed.data
  return { plays: plays.map((play) => keptPlay(folder, path, play)), trials }
}

/** Which of several plays is meant: of which series, and which trial of it. */
export interface ChosenPlay {
  readonly play?: string | undefined
  readonly trial?: number | undefined
}

/** Reads a play of a folder of results, by default the one that its report shows. @throws RunError `no-results` */
export async function readKeptPlay(
  folder: string,
  { play: name, trial }: ChosenPlay = {},
): Promise<KeptPlay> {
  const { plays } = await readKeptPlays(folder)
  const ofSeries = name === undefined ? plays : plays.filter(({ series }) => series === name)
  if (ofSeries.length === 0) {
    const names = plays.flatMap(({ series }) => (series === undefined ? [] : JSON.stringify(series)))
    const kept = names.length === 0 ? 'only those of the story alone' : listOf(names)
    throw noResults(`${folder} has no play "${name}"; it has kept ${kept}.`)
  }
  const found = trial === undefined ? ofSeries[0] : ofSeries.find((play) => (play.trial ?? 1) === trial)
  if (found) return found
  const last = Math.max(...ofSeries.map((play) => play.trial ?? 1))
  throw noResults(
    `${folder} has no trial ${trial}: its ${last === 1 ? 'only one is 1' : `last one is ${last}`}. Play it again with replay --out FOLDER/.`,
  )
}

function keptPlay(folder: string, path: string, play: WrittenPlay): KeptPlay {
  const pathOf = (name: string): string => (name.startsWith('.') ? resolve(folder, name) : name)
  const { seed, start, trial, series, end, copy, commands, traffic, scenario, extend, attacks } = play
  const under = attacks && { attacks: attacks.names, form: attacks.form }
  const name = [path, series, trial && `trial ${trial}`].filter(Boolean).join(': ')
  const linesOf = async <Line>(file: string): Promise<Line[]> => {
    const lines = (await readFile(join(folder, file), 'utf8')).split('\n').filter(Boolean)
    return lines.map((line) => parseJson(line) as Line)
  }
  const entriesOf = (): Promise<LoggedChange[]> => {
    if (commands !== null) return linesOf(commands)
    throw noResults(
      `${name}: what happened was not kept, since it was too much or the agent restored or cleared the world.`,
    )
  }
  const trafficOf = async (): Promise<ToldTraffic[] | undefined> => (traffic ? linesOf(traffic) : undefined)
  return {
    ...{ name, seed, start, under, trial, series, end },
    scenario: pathOf(copy ?? scenario),
    extend: extend.map(pathOf),
    async told() {
      return { entries: await entriesOf(), traffic: await trafficOf() }
    },
    async until(moment) {
      const entries = await entriesOf()
      try {
        const place = momentIn(entries, moment)
        return { told: toldUntil({ entries, traffic: await trafficOf() }, place), now: place.now }
      } catch (error) {
        throw error instanceof WorldError ? noResults(error.message) : error
      }
    },
  }
}

function noResults(message: string): RunError {
  return new RunError('no-results', message)
}
