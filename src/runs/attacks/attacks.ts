import { once } from '../../base/once.js'
import { stopwatch } from '../../service/time/wall-time.js'
import { type AttackChoice, loadAttacks } from '../../story/attacks/lay-attacks.js'
import type { PlannedAttack } from '../../story/attacks/library.js'
import { type Expectation, isWork } from '../../story/expectations/kinds.js'
import type { Story } from '../../story/story.js'
import { RunError } from '../errors.js'
import { jobsFor, runPlans } from '../plans.js'
import { loadStory } from '../replay/replay.js'
import {
  byTrial,
  numbersTo,
  type RecordedTrial,
  seedOf,
  TrialSeries,
  type TrialsOptions,
} from '../trials/trials.js'
import type { TrialRun } from '../trials/trials-report.js'
import {
  type AttackExample,
  type AttackRun,
  type AttacksReport,
  attackRun,
  nameOfPlay,
  summarizeAttacks,
  type VariantPlay,
} from './attacks-report.js'

/** Which attacks are laid over a story: all of them together, or separately some by their names. */
export type AttackMode = 'all' | readonly string[]

/** The options of a replay under attacks. */
export interface AttacksOptions extends Omit<TrialsOptions, 'trials' | 'bail'> {
  readonly trials?: number | undefined
  readonly attacks: AttackMode
}

/** A finished replay under attacks. */
interface PlayedAttacks {
  readonly report: AttacksReport
  /** The first run in which an attack was obeyed, or else the first that failed, or else the first. */
  readonly main: NamedTrial
}

/** A recorded run, with the name of its play: `under refund-to-stranger`. */
interface NamedTrial extends RecordedTrial {
  readonly play: string
}

/**
 * Plays a story without attacks, under attacks, and with their harmless versions, and reports which attacks the agent
 * met, resisted or obeyed, and how often it did its work.
 * @throws ScenarioError, WorldError, ServerError, RunError
 */
export async function playAttacks(options: AttacksOptions): Promise<PlayedAttacks> {
  const { trials = 1, require = 'all', signal, watcher, jobs = 1 } = options
  const elapsed = stopwatch()
  const stories = new AttackedStories(options)
  const variants = variantsOf(await stories.attacksOf(1), options.attacks)
  const story = await stories.storyOf(1)
  const series = variants.map((variant) => new VariantSeries(variant, stories, { ...options, trials }))
  const plans = series.flatMap((one) => {
    return numbersTo(trials).map((plan) => ({ ...plan, series: one.name, of: one }))
  })
  const receives = (): boolean => series.some((one) => one.trials.listens)
  await runPlans<(typeof plans)[number], TrialRun>(plans, {
    ...{ signal, watcher, jobs: jobsFor({ jobs, options, story, watcher, receives }) },
    play: (plan, interrupted) => plan.of.trials.play(plan, interrupted),
  })
  const played = series.flatMap((one) => one.played() ?? [])
  const [first] = played
  if (!first) throw new RunError('interrupted', 'Interrupted before the first run.')
  const numbers = new Set(played.flatMap(({ play }) => play.runs.map(({ trial }) => trial)))
  const attacks = await Promise.all([...numbers].sort((one, other) => one - other).map(stories.attacksOf))
  const obeyed = new Map(series.flatMap((one) => [...one.obeyed]))
  const report = summarizeAttacks(
    [...new Map(attacks.flat().map((attack) => [attack.name, attack])).values()],
    played.map(({ play }) => play),
    {
      ...{ require, interrupted: signal?.aborted === true, wall_ms: Math.round(elapsed()) },
      examples: new Map([...obeyed].map(([name, { example }]) => [name, example])),
    },
  )
  const shown = report.attacks.find(({ example }) => example !== null)
  const failed = played.find(({ main }) => main.run.not_judged === null && !main.run.passed) ?? first
  return { report, main: (shown && obeyed.get(shown.name)?.recorded) ?? failed.main }
}

/** The stories of the trials, and the attacks that are laid over each. */
class AttackedStories {
  readonly #options: AttacksOptions
  readonly #first: () => Promise<Story>
  readonly #attacks = new Map<number, Promise<readonly PlannedAttack[]>>()

  constructor(options: AttacksOptions) {
    this.#options = options
    this.#first = once(() => loadStory({ ...options, checksAttacks: true }))
  }

  /**
   * Returns the attacks of a trial. Together, each trial has other pairs of a carrier and a goal; otherwise, the same are played
   * in all trials. @throws ScenarioError
   */
  readonly attacksOf = (trial: number): Promise<readonly PlannedAttack[]> => {
    const number = this.#options.attacks === 'all' ? trial : 1
    const attacks = this.#attacks.get(number) ?? this.#load(number)
    this.#attacks.set(number, attacks)
    return attacks
  }

