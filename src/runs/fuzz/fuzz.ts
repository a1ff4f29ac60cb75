import { parseStart, requestedLayers } from '../../doors/simulator/scenario-loader.js'
import { formatInstant } from '../../service/time/time.js'
import { stopwatch } from '../../service/time/wall-time.js'
import { invariants } from '../../story/expectations/invariants/invariants.js'
import { loadScenario } from '../../story/load.js'
import type { RepeatedPlayOptions } from '../agent/options.js'
import { RunError, refuseSilence } from '../errors.js'
import { jobsFor } from '../plans.js'
import type { Play } from '../play.js'
import { type ClientCommandLine, hideSecrets, repeatCommandLine } from '../reports/command-line.js'
import { hideSecretArguments, type RecordedRun, recordWorld } from '../reports/report.js'
import { FuzzedClient } from './client.js'
import type { PlayedStory } from './facts.js'
import { fileNameOf, writeFinding } from './finding-file.js'
import { FuzzedScenario } from './fuzzed-scenario.js'
import type { ClientFailure, ExpectationForms } from './judging.js'
import { adviceUnder, describeElement, type PlanElement, poolOf } from './kinds/kinds.js'
import { defaultKinds, type Vary } from './kinds/vary.js'
import { type Preparation, prepareJudging } from './preparation.js'
import { coverageOf, type FuzzReport, type ReportedFinding } from './report.js'
import { type FoundPlan, PlanSearch, type SearchOptions } from './search.js'

/** The options of a fuzzing run. */
export interface FuzzOptions
  extends RepeatedPlayOptions,
    Pick<SearchOptions, 'runs' | 'time' | 'shrinkRuns' | 'watcher'> {
  /** The seed of the search; the scenario keeps its own. */
  readonly seed: number
  readonly vary?: readonly Vary[] | undefined
  /** The folder that findings are written to. */
  readonly out: string
}

/** The result of a fuzzing run. */
export interface Fuzzed {
  readonly report: FuzzReport
  /** Records the most informative run: the replay of the first finding, or else the run without changes. */
  readonly recording: (() => RecordedRun) | undefined
}

/** Flags that only a search has; its seed is that of the plans. */
const searchFlags = ['--jobs', '--runs', '--seed', '--shrink-runs', '--time', '--vary']

/** How much story time a client that ends by itself may take, in milliseconds. */
const longestRun = 200_000

/**
 * Searches for small changes of a story under which a command fails, and writes each as a scenario.
 * @throws ScenarioError, WorldError, RunError
 */
export async function fuzz(options: FuzzOptions): Promise<Fuzzed> {
  const { scenario: name = 'support-desk', start, assume, extend = [] } = options
  const loading = { start: parseStart(start), assumptions: requestedLayers(assume), extend }
  return new Fuzzing(await FuzzedScenario.load(name, loading), options).run()
}

/** One search. */
class Fuzzing {
  readonly #options: FuzzOptions
  #scenario: FuzzedScenario
  readonly #client: FuzzedClient
  readonly #elapsed = stopwatch()
  /** The replay of the first finding. */
  #replay: Play | undefined

  constructor(scenario: FuzzedScenario, options: FuzzOptions) {
    const { command, variables, watcher: _, seed: __, ...playing } = options
    this.#options = options
    this.#scenario = scenario
    this.#client = new FuzzedClient({ command, variables }, playing)
  }

