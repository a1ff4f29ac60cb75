import { formatCommand, wildcard } from '../../base/text.js'
import { assumptionsVariable } from '../../service/assumptions/assumptions.js'
import { stopwatch } from '../../service/time/wall-time.js'
import { RunError } from '../errors.js'
import { jobsFor, type PlansWatcher, runPlans } from '../plans.js'
import type { Play } from '../play.js'
import { recordWorld } from '../reports/html.js'
import { hideSecretArguments, type Report } from '../reports/report.js'
import { type CheckReport, checkReport, composeReport, type PlaceOf } from './check-report.js'
import type { Disturbance, DisturbedStory, Planned, PlannedDisturbance } from './disturbance.js'
import { formatReplayLine, readDisturbed, type TypedFlag } from './disturbed.js'
import { causeOf, commonFailures, repeatsNeeded, sorted, type Tried, type TriedPlan } from './findings.js'
import { documentUnder, failuresOf } from './judging.js'
import { disturbanceOf, kinds, plannedFor } from './kinds/kinds.js'
import { formatForEnvironment, Player, type PlayerOptions } from './player.js'
import { isSpoiled, playUndisturbed, type Refused, type Settled } from './undisturbed.js'

/** The options of a check. */
export interface CheckOptions extends PlayerOptions {
  /** The flags of the command line, for the command lines that repeat a failure. */
  readonly flags?: readonly TypedFlag[] | undefined
  /** The number of plays at a time; see `jobsFor`. */
  readonly jobs?: number | undefined
  /** Patterns of ids, in which `*` stands for any characters; all by default. */
  readonly only?: readonly string[] | undefined
  /** The wall time after which no further disturbance begins, in milliseconds; five minutes by default. */
  readonly time?: number | undefined
  /** The number of plays after which no further disturbance begins. */
  readonly plays?: number | undefined
  /** The ids that are tried, in this order, instead of all. */
  readonly resume?: readonly string[] | undefined
  /** Whether the disturbances are only listed. */
  readonly list?: boolean | undefined
  readonly watcher?: CheckWatcher | undefined
}

/** What is known of a check before the first disturbance. */
interface CheckEstimate {
  readonly planned: number
  /** How many of them fit into the budget. */
  readonly fitting: number
  readonly milliseconds: number
  /** The requests to others that a play makes. */
  readonly elsewhere: number
}

/** Observes the progress of a check. */
export interface CheckWatcher extends PlansWatcher<PlannedDisturbance, Tried> {
  /** An undisturbed play begins. */
  undisturbed?(): void
  estimated?(estimate: CheckEstimate): void
}

/** A finished check. */
export interface Checked {
  readonly report: CheckReport
  /** Prepares the report for the printers, with the most informative play. */
  print(report: CheckReport): Report
  /** Returns the disturbed scenario of a finding, with what it is judged by. */
  documentOf(id: string): { readonly document: DisturbedStory['document']; readonly disturbance: Disturbance }
}

const usualTime = 300_000

/**
 * Plays a story undisturbed, and then with one thing at a time going wrong, and reports what breaks the agent.
 * @throws ScenarioError, WorldError, ServerError, RunError
 */
export async function check(options: CheckOptions): Promise<Checked> {
  const { source, locate, ...own } = await readDisturbed(options)
  return new Checking(options, own, (place) => {
    const at = locate(['expect', place])
    return at && { file: source, line: at.line }
  }).run()
}

/** A play that a report shows, and what was played. */
interface NamedPlay {
  readonly played: Play
  readonly play: string
}

/** One check. */
class Checking {
  readonly #options: CheckOptions
  readonly #story: DisturbedStory
  readonly #placeOf: PlaceOf
  readonly #player: Player
  readonly #elapsed = stopwatch()
  readonly #queue: PlannedDisturbance[] = []
  readonly #results = new Map<PlannedDisturbance, [Tried, ...Tried[]]>()
  /** The failures that were repeated, by their kind and key, so that others like them need not be. */
  readonly #repeated = new Set<string>()
  #settled: Settled | undefined
  #recorded: NamedPlay | undefined

