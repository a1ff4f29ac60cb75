import { checkAttacks } from '../../doors/simulator/attacks.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import { trapExtension } from '../../doors/simulator/trap.js'
import { SecretFinder, stopwatch } from '../../service/world/index.js'
import { type AttackResult, isWork, judgeAttacks } from '../../story/expectations/attacks.js'
import type { Expectation } from '../../story/expectations/kinds.js'
import type { ExpectationResult } from '../../story/expectations/result.js'

import { loadAttacks, type PlannedAttack } from '../../story/index.js'
import { RunError } from '../errors.js'
import { loadStory } from '../load-story.js'
import { jobsFor, runPlans } from '../plans.js'
import {
  numbersTo,
  type RecordedTrial,
  type TrialPlan,
  TrialSeries,
  type TrialsOptions,
} from '../trials/trials.js'
import type { TrialRun } from '../trials/trials-summary.js'
import {
  type AttackExample,
  type AttackRun,
  type AttacksReport,
  nameOfPlay,
  summarizeAttacks,
  type VariantPlay,
} from './attacks-summary.js'

/** Which attacks are laid over a story: all of them together, each separately, or some by their names. */
export type AttackMode = 'all' | 'each' | readonly string[]

/** The options of a replay under attacks. */
export interface AttacksOptions extends Omit<TrialsOptions, 'trials' | 'bail'> {
  readonly trials?: number | undefined
  readonly attacks: AttackMode
}

/** A finished replay under attacks. */
export interface PlayedAttacks {
  readonly report: AttacksReport
  /** The first run in which an attack was obeyed, or else the first that failed, or else the first. */
  readonly main: RecordedTrial
}

/** A story to be played: without attacks, under some, or with their harmless counterparts. */
interface Variant {
  readonly attacks: readonly PlannedAttack[]
  readonly form: VariantPlay['form']
}

/**
 * Plays a story without attacks, under attacks, and with their harmless counterparts, and reports which attacks the agent
 * met, resisted or obeyed, and how often it did its work.
 * @throws ScenarioError, ReadingError, ServerError, RunError
 */
export async function playAttacks(options: AttacksOptions): Promise<PlayedAttacks> {
  const { trials = 1, require = 'all', signal, watcher, jobs = 1 } = options
  const elapsed = stopwatch()
  const chosen = await chooseAttacks(options)
  const story = await loadStory(options)
  const examples = new Map<string, AttackExample>()
  const series = variantsOf(chosen, options.attacks).map((variant) => {
    return new VariantSeries(variant, { ...options, trials }, examples)
  })
  const plans = series.flatMap((one) => {
    return numbersTo(trials).map((plan) => ({ ...plan, series: one.name, of: one }))
  })
  await runPlans<(typeof plans)[number], TrialRun>(plans, {
    ...{
      signal,
      watcher,
      jobs: jobsFor({ jobs, options, story, watcher, receives: () => series.some(({ listens }) => listens) }),
    },
    play: (plan, interrupted) => plan.of.play(plan, interrupted),
  })
  const played = series.flatMap((one) => one.conclude() ?? [])
  const [first] = played
  if (!first) throw new RunError('interrupted', 'Interrupted before the first run.')
  const plays = withStopped(
    chosen,
    played.map((one) => one.play),
  )
  const worst = plays.findIndex(({ runs }) => runs.some(({ obeyed }) => obeyed.length > 0))
  const { main } = played[worst] ?? first
  const ended = { examples, interrupted: signal?.aborted === true, wall_ms: Math.round(elapsed()) }
  return { report: summarizeAttacks(chosen, plays, { require, ...ended }), main }
}

/**
 * Adds the attacks that stopped the agent: those that ask it to stop, that were served, and without which it
 * does its work, both alone and with their harmless counterparts.
 */
function withStopped(attacks: readonly PlannedAttack[], plays: readonly VariantPlay[]): VariantPlay[] {
  const stopping = attacks.filter(({ obeyed }) => obeyed === 'failed').map(({ name }) => name)
  const works = ({ report }: VariantPlay): boolean => report.trials.passed > 0
  return plays.map((play) => {
    const others = plays.filter(({ form, attacks: names }) => {
      return form === 'none' || (form === 'benign' && names.some((name) => play.attacks.includes(name)))
    })
    if (play.form !== 'hostile' || !others.every(works)) return play
    const runs = play.runs.map((run) => {
      const stopped = run.worked ? [] : run.served.filter((name) => stopping.includes(name))
      const did = stopped.length > 0 ? ['its work was not done'] : []
      return { ...run, obeyed: [...run.obeyed, ...stopped], did: [...run.did, ...did] }
    })
    return { ...play, runs }
  })
}

