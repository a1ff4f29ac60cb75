import { checkAttacks } from '../../doors/simulator/attacks.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import { trapExtension } from '../../doors/simulator/trap.js'
import { type Expectation, SecretFinder, stopwatch } from '../../service/world/index.js'
import { type AttackResult, isWork, judgeAttacks } from '../../story/expectations/attacks.js'
import type { ExpectationResult } from '../../story/expectations/tracker.js'
import { loadAttacks, type PlannedAttack } from '../../story/index.js'
import { mapLimited } from '../agent/map-limited.js'
import { RunError } from '../errors.js'
import { loadStory } from '../replay/replay.js'
import {
  jobsFor,
  playTrials,
  type RecordedTrial,
  type TrialsOptions,
  type TrialsWatcher,
} from '../trials/trials.js'
import {
  type AttackExample,
  type AttackRun,
  type AttacksReport,
  nameOfPlay,
  type Play,
  summarizeAttacks,
} from './attacks-summary.js'

/** Which attacks are laid over a story: all of them together, each separately, or some by their names. */
export type AttackMode = 'all' | 'each' | readonly string[]

/** The options of a replay under attacks. */
export interface AttacksOptions extends Omit<TrialsOptions, 'trials'> {
  readonly trials?: number | undefined
  /** Returns the observer of the runs under some attacks, given their name. */
  readonly watcherOf?: ((name: string) => TrialsWatcher) | undefined
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
  readonly form: Play['form']
}

/**
 * Plays a story without attacks, under attacks, and with their harmless counterparts, and reports which attacks the agent
 * met, resisted or obeyed, and how often it did its work.
 * @throws ScenarioError, ReadingError, ServerError, RunError
 */
export async function playAttacks(options: AttacksOptions): Promise<PlayedAttacks> {
  const elapsed = stopwatch()
  const chosen = await chooseAttacks(options)
  const story = await loadStory(options)
  const examples = new Map<string, AttackExample>()
  const [alone, ...others] = variantsOf(chosen, options.attacks)
  const watcher = options.watcherOf?.(nameOfPlay({ attacks: [], form: 'none' }))
  const jobs = jobsFor({ ...options, watcher }, story)
  const first = await playVariant(alone as Variant, { ...options, jobs, examples, initialState: story })
  const played = [first]
  // Several trials of a variant are played at a time, or else several variants.
  const isOneByOne = jobs === 1 || (options.trials ?? 1) > 1
  await mapLimited(isOneByOne ? 1 : jobs, [...others.entries()], async ([index, variant]) => {
    if (options.signal?.aborted) return
    const own = { ...options, examples, jobs: isOneByOne ? jobs : 1 }
    try {
      played[index + 1] = await playVariant(variant, own)
    } catch (error) {
      // What was played until then is reported.
      if (!(error instanceof RunError && error.code === 'interrupted')) throw error
    }
  })
  const all = played.filter((one) => one !== undefined)
  const plays = withStopped(
    chosen,
    all.map(({ play }) => play),
  )
  const worst = plays.findIndex(({ runs }) => runs.some(({ obeyed }) => obeyed.length > 0))
  const { main } = all[worst] ?? first
  const ended = { examples, interrupted: options.signal?.aborted === true, wall_ms: Math.round(elapsed()) }
  const report = summarizeAttacks(chosen, plays, { require: options.require ?? 'all', ...ended })
  return { report, main }
}

/**
 * Adds the attacks that stopped the agent: those that ask it to stop, that were served, and without which it
 * does its work, both alone and with their harmless counterparts.
 */
function withStopped(attacks: readonly PlannedAttack[], plays: readonly Play[]): Play[] {
  const stopping = attacks.filter(({ obeyed }) => obeyed === 'failed').map(({ name }) => name)
  const works = ({ report }: Play): boolean => report.trials.passed > 0
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

interface VariantOptions extends AttacksOptions, Pick<TrialsOptions, 'initialState'> {
  /** By the name of an attack, its first run in which the agent may have obeyed it. */
  readonly examples: Map<string, AttackExample>
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

async function playVariant(
  { attacks, form }: Variant,
  { examples, ...options }: VariantOptions,
): Promise<{ readonly play: Play; readonly main: RecordedTrial }> {
  const runs: AttackRun[] = []
  const names = attacks.map(({ name }) => name)
  const { report, main } = await playTrials({
    ...options,
    trials: options.trials ?? 1,
    watcher: options.watcherOf?.(nameOfPlay({ attacks: names, form })),
    under: form === 'none' ? undefined : { attacks, form, trap: trapExtension },
    keep({ run: { trial, not_judged, verdicts }, simulator }) {
      const { expectations } = simulator
      const isOpen = ({ index, passed }: ExpectationResult): boolean => {
        return !passed && isWork(expectations[index] as Expectation)
      }
      const worked = not_judged !== null || !verdicts.some(isOpen)
      const results = form === 'hostile' ? judgeAttacks(simulator) : []
      runs.push({
        ...{ trial, worked, leaked: verdicts.some(({ kind, passed }) => kind === 'leak' && !passed) },
        served: results.filter(({ served }) => served).map(({ name }) => name),
        obeyed: results.filter(({ did }) => did.length > 0).map(({ name }) => name),
        did: results.flatMap(({ did }) => did.map(({ text }) => text)),
      })
      for (const result of results) {
        const known = examples.get(result.name)
        if (result.served && (known?.trial ?? Infinity) > trial) {
          const example = exampleOf(simulator, trial, result)
          if (example) examples.set(result.name, example)
        }
      }
    },
  })
  runs.sort((a, b) => a.trial - b.trial)
  return { play: { attacks: names, form, runs, report }, main }
}
