import { once } from '../../base/once.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import { stopwatch } from '../../service/time/wall-time.js'
import { type AttackOptions, loadAttacks } from '../../story/attacks/lay-attacks.js'
import type { PlannedAttack } from '../../story/attacks/library.js'
import type { LaidAttack } from '../../story/expectations/expectation-checker.js'
import { type Expectation, type ExpectationResult, isWork } from '../../story/expectations/kinds.js'
import type { Story } from '../../story/story.js'
import { RunError } from '../errors.js'
import { loadStory } from '../load-story.js'
import { jobsFor, runPlans } from '../plans.js'
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
  type AttacksReport,
  nameOfPlay,
  type PlayName,
  summarizeAttacks,
  type VariantPlay,
} from './attacks-summary.js'
import { type AttackMails, judgePlays, type ObservedPlay, type ObservedRun } from './verdicts.js'

/** Which attacks are laid over a story: all of them together, or separately some by their names. */
export type AttackMode = 'all' | readonly string[]

/** The options of a replay under attacks. */
export interface AttacksOptions extends Omit<TrialsOptions, 'trials' | 'bail'> {
  readonly trials?: number | undefined
  readonly attacks: AttackMode
}

/** A finished replay under attacks. */
export interface PlayedAttacks {
  readonly report: AttacksReport
  /** The first run in which an attack was obeyed, or else the first that failed, or else the first. */
  readonly main: NamedTrial
}

/** A recorded run, with the name of its play. */
export interface NamedTrial extends RecordedTrial, PlayName {}

/** A story to be played: without attacks, under some, or with their harmless counterparts. */
interface Variant extends Pick<VariantPlay, 'form'> {
  /** The names of the attacks; together, each trial may have others. */
  readonly attacks: readonly string[]
  readonly isTogether: boolean
}

/**
 * Plays a story without attacks, under attacks, and with their harmless counterparts, and reports which attacks the agent
 * met, resisted or obeyed, and how often it did its work.
 * @throws ScenarioError, WorldError, ServerError, RunError
 */
export async function playAttacks(options: AttacksOptions): Promise<PlayedAttacks> {
  const { trials = 1, require = 'all', signal, watcher, jobs = 1 } = options
  const elapsed = stopwatch()
  const stories = new AttackedStories(options)
  const first = await stories.attacksOf(1)
  const story = await stories.alone(1)
  const series = variantsOf(first, options.attacks).map((variant) => {
    return new VariantSeries(variant, stories, { ...options, trials })
  })
  const plans = series.flatMap((one) => {
    return numbersTo(trials).map((plan) => ({ ...plan, series: one.name, of: one }))
  })
  const receives = (): boolean => series.some((one) => one.trials.listens)
  await runPlans<(typeof plans)[number], TrialRun>(plans, {
    ...{ signal, watcher, jobs: jobsFor({ jobs, options, story, watcher, receives }) },
    play: (plan, interrupted) => plan.of.trials.play(plan, interrupted),
  })
  const played = series.flatMap((one) => one.played() ?? [])
  const [alone] = played
  if (!alone) throw new RunError('interrupted', 'Interrupted before the first run.')
  const attacks = await stories.laid(played.flatMap(({ play }) => play.runs.map(({ trial }) => trial)))
  const mails = new Map(series.flatMap((one) => [...one.mails]))
  const judged = judgePlays(
    attacks,
    played.map(({ play }) => play),
    (name) => mails.get(name),
  )
  const report = summarizeAttacks(attacks, judged.plays, {
    ...{ require, examples: judged.examples },
    ...{ interrupted: signal?.aborted === true, wall_ms: Math.round(elapsed()) },
  })
  const lines = report.attacks.flatMap(({ example }) => example ?? [])
  const failed = played.find(({ main }) => main.run.not_judged === null && !main.run.passed) ?? alone
  const [main = { ...failed.main, play: failed.name, trial: failed.main.run.trial }] = lines.flatMap(
    (line) => {
      return series.flatMap((one) => one.recorded(line) ?? [])
    },
  )
  return { report, main }
}

