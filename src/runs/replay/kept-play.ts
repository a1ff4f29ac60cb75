import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseJson, z } from '../../base/index.js'
import type { Simulator } from '../../doors/simulator/index.js'
import type { LoggedChange } from '../../service/record/index.js'
import { formatInstant, parseInstant } from '../../service/time/index.js'
import type { WrittenDelivery } from '../../service/webhooks/index.js'
import { LogReplay, type RecordedWorld } from '../../service/world/index.js'
import { shippedScenarios } from '../../story/index.js'
import { RunError } from '../index.js'
import { writeFileWhole } from '../reports/index.js'

/** The value of `format` in `results.json`. */
const resultsFormat = 'agent-mailbox-sim/results'

/** The latest version of `results.json` that this program reads, and the one that it writes. */
const resultsVersion = 1

/** What names the story of a play, as a user typed it. */
export interface NamedStory {
  readonly scenario: string
  readonly extend?: readonly string[] | undefined
}

const documentSchema = z.looseObject({
  format: z.literal(resultsFormat),
  version: z.int().min(1),
  plays: z
    .array(
      z.looseObject({
        scenario: z
          .string()
          .describe('A shipped scenario, or a path from this folder that begins with a dot.'),
        extend: z.array(z.string()),
        seed: z.int(),
        start: z.string(),
        exchanges: z.int().min(0),
        commands: z.string().nullable().describe('The file beside it with what happened, an entry a line.'),
      }),
    )
    .min(1),
})

/** A play whose world can be had again as it was. */
export interface KeptPlay extends NamedStory {
  readonly extend: readonly string[]
  readonly seed: number
  readonly start: string
  /** Rebuilds its world as it was at a moment, by default at the end. @throws RunError, SnapshotError */
  at(simulator: Simulator, moment: string | undefined): Promise<RecordedWorld>
}

/** Writes what rebuilds the world of a play into a folder of results. @throws an error of the file system */
export async function writeKeptPlay(
  folder: string,
  { scenario, extend = [] }: NamedStory,
  simulator: Simulator,
): Promise<void> {
  const shipped = ['common', ...(await shippedScenarios())]
  const named = (name: string): string => (shipped.includes(name) ? name : fromFolder(folder, name))
  const entries = simulator.paced.entries()
  const commands = entries && 'commands.jsonl'
  if (entries) {
    const lines = entries.map((entry) => `${JSON.stringify(withoutHeaders(entry, simulator))}\n`)
    await writeFileWhole(join(folder, 'commands.jsonl'), lines.join(''))
  }
  const { seed, start } = simulator
  const exchanges = entries?.filter(({ type }) => type === 'exchange').length ?? 0
  const play = { scenario: named(scenario), extend: extend.map(named), seed, start, exchanges }
  const document = {
    format: resultsFormat,
    version: resultsVersion,
    plays: [{ ...play, commands: commands ?? null }],
  }
  await writeFileWhole(join(folder, 'results.json'), `${JSON.stringify(document, null, 2)}\n`)
}

/** Returns an entry without the tokens in the headers of past attempts, on which nothing depends. */
function withoutHeaders(entry: LoggedChange, { paced: { masker } }: Simulator): LoggedChange {
  if (entry.type !== 'delivery') return entry
  const { delivery } = entry as LoggedChange & { readonly delivery: WrittenDelivery }
  const attempts = delivery.attempts.map((attempt) => {
    return { ...attempt, headers: masker.headers(Object.entries(attempt.headers)) }
  })
  return { ...entry, delivery: { ...delivery, attempts } } as LoggedChange
}

function fromFolder(folder: string, name: string): string {
  const path = relative(resolve(folder), resolve(name)).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}

/** Reads the play of a folder of results. @throws RunError `no-results` that names the file and the remedy */
export async function readKeptPlay(folder: string): Promise<KeptPlay> {
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
  const [play] = parsed.data.plays
  if (!play) throw noResults(`${path} has no play.`)
  const { seed, start, commands } = play
  const placed = (name: string): string => (name.startsWith('.') ? resolve(folder, name) : name)
  return {
    scenario: placed(play.scenario),
    extend: play.extend.map(placed),
    seed,
    start,
    async at(simulator, moment) {
      if (commands === null) {
        throw noResults(
          `${path}: what happened was not kept, since it was too much or the agent restored or cleared the world.`,
        )
      }
      const lines = (await readFile(join(folder, commands), 'utf8')).split('\n').filter(Boolean)
      return rebuildAt(
        lines.map((line) => parseJson(line) as LoggedChange),
        simulator,
        moment,
      )
    },
  }
}

/** Applies the entries of a play up to a moment. @throws RunError `no-results`, SnapshotError */
function rebuildAt(
  entries: readonly LoggedChange[],
  simulator: Simulator,
  moment: string | undefined,
): RecordedWorld {
  const replay = new LogReplay(simulator.paced.initialState)
  const { count, now } = placeOf(entries, moment)
  for (const entry of entries.slice(0, count)) if (entry.type !== 'exchange') replay.apply(entry)
  const { recorded } = replay
  const { mode, beganAt } = recorded.clock
  return { ...recorded, clock: { mode, beganAt, now } }
}

/** Returns how many entries come before a moment, and its instant. @throws RunError `no-results` */
function placeOf(
  entries: readonly LoggedChange[],
  moment: string | undefined,
): { count: number; now: number } {
  const instantAfter = (count: number): number => parseInstant(entries[count - 1]?.at ?? '') as number
  if (moment === undefined) return { count: entries.length, now: instantAfter(entries.length) }
  if (/^\d+$/.test(moment)) {
    const isIt = (entry: LoggedChange): boolean => 'seq' in entry && String(entry.seq) === moment
    const count = entries.findLastIndex(isIt) + 1
    const last = entries.filter(({ type }) => type === 'exchange').length
    if (count === 0) throw noResults(`There is no exchange ${moment} in these results; the last is ${last}.`)
    return { count, now: instantAfter(count) }
  }
  const instant = parseInstant(moment)
  if (instant === undefined) {
    throw noResults(
      `"${moment}" is neither the number of an exchange nor an instant such as 2026-01-05T09:00:00Z.`,
    )
  }
  const [first, end] = [instantAfter(1), instantAfter(entries.length)]
  if (instant < first || instant > end) {
    throw noResults(
      `${moment} is not within these results: ${formatInstant(first)} to ${formatInstant(end)}.`,
    )
  }
  return {
    count: entries.findLastIndex(({ at }) => (parseInstant(at) as number) <= instant) + 1,
    now: instant,
  }
}

function noResults(message: string): RunError {
  return new RunError('no-results', message)
}