  constructor(options: CheckOptions, story: DisturbedStory, placeOf: PlaceOf) {
    this.#options = options
    this.#story = story
    this.#placeOf = placeOf
    const { watcher: _, ...playing } = options
    this.#player = new Player(playing, story.story.start)
  }

  async run(): Promise<Checked> {
    const { watcher, signal, list, jobs: wanted = 1 } = this.#options
    const found = await playUndisturbed(this.#player, this.#story, () => {
      watcher?.undisturbed?.()
      return { signal }
    })
    this.#recorded = {
      played: found.refusal ? found.failed.played : found.undisturbed.play,
      play: 'undisturbed',
    }
    if (found.refusal) return this.#conclude(found, 2)
    this.#settled = found
    this.#queue.push(...this.#chosen(found))
    if (list) return this.#conclude(found, 2)
    const { story } = this.#story
    const listens = (): boolean => found.undisturbed.play.listens
    const limited = jobsFor({ jobs: wanted, options: this.#options, story, listens, watcher })
    const jobs = typeof limited === 'function' ? limited() : limited
    this.#estimate(found, jobs)
    await runPlans(this.#queue, {
      ...{ signal, watcher, jobs, play: this.#tryOften, mayBegin: () => this.#mayBegin(found) },
    })
    const tried = this.#tried
    if (tried.length === 0 && !signal?.aborted) {
      const why = 'the undisturbed plays took all of --time and --plays; allow more'
      throw new RunError('nothing-asked', `Nothing could be tried: ${why}.`)
    }
    const repeats = repeatsNeeded(tried.length, found, sorted(tried))
    // What failed is repeated until it is certain.
    await runPlans(sorted(tried).suspects, {
      ...{ signal, jobs },
      play: async ({ main: { plan, results } }, over) => {
        while (commonFailures(results).length > 0 && results.length < repeats) await this.#try(plan, over)
      },
    })
    return this.#conclude(found, repeats)
  }

  /** The disturbances that were tried so far, in order. */
  get #tried(): TriedPlan[] {
    return this.#queue.flatMap((plan) => {
      const results = this.#results.get(plan)
      return results ? { plan, results } : []
    })
  }

  /** Returns the disturbances that are tried, in order. @throws RunError if there are none */
  #chosen({ undisturbed, isInProcess }: Settled): PlannedDisturbance[] {
    const { resume } = this.#options
    const all = plannedFor(undisturbed, isInProcess ? ['assumptions'] : undefined)
    const chosen = all.filter(({ id }) => this.#isWanted(id) && (!resume || resume.includes(id)))
    if (chosen.length === 0) {
      const why =
        all.length === 0
          ? 'the agent met nothing that could be disturbed'
          : 'no disturbance has such an id; --list prints all'
      throw new RunError('nothing-asked', `Nothing could be tried: ${why}.`)
    }
    return chosen
  }

  #estimate({ usualMs, elsewhere }: Settled, jobs: number): void {
    const { time = usualTime, plays = Infinity, watcher } = this.#options
    const { length: planned } = this.#queue
    const inTime = Math.floor((Math.max(0, time - this.#elapsed()) * jobs) / usualMs)
    const fitting = Math.min(planned, inTime, Math.max(0, plays - this.#player.count))
    watcher?.estimated?.({ planned, fitting, milliseconds: (fitting * usualMs) / jobs, elsewhere })
  }

  #mayBegin({ usualMs }: Settled): boolean {
    const { time = usualTime, plays = Infinity } = this.#options
    return this.#elapsed() + usualMs < time && this.#player.count < plays
  }

  /** Tries a disturbance, and once more if the agent fails in a way that is not known from another one. */
  readonly #tryOften = async (plan: PlannedDisturbance, signal: AbortSignal): Promise<Tried> => {
    const tried = await this.#try(plan, signal)
    const keys = tried.failures.map(({ key }) => `${causeOf(plan)} ${key}`)
    if (keys[0] !== undefined && !keys.some((key) => this.#repeated.has(key))) {
      this.#repeated.add(keys[0])
      await this.#try(plan, signal)
    }
    return tried
  }

  /** Plays the story with a disturbance. */
  readonly #try = async (plan: PlannedDisturbance, signal: AbortSignal): Promise<Tried> => {
    const { baseline, isInProcess } = this.#settled as Settled
    const { disturbance, judged, document } = this.#disturbed(plan.id)
    const ended = await this.#player.play(document, { ...disturbance, signal })
    const isVoid = isSpoiled(ended)
    const all = isVoid ? [] : failuresOf(ended, judged, baseline.acts)
    const failures = isInProcess ? all.filter(({ key }) => key === 'command') : all
    if (failures.length > 0) {
      if (this.#recorded?.play === 'undisturbed')
        this.#recorded = { played: ended.played, play: disturbance.words }
      const name = plan.id.slice(plan.kind.length + 1)
      this.#add(kinds[plan.kind].further?.(name, ended.played) ?? [], plan)
    }
    const { wallMs } = ended.played
    const tried = { failures, isSpoiled: isVoid, judgedBy: isInProcess ? 1 : judged.length, wallMs }
    const results = this.#results.get(plan)
    if (results) results.push(tried)
    else this.#results.set(plan, [tried])
    return tried
  }

  /** Adds disturbances that one suggests. */
  #add(further: readonly Planned[], { kind }: PlannedDisturbance): void {
    for (const { name, ...how } of further) {
      const id = `${kind}/${name}`
      const isNew = this.#queue.every((one) => one.id !== id)
      if (isNew && this.#isWanted(id)) this.#queue.push({ ...how, id, kind })
    }
  }

  /** Returns whether `--only` names a disturbance. */
  #isWanted(id: string): boolean {
    const { only } = this.#options
    return !only || only.some((glob) => wildcard(glob)(id))
  }

  /** Returns a disturbance, what a play under it is judged by, and the document that is played. */
  #disturbed(id: string) {
    const disturbance = disturbanceOf(id, this.#story)
    if (!disturbance) throw new Error(`There is no disturbance ${id}.`)
    return { disturbance, ...documentUnder(disturbance, this.#story, (this.#settled as Settled).baseline) }
  }

  #conclude(found: Settled | Refused, repeats: number): Checked {
    const { scenario = 'support-desk', flags = [], command, signal } = this.#options
    const { play, played } = this.#recorded as NamedPlay
    const hide = (words: readonly string[]): string[] => hideSecretArguments(words, played.server)
    const shown = flags.map(({ name, value }) => {
      return { name, value: value === undefined ? value : hide([name, value])[1] }
    })
    const words = hide(command)
    const again = ({ id, assumption }: Disturbance): string => {
      if (assumption && !found.refusal && found.isInProcess)
        return `${assumptionsVariable}=${formatCommand([formatForEnvironment(assumption)])} ${formatCommand(words)}`
      return formatReplayLine(scenario, words, shown, [{ name: '--disturb', value: id }])
    }
    const report = composeReport({
      ...{ found, repeats, command: words, queue: this.#queue, tried: this.#tried },
      ...{ story: this.#story, placeOf: this.#placeOf, again },
      interrupted: signal?.aborted === true,
      ...{ plays: this.#player.count, wall_ms: Math.round(this.#elapsed()) },
    })
    return {
      report,
      print: (own) => ({
        ...checkReport(own, found.refusal ? found : undefined, this.#placeOf),
        recording: () => ({ ...recordWorld(played.simulator, played.verdicts), play }),
      }),
      documentOf: (id) => {
        const { disturbance, document } = this.#disturbed(id)
        return { disturbance, document: disturbance.under ? { ...document, attack_mode: 'all' } : document }
      },
    }
  }
}