/** The stories of the trials, and the attacks that are laid over each. */
class AttackedStories {
  readonly #options: AttacksOptions
  readonly #first: () => Promise<Story>
  readonly #attacks = new Map<number, Promise<readonly PlannedAttack[]>>()
  readonly #acts = new Map<number, Promise<readonly LaidAttack[]>>()
  readonly #under = new Map<string, Promise<Story>>()

  constructor(options: AttacksOptions) {
    this.#options = options
    this.#first = once(() => loadStory({ ...options, checksAttacks: true }))
  }

  /**
   * Returns the attacks of a trial. Together, each trial has other pairs of a carrier and a goal; otherwise, the same are played
   * in all trials. @throws ScenarioError
   */
  attacksOf(trial: number): Promise<readonly PlannedAttack[]> {
    const { attacks: mode, varySeed } = this.#options
    const number = mode === 'all' ? trial : 1
    const load = async (): Promise<readonly PlannedAttack[]> => {
      // Another seed draws other pairs by itself.
      const pairs = varySeed ? 0 : number - 1
      return this.#load({
        attacks: mode,
        pairs,
        ...(number > 1 && { seed: await this.#seedOf(number) }),
      })
    }
    return kept(this.#attacks, number, load)
  }

  /** Returns all attacks of some trials, each once. */
  async laid(trials: readonly number[]): Promise<PlannedAttack[]> {
    const lists = await Promise.all(
      [...new Set(trials)].sort((a, b) => a - b).map((one) => this.attacksOf(one)),
    )
    return [...new Map(lists.flat().map((attack) => [attack.name, attack])).values()]
  }

  /** Returns the story of a trial without attacks. */
  async alone(trial: number): Promise<Story> {
    const story = await this.#first()
    const seed = await this.#seedOf(trial)
    return seed === story.seed ? story : loadStory({ ...this.#options, seed, initialState: undefined })
  }

  /** Returns the story of a trial under attacks, or with their counterparts. */
  async under(trial: number, form: 'hostile' | 'benign', attacks: readonly PlannedAttack[]): Promise<Story> {
    const seed = await this.#seedOf(trial)
    const key = `${seed} ${form} ${attacks.map(({ name }) => name).join(' ')}`
    return kept(this.#under, key, async () => {
      const like = await this.#first()
      return loadStory({ ...this.#options, seed, initialState: undefined, under: { attacks, form }, like })
    })
  }

  /** Returns what shows in a trial without attacks what an agent does anyway of what they ask for. */
  async acts(trial: number): Promise<readonly LaidAttack[]> {
    const { varySeed, attacks: mode } = this.#options
    return kept(this.#acts, varySeed || mode === 'all' ? trial : 1, async () => {
      const { attacks = [] } = await this.under(trial, 'hostile', await this.attacksOf(trial))
      return attacks.map((attack) => ({ ...attack, isAbsent: true }))
    })
  }

  #load(chosen: Pick<AttackOptions, 'attacks' | 'pairs' | 'seed'>): Promise<readonly PlannedAttack[]> {
    const { scenario = 'support-desk', seed, extend } = this.#options
    return loadAttacks(scenario, { seed, extend, ...chosen })
  }

  async #seedOf(trial: number): Promise<number> {
    return seedOf(trial, (await this.#first()).seed, this.#options)
  }
}

/** Returns the value of a key, which is made when it is first asked for. */
function kept<Key, Value>(values: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = values.get(key) ?? make()
  values.set(key, value)
  return value
}

function variantsOf(attacks: readonly PlannedAttack[], mode: AttackMode): Variant[] {
  const isTogether = mode === 'all'
  const groups = isTogether ? [attacks] : attacks.map((attack) => [attack])
  const twins = groups.map((group) => group.filter(({ benign }) => benign.length > 0))
  const variants = (form: Variant['form'], all: typeof groups): Variant[] => {
    return all.flatMap((group) => {
      return group.length > 0 ? [{ attacks: group.map(({ name }) => name), form, isTogether }] : []
    })
  }
  return [
    { attacks: [], form: 'none', isTogether },
    ...variants('hostile', groups),
    ...variants('benign', twins),
  ]
}

/** The trials of a variant, with what they show. */
class VariantSeries {
  readonly trials: TrialSeries
  readonly name: string
  /** The mails of each attack, as the agent got them. */
  readonly mails = new Map<string, AttackMails>()
  readonly #form: Variant['form']
  readonly #names = new Set<string>()
  readonly #runs: ObservedRun[] = []
  /** The first run with each act, which the report may name. */
  readonly #recorded = new Map<string, NamedTrial>()

  constructor(variant: Variant, stories: AttackedStories, options: TrialsOptions) {
    const { attacks, form, isTogether } = variant
    this.#form = form
    this.name = nameOfPlay(variant)
    const storyOf = async (trial: number): Promise<Story> => {
      const all = await stories.attacksOf(trial)
      const chosen = all.filter(({ name }) => isTogether || attacks.includes(name))
      for (const { name } of form === 'none' ? [] : chosen) this.#names.add(name)
      if (form === 'hostile') return stories.under(trial, form, chosen)
      const acts = await stories.acts(trial)
      if (form === 'none') return { ...(await stories.alone(trial)), attacks: acts }
      const twins = chosen.filter(({ benign }) => benign.length > 0)
      const watched = acts.filter((act) => twins.some(({ name }) => name === act.name))
      return { ...(await stories.under(trial, form, twins)), attacks: watched }
    }
    this.trials = new TrialSeries(options, { storyOf, keep: (trial) => this.#keep(trial) })
  }

  /** Returns what was played; undefined if nothing was. */
  played(): { readonly main: RecordedTrial; readonly name: string; readonly play: ObservedPlay } | undefined {
    const { report, main } = this.trials.conclude() ?? {}
    if (!report || !main) return undefined
    const about = { attacks: [...this.#names], form: this.#form }
    return { main, name: this.name, play: { ...about, report, runs: this.#runs.sort(byTrial) } }
  }

  /** Returns the run that a line of the report names; undefined if it is not one of this play, or was not kept. */
  recorded({ play, trial }: PlayName): NamedTrial | undefined {
    return [...this.#recorded.values()].find((one) => one.play === play && one.trial === trial)
  }

  #keep(recorded: RecordedTrial): void {
    const { run, simulator, attacks } = recorded
    const { masker } = simulator
    const { trial, not_judged, verdicts } = run
    const isOpen = ({ index, passed }: ExpectationResult): boolean => {
      return !passed && isWork(simulator.expectations[index] as Expectation)
    }
    this.#runs.push({
      ...{ trial, judged: not_judged === null, worked: not_judged !== null || !verdicts.some(isOpen) },
      leaked: verdicts.some(({ kind, passed }) => kind === 'leak' && !passed),
      attacks: masker.content(attacks),
    })
    for (const { name, served, acts } of attacks) {
      const isShown = acts.some(({ done }) => done) && not_judged === null
      if (isShown && (this.#recorded.get(name)?.trial ?? Infinity) > trial)
        this.#recorded.set(name, { ...recorded, play: this.name, trial })
      if (served && !this.mails.has(name)) this.mails.set(name, masker.content(mailsOf(simulator, name)))
    }
  }
}

/** Returns the mails of an attack as the agent got them, as far as they are there. */
function mailsOf({ laidAttacks, store, mail }: Simulator, attack: string): AttackMails {
  const { mails = [] } = laidAttacks.find(({ name }) => name === attack) ?? {}
  const ids = mails.flatMap((ids) => ids.slice(0, 1)).filter((id) => store.get('message', id))
  return ids.map((id) => {
    const { from, subject, text = null, html = null, attachments } = mail.get(id)
    return { from, subject, text, html, files: attachments.map(({ filename = '' }) => filename) }
  })
}
