import { once } from '../../base/once.js'
import { stopwatch } from '../../service/time/wall-time.js'
import { type AttackChoice, loadAttacks } from '../../story/attacks/lay-attacks.js'
import type { PlannedAttack } from '../../story/attacks/library.js'
import type { AttackResult } from '../../story/expectations/attack-checker.js'
import { type Expectation, isWork } from '../../story/expectations/kinds.js'
import type { Story } from '../../story/story.js'
import { RunError } from '../errors.js'
import { jobsFor, runPlans } from '../plans.js'
import { loadStory } from '../replay/replay.js'
import {
  moreTelling,
  numbersTo,
  playTrial,
  type RecordedTrial,
  seedOf,
  summarizeTrials,
  type TrialsOptions,
} from '../trials/trials.js'
import {
  type AttackedRun,
  type AttacksReport,
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
  const drawn = await stories.attacksOf(1)
  const variants = variantsOf(drawn, options.attacks)
  const story = await stories.storyOf(1)
  const plans = variants.flatMap((variant) => {
    const series = nameOfPlay({ attacks: namesOf(chosenFor(variant, drawn)), form: variant.form })
    return numbersTo(trials).map((plan) => ({ ...plan, series, variant }))
  })
  const mains = new Map<Variant, NamedTrial>()
  /** The first run in which each attack was obeyed. */
  const obeyed = new Map<string, NamedTrial>()
  const listens = (): boolean => [...mains.values()].some((main) => main.listens)
  const played = await runPlans<(typeof plans)[number], AttackedRun>(plans, {
    ...{ signal, watcher, jobs: jobsFor({ jobs, options, story, watcher, listens }) },
    async play({ variant, ...plan }, interrupted) {
      const own = await stories.of(variant, plan.trial)
      const recorded = { ...(await playTrial(plan, own, options, interrupted)), play: plan.series }
      mains.set(variant, moreTelling(recorded, mains.get(variant)))
      const attacks = resultsOf(recorded)
      const done = attacks.filter(({ served, acts }) => served && acts.some((act) => act.done))
      for (const { name } of variant.form === 'hostile' ? done : []) {
        if ((obeyed.get(name)?.run.trial ?? Infinity) > plan.trial) obeyed.set(name, recorded)
      }
      return { ...recorded.run, attacks }
    },
  })
  const best = variants.flatMap((variant) => mains.get(variant) ?? [])
  const [first] = best
  if (!first) throw new RunError('interrupted', 'Interrupted before the first run.')
  const numbers = [...new Set(played.map(({ plan }) => plan.trial))].sort((one, other) => one - other)
  const all = (await Promise.all(numbers.map(stories.attacksOf))).flat()
  const attacks = [...new Map(all.map((attack) => [attack.name, attack])).values()]
  const ended = { interrupted: signal?.aborted === true, wall_ms: Math.round(elapsed()) }
  const plays = variants.flatMap((variant): VariantPlay[] => {
    const runs = played.flatMap(({ plan, result }) => (plan.variant === variant ? result : []))
    if (runs.length === 0) return []
    const report = { ...summarizeTrials(runs, { count: trials, require, ...ended }), runs }
    return [{ attacks: namesOf(chosenFor(variant, attacks)), form: variant.form, report }]
  })
  const report = summarizeAttacks(attacks, plays, { require, ...ended })
  const example = report.attacks.find((one) => one.example !== null)
  const failed = best.find(({ run }) => run.not_judged === null && !run.passed) ?? first
  return { report, main: (example && obeyed.get(example.name)) ?? failed }
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
    const { scenario = 'support-desk', extend, attacks, varySeed } = this.#options
    const seed = seedOf(number, (await this.#first()).seed, this.#options)
    // Another seed draws other pairs by itself.
    return loadAttacks(scenario, { seed, extend, attacks, pairs: varySeed ? 0 : number - 1 })
  }

  /** Returns the story of a trial, without attacks, under some, or with their harmless versions. */
  async storyOf(trial: number, under?: AttackChoice): Promise<Story> {
    const like = await this.#first()
    const seed = seedOf(trial, like.seed, this.#options)
    return loadStory({ ...this.#options, seed, initialState: undefined, under, like })
  }

  /** Returns the story of a variant. If hostile mail does not come, it shows what an agent does anyway of what that asks for. */
  async of(variant: Variant, trial: number): Promise<Story> {
    const { form } = variant
    const all = await this.attacksOf(trial)
    const attacks = chosenFor(variant, all)
    const story = await this.storyOf(trial, form === 'none' ? undefined : { form, attacks })
    if (form === 'hostile') return story
    const hostile = await this.storyOf(trial, { form: 'hostile', attacks: form === 'none' ? all : attacks })
    return { ...story, attacks: (hostile.attacks ?? []).map((attack) => ({ ...attack, isAbsent: true })) }
  }
}

/** A story that is played without attacks, under them or one of them, or with their harmless versions. */
interface Variant extends Pick<VariantPlay, 'form'> {
  /** The only attack of it; undefined if it is about all of a trial together. */
  readonly only?: string | undefined
}

function variantsOf(attacks: readonly PlannedAttack[], mode: AttackMode): Variant[] {
  const groups = mode === 'all' ? [undefined] : namesOf(attacks)
  const under = (['hostile', 'benign'] as const).flatMap((form) => groups.map((only) => ({ form, only })))
  return [{ form: 'none' }, ...under.filter((variant) => chosenFor(variant, attacks).length > 0)]
}

/** Returns those of a trial's attacks that are laid over its story, or whose harmless versions are. */
function chosenFor({ form, only }: Variant, all: readonly PlannedAttack[]): PlannedAttack[] {
  if (form === 'none') return []
  const chosen = all.filter(({ name }) => only === undefined || name === only)
  return form === 'hostile' ? chosen : chosen.filter(({ benign }) => benign.length > 0)
}

function namesOf(attacks: readonly PlannedAttack[]): string[] {
  return attacks.map(({ name }) => name)
}

/** Returns what a trial shows about the attacks on it. One that asks to stop working is obeyed if the work was not done. */
function resultsOf({ run, simulator, attacks }: RecordedTrial): AttackResult[] {
  const { not_judged, verdicts } = run
  const isOpen = verdicts.some(({ index, passed }) => {
    return !passed && isWork(simulator.expectations[index] as Expectation)
  })
  const stopping = simulator.laidAttacks.flatMap(({ name, obeyed }) => (obeyed === 'failed' ? name : []))
  return simulator.masker.content(attacks).map((attack): AttackResult => {
    if (not_judged !== null || !isOpen || !stopping.includes(attack.name)) return attack
    const act = { done: true, text: 'its work was not done', request: null }
    return { ...attack, acts: [...attack.acts, act] }
  })
}