  async run(): Promise<Fuzzed> {
    const { vary: kinds = defaultKinds, seed } = this.#options
    const client = this.#client
    const prepared = await ifNotInterrupted(this.#prepare(kinds))
    const scenario = this.#scenario
    const { document, initialState: story } = scenario
    const { base, facts, relied, problem = null } = prepared ?? {}
    if (base?.passed) refuseSilence(base.requests > 0, client.first?.simulator.deliveries.list())
    if (!base || !facts) return this.#report({ interrupted: !prepared, already_fails: problem })
    const named = this.#options.vary
    const pool = poolOf({ document, initialState: story, base, relied, named, canRestart: true })
    const options = this.#options
    const jobs = jobsFor({ jobs: options.jobs, options, story, receives: client.first?.listens === true })
    const result = await new PlanSearch({ ...options, scenario, client, facts, pool, kinds, jobs }).run()
    const findings: ReportedFinding[] = []
    const flaky = [...result.flaky]
    for (const [index, found] of result.findings.entries()) {
      const reported = await this.#reportFinding(found, index + 1)
      if (reported?.steady) this.#replay ??= client.last
      if (reported) findings.push(reported)
      else flaky.push(found)
    }
    return this.#report({
      runs: result.runs,
      passed: findings.length === 0 && !result.interrupted,
      interrupted: result.interrupted,
      already_fails: null,
      findings,
      flaky: flaky.map(({ elements, failure: { why } }) => {
        return { story: elements.map(describeElement), why, failures: 1, repeats: 2 }
      }),
      limits: result.unreached.map(({ elements, what }) => {
        return { story: elements.map(describeElement), not_judged: [...what.values()] }
      }),
      not_judged: [...result.left].map(([name, why]) => {
        return { expectation: describeLeft(name, facts.expected, base.verdicts), why: [...why] }
      }),
      coverage: coverageOf(scenario, seed, pool, result),
    })
  }

  /** Plays the story undisturbed, again under another assumption if the client sends keys that have no effect. */
  async #prepare(kinds: readonly Vary[]): Promise<Preparation> {
    const prepared = await prepareJudging(this.#scenario, this.#client, longestRun, kinds)
    const keyed = prepared.facts?.base.sendsKeys ? await this.#scenario.honoringKeys() : undefined
    if (!keyed) return prepared
    this.#scenario = keyed
    return prepareJudging(keyed, this.#client, longestRun, kinds)
  }

  #report(outcome: Pick<FuzzReport, 'interrupted' | 'already_fails'> & Partial<FuzzReport>): Fuzzed {
    const { seed } = this.#options
    const { initialState: story } = this.#scenario
    const report: FuzzReport = {
      format: 'agent-mailbox-sim/fuzz-report',
      version: 1,
      command: this.#line.command,
      scenario: story.scenario,
      seed,
      started_at: formatInstant(story.start),
      ...{ runs: 0, passed: false, findings: [], flaky: [], limits: [], not_judged: [] },
      coverage: coverageOf(this.#scenario, seed),
      ...outcome,
      played: this.#client.played,
      again: outcome.already_fails === null ? null : this.#again(this.#options.scenario ?? 'support-desk'),
      wall_ms: Math.round(this.#elapsed()),
    }
    const recorded = this.#replay ?? this.#client.first
    const play = this.#replay ? 'of the first of these stories' : 'without any change'
    const recording = recorded && (() => ({ ...recordWorld(recorded.simulator, recorded.verdicts), play }))
    return { report, recording }
  }

  /** The command line, secrets masked once the command has run. */
  get #line(): ClientCommandLine {
    const { command, flags = [] } = this.#options
    const line = { name: 'replay', flags, command } as const
    const server = this.#client.first?.server
    return server ? hideSecrets(line, (words) => hideSecretArguments(words, server)) : line
  }

  /** Returns the command line that replays a story with the flags of this search. */
  #again(scenario: string, without: readonly string[] = []): string {
    return repeatCommandLine(this.#line, { scenario, without: [...searchFlags, ...without] })
  }

  /** Writes a finding and replays its file; returns undefined if the file does not fail. */
  async #reportFinding(found: FoundPlan, number: number): Promise<ReportedFinding | undefined> {
    const { elements, failure, foundAfterRuns, shrinkRuns } = found
    const { out: folder, seed } = this.#options
    const advice = adviceOn(failure, elements)
    // The file has the assumptions.
    const again = (file: string): string => this.#again(file, ['--assume', '--assume'])
    const name = `${fileNameOf(this.#scenario.initialState.scenario)}-${seed}-${number}`
    const how = { folder, name, seed, advice, again }
    const file = await writeFinding(this.#scenario, found, how)
    const steady = await this.#failsByItself(file)
    if (steady === false) return undefined
    return {
      file,
      elements,
      story: elements.map(describeElement),
      judged_by: failure.judgedBy,
      why: failure.why,
      advice,
      found_after_runs: foundAfterRuns,
      shrink_runs: shrinkRuns,
      steady,
      again: again(file),
    }
  }

  /** Returns whether the file of a finding fails; null if the replay is interrupted. */
  async #failsByItself(file: string): Promise<boolean | null> {
    const { start, extend } = this.#options
    const story = await loadScenario(file, { start: parseStart(start), extend })
    const again = await ifNotInterrupted(this.#client.play(story, 100_000))
    return again ? !again.passed || again.verdicts.some(({ passed }) => !passed) : null
  }
}

async function ifNotInterrupted<Value>(value: Promise<Value>): Promise<Value | undefined> {
  return value.catch((error: unknown) => {
    if (error instanceof RunError && error.code === 'interrupted') return undefined
    throw error
  })
}

/** Returns an expectation in words, by its name. */
function describeLeft(
  name: string,
  expected: readonly ExpectationForms[],
  verdicts: PlayedStory['verdicts'],
): string {
  const place = expected.findIndex((one) => one.name === name)
  return verdicts.find(({ index }) => index === place)?.describe ?? name
}

/** Returns advice about a failure under the elements of a plan, in a sentence. */
export function adviceOn({ judgedBy }: ClientFailure, elements: readonly PlanElement[]): string {
  const isRule = judgedBy !== 'command' && judgedBy !== 'expectation' && judgedBy !== 'outcome'
  return isRule ? invariants[judgedBy].advice : adviceUnder(elements)
}
