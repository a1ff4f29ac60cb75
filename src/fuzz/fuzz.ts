import { availableParallelism } from 'node:os'
import type { ClientVariables } from '../processes/run-command.js'
import { formatCommand } from '../reports/index.js'
import { loadScenario } from '../scenario/index.js'
import { requestedLayers } from '../simulator/scenario-loader.js'
import { type ClockMode, formatInstant, type ReadingsLayer, speedOf, stopwatch } from '../world/index.js'
import { CommandClient, type ReplayStory } from './client.js'
import { describeElement, type PlanElement, type Vary, varyKinds } from './elements.js'
import { FuzzError } from './errors.js'
import type { PlayedStory } from './facts.js'
import { adviceOn, writeFinding } from './finding-file.js'
import { FuzzedScenario } from './fuzzed-scenario.js'
import { type Pool, poolOf } from './pool.js'
import { prepareJudging } from './preparation.js'
import type { FuzzReport, ReportedFinding } from './report.js'
import { type FlakyPlan, type FoundPlan, Search, type SearchResult, type SearchWatcher } from './search.js'

/** How a command is fuzzed. */
export interface FuzzOptions {
  readonly command: readonly string[]
  /** Plays a story to the command, as `replay` does. */
  readonly replay: ReplayStory
  /** A shipped name or a path; `support-desk` by default. */
  readonly scenario?: string | undefined
  /** The seed of the search; the scenario keeps its own. */
  readonly seed: number
  readonly runs: number
  /** Milliseconds of wall time after which no further plan is tried. */
  readonly time?: number | undefined
  readonly vary?: readonly Vary[] | undefined
  readonly shrinkRuns: number
  /** The folder that findings are written to. */
  readonly out: string
  readonly readings?: readonly ReadingsLayer[] | undefined
  readonly clock?: ClockMode | undefined
  readonly allowDeliveriesTo?: readonly string[] | undefined
  readonly allowFiles?: readonly string[] | undefined
  /** Further variables of the command's environment. */
  readonly variables?: ClientVariables | undefined
  /** Runs at a time; by default two for each processor, or one if the command receives deliveries. */
  readonly jobs?: number | undefined
  readonly watcher?: SearchWatcher | undefined
  readonly signal?: AbortSignal | undefined
  readonly kill?: AbortSignal | undefined
}

/** Milliseconds of wall time within which a client that ends by itself has to. */
const longestRun = 20_000

