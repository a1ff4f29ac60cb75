import { formatCommand } from '../../base/text.js'
import { assumptionsVariable } from '../../service/assumptions/assumptions.js'
import { stopwatch } from '../../service/time/wall-time.js'
import { readScenarioDocument } from '../../story/read/document.js'
import { readWritten } from '../../story/read/read-scenario.js'
import type { RepeatedPlayOptions } from '../agent/options.js'
import { RunError } from '../errors.js'
import { loadStory, type StoryOptions } from '../load-story.js'
import { jobsFor, type PlansWatcher, runPlans } from '../plans.js'
import type { Play } from '../play.js'
import { hideSecrets, repeatCommandLine } from '../reports/command-line.js'
import { type RecordedRun, recordWorld } from '../reports/html.js'
import { hideSecretArguments } from '../reports/report.js'
import { type CheckReport, composeReport, type PlaceOf } from './check-report.js'
import { type Disturbance, type DisturbedStory, type Kind, kindIn, kindNames } from './disturbance.js'
import {
  causeOf,
  commonFailures,
  repeatsNeeded,
  type Sorted,
  sorted,
  type Tried,
  type TriedPlan,
} from './findings.js'
import { expecting, failuresOf, type JudgedBy, judgedUnder } from './judging.js'
import { kinds } from './kinds/kinds.js'
import { inOrder, type PlannedOfKind } from './order.js'
import { Player } from './player.js'
import { formatForEnvironment } from './relied.js'
import { isSpoiled, playUndisturbed, type Refused, type Settled } from './undisturbed.js'

/** What the disturbances of a check are chosen by. */
export interface CheckChoice {
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
}

/** The options of a check. */
export interface CheckOptions extends RepeatedPlayOptions, Pick<StoryOptions, 'onProgress'>, CheckChoice {
  readonly watcher?: CheckWatcher | undefined
}

/** What is known of a check before the first disturbance. */
export interface CheckEstimate {
  readonly planned: number
  /** How many of them fit into the budget. */
  readonly fitting: number
  readonly milliseconds: number
  /** The requests to others that a play makes. */
  readonly elsewhere: number
}

/** Observes the progress of a check. */
export interface CheckWatcher extends PlansWatcher<PlannedOfKind, Tried> {
  /** An undisturbed play begins. */
  undisturbed?(): void
  estimated?(estimate: CheckEstimate): void
}

/** A finished check. */
export interface Checked {
  readonly report: CheckReport
  /** How the agent fails undisturbed, if it cannot be checked. */
  readonly refused: Refused | undefined
  /** The ids of the disturbances, in the order in which they are tried. */
  readonly ids: readonly string[]
  /** Records the most informative play. */
  readonly recording: (() => RecordedRun) | undefined
  /** Returns the disturbed scenario of a finding, with what it is judged by. */
  documentOf(id: string): { readonly document: DisturbedStory['document']; readonly disturbance: Disturbance }
}

const usualTime = 300_000

/**
 * Plays a story undisturbed, and then with one thing at a time going wrong, and reports what breaks the agent.
 * @throws ScenarioError, WorldError, ServerError, RunError
 */
