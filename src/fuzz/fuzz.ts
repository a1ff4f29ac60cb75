import { availableParallelism } from 'node:os'
import { RunError } from '../replay/errors.js'
import type { ReplayOptions } from '../replay/options.js'
import { formatCommand } from '../reports/index.js'
import { loadScenario } from '../scenario/index.js'
import { requestedLayers } from '../simulator/scenario-loader.js'
import { formatInstant, speedOf, stopwatch } from '../world/index.js'
import { CommandClient, type CommandClientOptions } from './client.js'
import { adviceOn, writeFinding } from './finding-file.js'
import { FuzzedScenario } from './fuzzed-scenario.js'
import { describeElement, type PlanElement, type Pool, poolOf, type Vary, varyKinds } from './kinds/index.js'
import { prepareJudging } from './preparation.js'
import type { FuzzReport, ReportedFinding } from './report.js'
import { type FoundPlan, Search, type SearchOptions, type SearchResult } from './search.js'

/** The options of a fuzzing run. */
export interface FuzzOptions
  extends CommandClientOptions,
    Pick<ReplayOptions, 'readings' | 'allowFiles'>,
    Pick<SearchOptions, 'runs' | 'time' | 'shrinkRuns' | 'watcher'> {
  /** A shipped name or a path; `support-desk` by default. */
  readonly scenario?: string | undefined
  /** The seed of the search; the scenario keeps its own. */
  readonly seed: number
  readonly vary?: readonly Vary[] | undefined
  /** Extensions besides those the scenario names. */
  readonly extend?: readonly string[] | undefined
  /** The folder that findings are written to. */
  readonly out: string
  /** The number of concurrent runs; by default two per processor, or one if the command receives deliveries. */
  readonly jobs?: number | undefined
}

/** How long a client that ends by itself may run, in milliseconds of wall time. */
const longestRun = 20_000

/**
 * Searches for small changes of a story under which a command fails, and writes each as a scenario.
 * @throws ScenarioError, ReadingError, RunError
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const elapsed = stopwatch()
  const { command, scenario: name = 'support-desk', seed, readings = [], clock = '10x', signal } = options
  const { allowDeliveriesTo, allowFiles, extend = [], variables, kill, vary = varyKinds } = options
  const layers = requestedLayers(readings)
  const scenario = await FuzzedScenario.load(name, { readings: layers, allowFiles, extend })
  const client = new CommandClient({
    ...{ command, scenario: name, clock, allowDeliveriesTo, variables, signal, kill },
  })
  const within = longestRun * (speedOf(clock) || 1)
  const prepared = await ifNotInterrupted(prepareJudging(scenario, client, within, vary))
  const { base, facts, relied, problem, played = client.played } = prepared ?? {}
  if (base?.passed) refuseIfNothingAsked(base.requests)
  if (!base || !facts) return report({ interrupted: !prepared, already_fails: problem ?? null, played })
  const pool = poolOf({ document: scenario.document, initialState: scenario.initialState, base, relied })
  const receives = base.deliveries.some(({ attempts }) => attempts.some(({ response }) => response !== null))
  const { jobs = receives ? 1 : 2 * availableParallelism() } = options
  const result = await new Search({ ...options, scenario, client, facts, pool, kinds: vary, jobs }).run()
  const findings: ReportedFinding[] = []
  const flaky = [...result.flaky]
  for (const [index, found] of result.findings.entries()) {
    const reported = await reportFinding(found, index + 1)
    if (reported) findings.push(reported)
    else flaky.push(found)
  }
  return report({
    runs: result.runs,
    passed: findings.length === 0 && !result.interrupted,
    interrupted: result.interrupted,
    already_fails: null,
    findings,
    flaky: flaky.map(({ elements, failure: { why } }) => {
      return { story: elements.map(describeElement), why, failures: 1, repeats: 2 }
    }),
    coverage: coverageOf(scenario, seed, pool, result),
    played: result.played + played,
  })

  function report(
    outcome: Pick<FuzzReport, 'interrupted' | 'already_fails' | 'played'> & Partial<FuzzReport>,
  ): FuzzReport {
    return {
      format: 'agent-mailbox-sim/fuzz-report',
      version: 1,
      command,
      scenario: scenario.initialState.scenario,
      seed,
      started_at: formatInstant(scenario.initialState.start),
      ...{ runs: 0, passed: false, findings: [], flaky: [] },
      coverage: coverageOf(scenario, seed),
      ...outcome,
      wall_ms: Math.round(elapsed()),
    }
  }

  /** Writes a finding and replays its file; returns undefined if the file does not fail. */
  async function reportFinding(found: FoundPlan, number: number): Promise<ReportedFinding | undefined> {
    const { elements, failure, foundAfterRuns, shrinkRuns } = found
    const advice = adviceOn(failure, elements)
    const words = [...extend.flatMap((file) => ['--extend', file]), '--', ...command]
    const fileName = `${scenario.initialState.scenario}-${seed}-${number}`
    const how = { folder: options.out, name: fileName, seed, advice, rest: formatCommand(words) }
    const file = await writeFinding(scenario, found, how)
    const steady = await failsByItself(file)
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
      again: `agent-mailbox-sim replay ${file} ${formatCommand(words)}`,
    }
  }

  /** Returns whether the file of a finding fails; null if the replay is interrupted. */
  async function failsByItself(file: string): Promise<boolean | null> {
    const again = await ifNotInterrupted(client.play(await loadScenario(file, { extend }), 100_000))
    return again ? !again.passed || again.verdicts.some(({ passed }) => !passed) : null
  }
}

async function ifNotInterrupted<Value>(value: Promise<Value>): Promise<Value | undefined> {
  return value.catch((error: unknown) => {
    if (error instanceof RunError && error.code === 'interrupted') return undefined
    throw error
  })
}

function refuseIfNothingAsked(requests: number): void {
  if (requests > 0) return
  throw new RunError(
    'nothing-asked',
    'Nothing could be judged: no request came to MAILBOX_BASE_URL. Does the command use MAILBOX_BASE_URL and ' +
      'MAILBOX_API_KEY?',
  )
}

function coverageOf(
  { initialState }: FuzzedScenario,
  seed: number,
  pool?: Pool,
  result?: SearchResult,
): FuzzReport['coverage'] {
  const met = result?.met ?? new Map<PlanElement, number>()
  const missed = [...(result?.missed.keys() ?? [])].filter((element) => !met.has(element))
  const kinds = Object.fromEntries(
    varyKinds.map((kind) => {
      const count = (elements: Iterable<PlanElement>) =>
        [...elements].filter(({ vary }) => vary === kind).length
      return [kind, { known: pool?.[kind].length ?? 0, met: count(met.keys()), vacuous: count(missed) }]
    }),
  )
  const faults: Record<string, number> = {}
  for (const [element, count] of met) {
    if (element.vary !== 'faults') continue
    const { operation, status, times: _, retry_after: __, ...effect } = element.fault
    const name = `${operation} ${status ?? Object.keys(effect)[0]}`
    faults[name] = (faults[name] ?? 0) + count
  }
  const named = (elements: Iterable<PlanElement>): string[] => {
    const all = [...elements].flatMap((one) => (one.vary === 'readings' ? [`${one.gap}=${one.reading}`] : []))
    return [...new Set(all)].sort()
  }
  return {
    vacuous_runs: result?.vacuousRuns ?? 0,
    kinds,
    readings: {
      met: named(met.keys()),
      tried: named([...met.keys(), ...missed]),
      never_met: named(missed),
    },
    faults,
    seeds: { search: seed, scenario: initialState.seed },
  }
}