/**
 * Looks for small changes of a story under which a command fails, and writes each as a scenario of its own.
 * @throws ScenarioError, ReadingError, FuzzError
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const elapsed = stopwatch()
  const { command, replay, scenario: name = 'support-desk', seed, readings = [], clock = '10x' } = options
  const layers = requestedLayers(readings)
  const { allowFiles, allowDeliveriesTo, signal, kill, vary = varyKinds } = options
  const scenario = await FuzzedScenario.load(name, { readings: layers, allowFiles })
  const client = new CommandClient({
    ...{ replay, command, scenario: name, clock, allowDeliveriesTo, signal, kill },
    variables: options.variables,
  })
  const within = longestRun * (speedOf(clock) || 1)
  const about = {
    format: 'agent-mailbox-sim/fuzz-report',
    version: 1,
    command,
    scenario: scenario.initialState.scenario,
    seed,
    started_at: formatInstant(scenario.initialState.start),
  } as const
  const untried = (ended: Pick<FuzzReport, 'interrupted' | 'already_fails' | 'played'>): FuzzReport => ({
    ...about,
    ...ended,
    ...{ runs: 0, passed: false, findings: [], flaky: [] },
    coverage: coverageOf(undefined, undefined, scenario, seed),
    wall_ms: Math.round(elapsed()),
  })
  const prepared = await prepareJudging(scenario, client, within, vary).catch((error: unknown) => {
    if (error instanceof FuzzError && error.code === 'interrupted') return undefined
    throw error
  })
  if (!prepared) return untried({ interrupted: true, already_fails: null, played: client.played })
  const { base, facts, relied, played, problem } = prepared
  if (base.passed) refuseIfNothingAsked(base)
  if (!facts) return untried({ interrupted: false, already_fails: problem, played })
  const pool = poolOf({ document: scenario.document, initialState: scenario.initialState, base, relied })
  const receives = base.deliveries.some(({ attempts }) => attempts.some(({ response }) => response !== null))
  const { runs, time, shrinkRuns, watcher } = options
  const { jobs = receives ? 1 : 2 * availableParallelism() } = options
  const search = new Search({
    ...{ scenario, client, facts, pool, kinds: vary, seed, runs, time, shrinkRuns, jobs, watcher, signal },
  })
  const result = await search.run()
  const findings: ReportedFinding[] = []
  const flaky: FlakyPlan[] = [...result.flaky]
  for (const [index, found] of result.findings.entries()) {
    const reported = await report(found, index + 1)
    if (reported) findings.push(reported)
    else flaky.push(found)
  }
  return {
    ...about,
    runs: result.runs,
    passed: findings.length === 0 && !result.interrupted,
    interrupted: result.interrupted,
    already_fails: null,
    findings,
    flaky: flaky.map(({ elements, failure: { why } }) => {
      return { story: elements.map(describeElement), why, failures: 1, repeats: 2 }
    }),
    coverage: coverageOf(pool, result, scenario, seed),
    played: result.played + played,
    wall_ms: Math.round(elapsed()),
  }

  /** Writes a finding, and replays its file; undefined where that does not fail. */
  async function report(found: FoundPlan, number: number): Promise<ReportedFinding | undefined> {
    const { elements, failure, foundAfterRuns, shrinkRuns: shrunk } = found
    const advice = adviceOn(failure, elements)
    const words = formatCommand(command)
    const fileName = `${scenario.initialState.scenario}-${seed}-${number}`
    const how = { folder: options.out, name: fileName, seed, advice, command: words }
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
      shrink_runs: shrunk,
      steady,
      again: `agent-mailbox-sim replay ${file} -- ${words}`,
    }
  }

  /** Tells whether the file of a finding fails; null where that is interrupted. */
  async function failsByItself(file: string): Promise<boolean | null> {
    try {
      const story = await loadScenario(file, {})
      const played = await client.play(story, 100_000)
      return !played.passed || played.verdicts.some(({ passed }) => !passed)
    } catch (error) {
      if (error instanceof FuzzError && error.code === 'interrupted') return null
      throw error
    }
  }
}

function refuseIfNothingAsked({ requests }: PlayedStory): void {
  if (requests > 0) return
  throw new FuzzError(
    'nothing-asked',
    'Nothing could be judged: no request came to MAILBOX_BASE_URL. Does the command use MAILBOX_BASE_URL and ' +
      'MAILBOX_API_KEY?',
  )
}

function coverageOf(
  pool: Pool | undefined,
  result: SearchResult | undefined,
  { initialState }: FuzzedScenario,
  seed: number,
): FuzzReport['coverage'] {
  const met = new Set(result?.met.keys())
  const missed = [...(result?.missed.keys() ?? [])].filter((element) => !met.has(element))
  const kinds = Object.fromEntries(
    varyKinds.map((kind) => {
      const count = (elements: Iterable<PlanElement>) =>
        [...elements].filter(({ vary }) => vary === kind).length
      return [kind, { known: pool?.[kind].length ?? 0, met: count(met), vacuous: count(missed) }]
    }),
  )
  const faults: Record<string, number> = {}
  for (const [element, count] of result?.met ?? []) {
    if (element.vary !== 'faults') continue
    const { operation, status, times: _, retry_after: __, ...effect } = element.fault
    const name = `${operation} ${status ?? Object.keys(effect)[0]}`
    faults[name] = (faults[name] ?? 0) + count
  }
  const named = (elements: Iterable<PlanElement>): string[] => {
    const all = [...elements].flatMap((one) => (one.vary === 'readings' ? [`${one.gap}=${one.reading}`] : []))
    return [...new Set(all)].sort()
  }
  const tried = named([...met, ...missed])
  return {
    vacuous_runs: result?.vacuousRuns ?? 0,
    kinds,
    readings: { met: named(met), tried, never_met: named(missed) },
    faults,
    seeds: { search: seed, scenario: initialState.seed },
  }
}