export async function check(options: CheckOptions): Promise<Checked> {
  const { scenario = 'support-desk', seed } = options
  const story = await loadStory(options)
  const document = await readScenarioDocument(scenario, seed)
  const { source, locate } = await readWritten(scenario, seed)
  const own = { document: { ...document, seed: story.seed }, story }
  return new Checking(options, own, (place) => {
    const at = place === undefined ? undefined : locate(['expect', place])
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
  readonly #disturbances = new Map<
    string,
    { readonly disturbance: Disturbance; readonly judged: readonly JudgedBy[] }
  >()
  readonly #queue: PlannedOfKind[] = []
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
    const { watcher, signal, list } = this.#options
    const found = await playUndisturbed(this.#player, this.#story, () => {
      watcher?.undisturbed?.()
      return { signal }
    })
    if (found.refusal) {
      this.#recorded = { played: found.failed.played, play: 'undisturbed' }
      return this.#conclude(found, [], 2)
    }
    this.#settled = found
    this.#recorded = { played: found.played, play: 'undisturbed' }
    this.#queue.push(...this.#chosen(found))
    if (list) return this.#conclude(found, [], 2)
    this.#estimate(found)
    const receives = found.undisturbed.play.listens
    const jobs = jobsFor({
      jobs: this.#options.jobs ?? 1,
      options: this.#options,
      story: this.#story.story,
      receives,
      watcher,
    })
    const tried = await runPlans(this.#queue, {
      ...{ signal, watcher, jobs, play: this.#try, mayBegin: () => this.#mayBegin(found) },
      confirm: (plan, results) => this.#isOpen(plan, results, 2),
    })
    const repeats = repeatsNeeded(tried.length, found, sorted(tried))
    const certain = await this.#makeCertain(tried, repeats, jobs)
    return this.#conclude(found, certain, repeats)
  }

  /** Returns the disturbances that are tried, in order. @throws RunError if there are none */
  #chosen({ undisturbed, isInProcess }: Settled): PlannedOfKind[] {
    const { resume } = this.#options
    const names = isInProcess ? (['assumptions'] as const) : kindNames
    const all = inOrder(
      names.flatMap((kind) => kinds[kind].planned(undisturbed).map((one) => ({ ...one, kind }))),
    )
    const chosen = all.filter(({ id }) => this.#isWanted(id) && (!resume || resume.includes(id)))
    if (chosen.length === 0) {
      const why =
        all.length === 0
          ? 'the agent met nothing that could be disturbed'
          : 'no disturbance has such an id; --list prints all'
      throw new RunError('nothing-asked', `Nothing could be tried: ${why}.`)
    }
    return resume
      ? chosen.toSorted((one, other) => resume.indexOf(one.id) - resume.indexOf(other.id))
      : chosen
  }

  #estimate({ usualMs, elsewhere }: Settled): void {
    const { time = usualTime, plays = Infinity, jobs = 1, watcher } = this.#options
    const { length: planned } = this.#queue
    const left = Math.max(0, time - this.#elapsed())
    const fitting = Math.min(
      planned,
      Math.floor((left * jobs) / usualMs),
      Math.max(0, plays - this.#player.count),
    )
    watcher?.estimated?.({ planned, fitting, milliseconds: (fitting * usualMs) / jobs, elsewhere })
  }

  #mayBegin({ usualMs }: Settled): boolean {
    const { time = usualTime, plays = Infinity } = this.#options
    return this.#elapsed() + usualMs < time && this.#player.count < plays
  }

  /** Plays the story with a disturbance. */
  readonly #try = async (plan: PlannedOfKind, signal: AbortSignal): Promise<Tried> => {
    const { baseline, isInProcess } = this.#settled as Settled
    const { disturbance, judged } = this.#disturbed(plan.id, plan.kind)
    const { document } = this.#story
    const edited = expecting(disturbance.edit?.(document) ?? document, judged)
    const ended = await this.#player.play(
      edited,
      { ...disturbance, until: isInProcess ? 'agent-end' : 'story-end' },
      { signal },
    )
    const all = isSpoiled(ended) ? [] : failuresOf(ended, judged, baseline.acts)
    const failures = isInProcess ? all.filter(({ key }) => key === 'command') : all
    const [first] = failures
    if (first && this.#recorded?.play === 'undisturbed') {
      this.#recorded = { played: ended.played, play: disturbance.words }
    }
    if (first) this.#add(kinds[plan.kind].further?.(disturbance, ended.played) ?? [], plan)
    return {
      ...{ failures, isSpoiled: isSpoiled(ended), judgedBy: isInProcess ? 1 : judged.length },
      ...{ passed: !first, why: first?.problem ?? null, wallMs: ended.played.wallMs },
    }
  }

  /** Adds disturbances that one suggests. */
  #add(further: ReturnType<NonNullable<Kind['further']>>, { kind }: PlannedOfKind): void {
    for (const one of further) {
      const isNew = this.#queue.every(({ id }) => id !== one.id)
      if (isNew && this.#isWanted(one.id)) this.#queue.push({ ...one, kind })
    }
  }

  /** Returns whether `--only` names a disturbance. */
  #isWanted(id: string): boolean {
    const { only } = this.#options
    return !only || only.some((glob) => patternOf(glob).test(id))
  }

  #disturbed(id: string, kind: PlannedOfKind['kind']) {
    const known = this.#disturbances.get(id)
    if (known) return known
    const { baseline } = this.#settled as Settled
    const disturbance = kinds[kind].disturbance(id, this.#story)
    if (!disturbance) throw new Error(`There is no disturbance ${id}.`)
    const made = { disturbance, judged: judgedUnder(disturbance, kinds[kind], this.#story, baseline) }
    this.#disturbances.set(id, made)
    return made
  }

  /** Returns whether a failure is to be repeated: it has occurred in each play, and is not known from another disturbance. */
  #isOpen(plan: PlannedOfKind, results: readonly Tried[], wanted: number): boolean {
    const common = commonFailures(results)
    if (common.length === 0 || results.some((one) => one.isSpoiled) || results.length >= wanted) return false
    const keyOf = ({ key }: { readonly key: string }): string => `${causeOf(plan)} ${key}`
    if (results.length === 1 && common.some((one) => this.#repeated.has(keyOf(one)))) return false
    if (common[0]) this.#repeated.add(keyOf(common[0]))
    return true
  }

  /** Repeats the failures until they are certain; returns all tried disturbances. */
  async #makeCertain(tried: readonly TriedPlan[], repeats: number, jobs: ReturnType<typeof jobsFor>) {
    const mains = sorted(tried).suspects.map(({ main }) => main)
    const open = mains.filter(({ results }) => results.length < repeats)
    const { signal } = this.#options
    const again = await runPlans(open, {
      ...{ signal, jobs, play: ({ plan }: TriedPlan, over: AbortSignal) => this.#try(plan, over) },
      confirm: ({ results }, more) => {
        return commonFailures([...results, ...more]).length > 0 && results.length + more.length < repeats
      },
    })
    const more = new Map(again.map(({ plan: { plan }, results }) => [plan.id, results]))
    return tried.map(
      (one): TriedPlan => ({ ...one, results: [...one.results, ...(more.get(one.plan.id) ?? [])] }),
    )
  }

  #conclude(found: Settled | Refused, tried: readonly TriedPlan[], repeats: number): Checked {
    const { scenario = 'support-desk', flags = [], command, signal } = this.#options
    const { play, played } = this.#recorded as NamedPlay
    const line = hideSecrets({ name: 'check', scenario, flags, command } as const, (words) => {
      return hideSecretArguments(words, played.server)
    })
    const report = composeReport({
      ...{ found, repeats, line, queue: this.#queue, placeOf: this.#placeOf, story: this.#story },
      sorted: sorted(tried) satisfies Sorted,
      disturbanceOf: (id, kind) => this.#disturbed(id, kind).disturbance,
      interrupted: signal?.aborted === true,
      plays: this.#player.count,
      wallMs: Math.round(this.#elapsed()),
      again: ({ id, assumption }) => {
        if (assumption && !found.refusal && found.isInProcess)
          return `${assumptionsVariable}=${formatCommand([formatForEnvironment(assumption.gap, assumption.assumption)])} ${formatCommand(line.command)}`
        const also = [{ name: '--disturb', value: id }]
        return `npx ${repeatCommandLine(line, { name: 'replay', without: checkFlags, also })}`
      },
    })
    return {
      ...{ report, refused: found.refusal ? found : undefined, ids: this.#queue.map(({ id }) => id) },
      recording: () => ({ ...recordWorld(played.simulator, played.verdicts), play }),
      documentOf: (id) => {
        const { disturbance, judged } = this.#disturbed(id, kindIn(id))
        const { document } = this.#story
        const edited = expecting(disturbance.edit?.(document) ?? document, judged)
        return { disturbance, document: disturbance.under ? { ...edited, attack_mode: 'all' } : edited }
      },
    }
  }
}

/** The flags that `replay` does not have, or not for one play. */
export const checkFlags = ['--time', '--plays', '--jobs', '--only', '--list', '--resume']

/** Returns the pattern of a text in which `*` stands for any characters. */
function patternOf(glob: string): RegExp {
  return new RegExp(
    `^${glob
      .split('*')
      .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
      .join('.*')}$`,
  )
}