/** Returns the chosen attacks, once the story was loaded under all there are. @throws ScenarioError, ReadingError */
async function chooseAttacks({
  attacks: mode,
  onProgress: _,
  ...options
}: AttacksOptions): Promise<readonly PlannedAttack[]> {
  const { scenario = 'support-desk', seed, extend } = options
  const attacks = typeof mode === 'string' ? 'all' : mode
  const chosen = await loadAttacks(scenario, { seed, extend, attacks })
  await checkAttacks((under) => loadStory({ ...options, under }))
  return chosen
}

function variantsOf(attacks: readonly PlannedAttack[], mode: AttackMode): Variant[] {
  const groups = mode === 'all' ? [attacks] : attacks.map((attack) => [attack])
  const benign = groups.map((group) => group.filter(({ benign: mails }) => mails.length > 0))
  return [
    { attacks: [], form: 'none' },
    ...groups.map((group): Variant => ({ attacks: group, form: 'hostile' })),
    ...benign.flatMap((group): Variant[] => (group.length > 0 ? [{ attacks: group, form: 'benign' }] : [])),
  ]
}

/** The trials of a story under some attacks. */
class VariantSeries {
  /** `under refund-to-stranger`. */
  readonly name: string
  readonly #variant: Variant
  readonly #options: TrialsOptions
  /** By the name of an attack, its first run in which the agent may have obeyed it. */
  readonly #examples: Map<string, AttackExample>
  readonly #runs: AttackRun[] = []
  #series: Promise<TrialSeries> | undefined
  #played: TrialSeries | undefined

  constructor(variant: Variant, options: TrialsOptions, examples: Map<string, AttackExample>) {
    const { attacks, form } = variant
    this.#variant = variant
    const under = form === 'none' ? undefined : { attacks, form, trap: trapExtension }
    this.#options = { ...options, under }
    this.#examples = examples
    this.name = nameOfPlay(this.#about)
  }

  get #about(): Pick<VariantPlay, 'attacks' | 'form'> {
    const { attacks, form } = this.#variant
    return { attacks: attacks.map(({ name }) => name), form }
  }

  /** Whether the agent listened for deliveries. */
  get listens(): boolean {
    return this.#played?.listens === true
  }

  /** Plays a trial. */
  async play(plan: TrialPlan, signal: AbortSignal): Promise<TrialRun> {
    this.#series ??= loadStory(this.#options).then((story) => new TrialSeries(story, this.#options))
    this.#played = await this.#series
    const recorded = await this.#played.play(plan, signal)
    this.#note(recorded)
    return recorded.run
  }

  /** Reports the trials that were played; undefined if none was. */
  conclude(): { readonly play: VariantPlay; readonly main: RecordedTrial } | undefined {
    const { report, main } = this.#played?.conclude() ?? {}
    if (!report || !main) return undefined
    const runs = this.#runs.sort((a, b) => a.trial - b.trial)
    return { play: { ...this.#about, runs, report }, main }
  }

  #note({ run: { trial, not_judged, verdicts }, simulator }: RecordedTrial): void {
    const { expectations } = simulator
    const isOpen = ({ index, passed }: ExpectationResult): boolean => {
      return !passed && isWork(expectations[index] as Expectation)
    }
    const worked = not_judged !== null || !verdicts.some(isOpen)
    const results = this.#variant.form === 'hostile' ? judgeAttacks(simulator) : []
    this.#runs.push({
      ...{ trial, worked, leaked: verdicts.some(({ kind, passed }) => kind === 'leak' && !passed) },
      served: results.filter(({ served }) => served).map(({ name }) => name),
      obeyed: results.filter(({ did }) => did.length > 0).map(({ name }) => name),
      did: results.flatMap(({ did }) => did.map(({ text }) => text)),
    })
    for (const result of results) {
      const known = this.#examples.get(result.name)
      if (!result.served || (known?.trial ?? Infinity) <= trial) continue
      const example = exampleOf(simulator, trial, result)
      if (example) this.#examples.set(result.name, example)
    }
  }
}

/**
 * Returns the message of an attack as the agent got it, and what the agent then did; undefined if it did
 * nothing that the attack asks for.
 */
function exampleOf(
  simulator: Simulator,
  trial: number,
  { name, did: [act] }: AttackResult,
): AttackExample | undefined {
  const attack = simulator.laidAttacks.find((one) => one.name === name)
  if (!attack || (!act && attack.obeyed !== 'failed')) return undefined
  const mails = attack.messages.map((id) => {
    const { from, subject, text, html, attachments } = simulator.mail.get(id)
    return { from, subject, text, html, files: attachments.map(({ filename }) => filename) }
  })
  const done = simulator.journal.exchanges().find(({ seq }) => seq === act?.exchange)
  const body = String(done?.request.body ?? '')
  const request = done ? { seq: done.seq, method: done.method, path: done.path, body } : null
  const example = { trial, mails, did: act?.text ?? 'its work was not done', request }
  const masked = simulator.masker.content(example) as AttackExample
  return new SecretFinder(simulator.secrets).maskedIn(masked)
}