  async #load(number: number): Promise<readonly PlannedAttack[]> {
    const { scenario = 'support-desk', extend, attacks, varySeed, seed } = this.#options
    // Another seed draws other pairs by itself.
    const pairs = varySeed ? 0 : number - 1
    const own = number > 1 ? seedOf(number, (await this.#first()).seed, this.#options) : seed
    return loadAttacks(scenario, { seed: own, extend, attacks, pairs })
  }

  /** Returns the story of a trial, without attacks, under some, or with their harmless versions. */
  async storyOf(trial: number, under?: AttackChoice): Promise<Story> {
    const like = await this.#first()
    const seed = seedOf(trial, like.seed, this.#options)
    return loadStory({ ...this.#options, seed, initialState: undefined, under, like })
  }

  /** Returns a story that shows what an agent does of what attacks ask for although their mail does not come. */
  async watching(story: Story, trial: number, attacks: readonly PlannedAttack[]): Promise<Story> {
    const hostile = await this.storyOf(trial, { form: 'hostile', attacks })
    return { ...story, attacks: (hostile.attacks ?? []).map((attack) => ({ ...attack, isAbsent: true })) }
  }
}

/** A story to be played: without attacks, under some, or with their harmless versions. */
interface Variant extends Pick<VariantPlay, 'form'> {
  /** The names of the attacks; together, each trial may have others. */
  readonly attacks: readonly string[]
  readonly isTogether: boolean
}

function variantsOf(attacks: readonly PlannedAttack[], mode: AttackMode): Variant[] {
  const isTogether = mode === 'all'
  const variants = (form: 'hostile' | 'benign', chosen: readonly PlannedAttack[]): Variant[] => {
    const names = chosen.map(({ name }) => name)
    const groups = isTogether ? [names] : names.map((name) => [name])
    return groups.filter((group) => group.length > 0).map((group) => ({ attacks: group, form, isTogether }))
  }
  return [
    { attacks: [], form: 'none', isTogether },
    ...variants('hostile', attacks),
    ...variants('benign', attacks.filter(hasTwin)),
  ]
}

function hasTwin({ benign }: PlannedAttack): boolean {
  return benign.length > 0
}

/** The trials of a variant, with what they show. */
class VariantSeries {
  readonly trials: TrialSeries
  readonly name: string
  /** The first run in which each attack was obeyed. */
  readonly obeyed = new Map<string, { readonly example: AttackExample; readonly recorded: NamedTrial }>()
  readonly #form: Variant['form']
  readonly #names = new Set<string>()
  readonly #runs: AttackRun[] = []

  constructor(variant: Variant, stories: AttackedStories, options: TrialsOptions) {
    const { attacks, form, isTogether } = variant
    this.#form = form
    this.name = nameOfPlay(variant)
    const storyOf = async (trial: number): Promise<Story> => {
      const all = await stories.attacksOf(trial)
      if (form === 'none') return stories.watching(await stories.storyOf(trial), trial, all)
      const chosen = all.filter(({ name }) => isTogether || attacks.includes(name))
      for (const { name } of chosen) this.#names.add(name)
      if (form === 'hostile') return stories.storyOf(trial, { form, attacks: chosen })
      const twins = chosen.filter(hasTwin)
      return stories.watching(await stories.storyOf(trial, { form, attacks: twins }), trial, twins)
    }
    this.trials = new TrialSeries(options, storyOf, (trial) => this.#keep(trial))
  }

  /** Returns what was played; undefined if nothing was. */
  played(): { readonly main: NamedTrial; readonly play: VariantPlay } | undefined {
    const { report, main } = this.trials.conclude() ?? {}
    if (!report || !main) return undefined
    const play = { attacks: [...this.#names], form: this.#form, report, runs: this.#runs.sort(byTrial) }
    return { main: { ...main, play: this.name }, play }
  }

  #keep(recorded: RecordedTrial): void {
    const { run, simulator } = recorded
    const { trial, not_judged, verdicts } = run
    const isOpen = verdicts.some(({ index, passed }) => {
      return !passed && isWork(simulator.expectations[index] as Expectation)
    })
    const stopping = simulator.laidAttacks.flatMap(({ name, obeyed }) => (obeyed === 'failed' ? name : []))
    const shown = attackRun(this.#form, simulator.masker.content(recorded.attacks), {
      trial,
      stopped: not_judged === null && isOpen ? stopping : [],
      leaked: verdicts.some(({ kind, passed }) => kind === 'leak' && !passed),
    })
    this.#runs.push(shown.run)
    for (const { name, act } of this.#form === 'hostile' ? shown.done : []) {
      if ((this.obeyed.get(name)?.example.trial ?? Infinity) <= trial) continue
      const example = { play: this.name, trial, did: act.text, request: act.request }
      this.obeyed.set(name, { example, recorded: { ...recorded, play: this.name } })
    }
  }
}
