import { createReadStream } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Simulator } from '../../doors/simulator/simulator.js'
import type { LoggedChange } from '../../service/record/log.js'
import { hashText, hexOf } from '../../service/time/random.js'
import type { DeliveryState } from '../../service/webhooks/delivery.js'
import { type ToldStory, type ToldTraffic, toldStory } from '../../service/world/told-story.js'
import { storyOf } from '../../story/overlays/story.js'
import { shippedScenarios } from '../../story/source/find-scenario.js'
import type { Play } from '../play.js'
import { makeFolder, writeFileWhole } from '../reports/write-file.js'
import { type ResultsDocument, resultsFormat, resultsVersion, type WrittenPlay } from './document.js'
import { endOf } from './end.js'
import type { NamedStory } from './kept-play.js'
import { copyStory } from './story-copy.js'

/** A play that has ended, with its number if there are several. */
interface EndedPlay {
  readonly trial?: number
  /** What it is about if there are several series, e.g. `under refund-to-stranger`. */
  readonly series?: string | undefined
  /** Whether it passes if nothing failed and the agent did nothing. */
  readonly allowEmpty?: boolean | undefined
}

/** A folder of results while plays end: it keeps what happened in each, as long as its world can be read. */
export class ResultsFolder {
  readonly #folder: string
  readonly #story: NamedStory
  readonly #plays: WrittenPlay[] = []
  // What was played may go: there may be hundreds of plays under attacks.
  readonly #kept = new WeakMap<Simulator, WrittenPlay>()
  /** Why a play could not be kept. */
  #failure: unknown

  constructor(folder: string, story: NamedStory) {
    this.#folder = folder
    this.#story = story
  }

  /**
   * Keeps a play that has ended; several have a folder each. `write` throws an error of the file system from here, since the
   * verdicts are reported first: an agent may have made the folder useless.
   */
  async keep(played: Play, ended: EndedPlay = {}): Promise<void> {
    await this.#keep(played, ended).catch((error: unknown) => {
      this.#failure ??= error
    })
  }

  async #keep(played: Play, { trial, series, allowEmpty }: EndedPlay): Promise<void> {
    const end = endOf(played, allowEmpty)
    const about = { ...(trial !== undefined && { trial }), ...(series !== undefined && { series }) }
    const kept = await this.#keepWorld(played.simulator, placeOf(about))
    const play = { ...kept, ...about, end }
    this.#plays.push(play)
    this.#kept.set(played.simulator, play)
  }

  async #keepWorld(simulator: Simulator, place = ''): Promise<WrittenPlay> {
    const { scenario, extend = [] } = this.#story
    const { seed, start } = simulator
    const told = toldStory(simulator.paced)
    const exchanges = told?.entries.filter(({ type }) => type === 'exchange').length ?? 0
    const files = await this.#write(place, told, simulator)
    const laid = storyOf(simulator.paced).overlays.flatMap(({ attacks }) => attacks ?? [])
    const attacks = laid.map(({ names, form }) => ({ names: [...names], form })).at(0)
    const under = attacks ? { attacks } : {}
    return { scenario, extend: [...extend], seed, start, ...under, exchanges, ...files }
  }

  /**
   * Writes `results.json`, with the play first that the report shows; `files` are those of the story.
   * @throws an error of the file system
   */
  async write(
    shown: Simulator,
    { files, trials }: Pick<ResultsDocument, 'trials'> & { readonly files: readonly URL[] },
  ): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    const folder = this.#folder
    const shipped = ['common', ...(await shippedScenarios())]
    const named = (name: string): string => (shipped.includes(name) ? name : fromFolder(folder, name))
    const { scenario, extend } = this.#story
    const copy = shipped.includes(scenario) ? undefined : await copyStory(folder, { scenario, extend, files })
    const first = this.#kept.get(shown) ?? (await this.#keepWorld(shown))
    const others = this.#plays.filter((play) => play !== first)
    const plays = [await this.#atTop(first), ...others].map((play) => ({
      ...play,
      scenario: named(play.scenario),
      ...(copy !== undefined && { copy }),
      extend: play.extend.map(named),
    }))
    const document = { format: resultsFormat, version: resultsVersion, plays, ...(trials && { trials }) }
    await writeFileWhole(join(folder, 'results.json'), `${JSON.stringify(document, null, 2)}\n`)
  }

  async #write(place: string, told: ToldStory | undefined, simulator: Simulator) {
    if (!told) return { commands: null, traffic: null }
    const { entries, traffic } = told
    await makeFolder(join(this.#folder, place))
    const write = async (name: string, lines: readonly object[]): Promise<string> => {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      await writeFileWhole(join(this.#folder, place, name), text)
      return `${place}${name}`
    }
    const plain = entries.map((entry) => withoutHeaders(entry, simulator))
    const commands = await write('commands.jsonl', plain)
    const bare = traffic?.map((one) => ('delivery' in one ? withoutHeaders(one, simulator) : one))
    return { commands, traffic: bare ? await write('traffic.jsonl', bare) : null }
  }

  /** Returns a play with a copy of its files where earlier versions look for them. */
  async #atTop({ commands, ...play }: WrittenPlay): Promise<WrittenPlay> {
    const top = commands && 'commands.jsonl'
    if (top && top !== commands) {
      await writeFileWhole(join(this.#folder, top), createReadStream(join(this.#folder, commands)))
    }
    return { ...play, commands: top }
  }
}

/** Returns the folder of a play, from that of the results. */
function placeOf({ trial, series }: Pick<EndedPlay, 'trial' | 'series'>): string {
  const trials = trial === undefined ? '' : `trials/${trial}/`
  return series === undefined ? trials : `plays/${fileNameOf(series)}/${trials}`
}

/** Returns a name for a file, in which names that only resemble each other differ. */
function fileNameOf(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '-')
  const isOther = plain !== name.replaceAll(' ', '-') || plain.length > 100
  return isOther ? `${plain.slice(0, 100)}-${hexOf(hashText(name))}` : plain
}

/** Returns something about a delivery without the tokens in the headers of past attempts, on which nothing depends. */
function withoutHeaders<Entry extends LoggedChange | ToldTraffic>(
  entry: Entry,
  { paced: { masker } }: Simulator,
): Entry {
  if (!('delivery' in entry) || typeof entry.delivery !== 'object') return entry
  const { delivery } = entry as unknown as { readonly delivery: Pick<DeliveryState, 'attempts'> }
  const attempts = delivery.attempts.map((attempt) => {
    return { ...attempt, headers: masker.headers(Object.entries(attempt.headers)) }
  })
  return { ...entry, delivery: { ...delivery, attempts } }
}

function fromFolder(folder: string, name: string): string {
  const path = relative(resolve(folder), resolve(name)).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}
