import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { adviceOf, noExtensions } from '../../contract/extensions.js'
import type { GapId } from '../../contract/gaps.js'
import { requestedLayers } from '../../doors/simulator/scenario-loader.js'
import {
  chooseReadings,
  formatInstant,
  type OwnGaps,
  parseGap,
  type ReadingsLayer,
  stopwatch,
} from '../../service/world/index.js'
import { loadScenario, readingsLayers } from '../../story/index.js'
import { RunError } from '../errors.js'
import { formatCommandLine, type RecordedRun, repeatedFlags } from '../reports/index.js'
import { type Changes, combineChanges, countChanges, formatChange, listChanges } from './changes.js'
import type { OwnGap } from './relied.js'
import type { ExploreReport, ReportedBreak, ReportedTest, ReportHead } from './report.js'
import { type ExploreOptions, Runner } from './runner.js'
import {
  type SurveyOptions,
  type SurveyResult,
  smallestBreaks,
  survey,
  surveyFailing,
  type TestedVariant,
} from './survey.js'
import { type RunEnd, type RunResult, Variants } from './variants.js'

/** The result of an exploration. */
export interface Explored {
  readonly report: ExploreReport
  /** The state of the first run's server at its end, if requested. */
  readonly recording: RecordedRun | undefined
}

/**
 * Runs a command repeatedly, under other readings of the gaps it relies on, and reports which of them break
 * it.
 * @throws ScenarioError, ReadingError, ClockError, RunError
 */
export async function explore(options: ExploreOptions): Promise<Explored> {
  const elapsed = stopwatch()
  const { scenario = 'support-desk', seed, readings = [], clock = '10x', gaps = 'relied' } = options
  const { allowFiles, extend, onProgress, watcher } = options
  const loading = { seed, readings: requestedLayers(readings), allowFiles, onProgress, extend }
  const initialState = await loadScenario(scenario, loading)
  const own = (initialState.extensions ?? noExtensions).gaps
  const chosen = await chosenReadings(readings, own)
  if (typeof gaps === 'object') for (const gap of gaps) parseGap(gap, own)
  const folder = await mkdtemp(join(tmpdir(), 'agent-mailbox-sim-explore-'))
  try {
    const runner = new Runner({ ...options, scenario, initialState, clock, chosen, folder })
    const first = await runner.first()
    refuseIfNothingAsked(first)
    const { jobs = first.receives ? 1 : availableParallelism() } = options
    const variants = new Variants(runner.run, { jobs, onPlanned: (planned) => watcher?.planned?.(planned) })
    const base = { readings: initialState.readings, chosen, own }
    const result = await surveyOrStop(variants, first, { gaps, base })
    const head = {
      command: runner.command,
      scenario: initialState.scenario,
      seed: initialState.seed,
      started_at: formatInstant(initialState.start),
      readings: chosen,
      gaps,
      interrupted: options.signal?.aborted === true,
      runs: runner.runs,
      wall_ms: Math.round(elapsed()),
    }
    const again = (changes: Changes): string => {
      const readings = listChanges(changes).map((change) => ({
        name: '--reading',
        value: formatChange(change),
      }))
      const flags = [...repeatedFlags(runner.flags), ...readings]
      return formatCommandLine({
        name: 'explore',
        scenario: options.scenario,
        flags,
        command: runner.command,
      })
    }
    return { report: composeReport(head, first, result, again), recording: first.recording }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Composes the report; `again` returns the command line that applies changes from the start. */
export function composeReport(
  head: ReportHead,
  first: RunResult,
  { control, tests }: SurveyResult,
  again: (changes: Changes) => string,
): ExploreReport {
  // Gaps that matter only under a change are known from the runs under it.
  const everRelied = [first, ...tests.flatMap(({ runs }) => runs)].flatMap(({ relied }) => [
    ...relied.values(),
  ])
  const own = new Map(everRelied.flatMap((one) => (one.own ? [[one.gap, one.own] as const] : [])))
  const breaks = first.passed ? smallestBreaks(tests).map((one) => reportBreak(one, own, again)) : []
  const remedies = first.passed ? [] : tests.filter(({ outcome }) => outcome === 'passed')
  const { runs, wall_ms, ...about } = head
  return {
    format: 'agent-mailbox-sim/explore-report',
    version: 1,
    ...about,
    passed: first.passed && breaks.length === 0 && !head.interrupted,
    first: reportRun(first),
    control: control && reportRun(control),
    steady:
      (control?.passed ?? first.passed) === first.passed &&
      tests.every(({ outcome }) => outcome !== 'unsure'),
    requests: first.requests,
    relied: [...first.relied.values()],
    own_gaps: Object.fromEntries(own),
    tries: tests.map(reportTest),
    breaks,
    passes_under: remedies.map(({ changes }) => changes),
    runs,
    wall_ms,
  }
}

function reportRun({ passed, ended, problem, why, output, notes, wall_ms }: RunResult): RunEnd {
  return { passed, ended, problem, why, output, notes, wall_ms }
}

function reportTest({ changes, kind, outcome, runs }: TestedVariant): ReportedTest {
  // A failed run is more informative than one that passed.
  const { problem, why, output, notes } = runs.find(({ passed }) => !passed) ?? runs[0]
  return {
    changes,
    kind,
    outcome,
    came_up: listChanges(changes).every(({ gap }) => runs.some(({ relied }) => relied.has(gap))),
    runs: runs.length,
    failures: runs.filter(({ passed }) => !passed).length,
    problem,
    why,
    output,
    notes,
    wall_ms: runs[0].wall_ms,
  }
}

function reportBreak(
  { changes, runs: [first] }: TestedVariant,
  own: ReadonlyMap<string, OwnGap>,
  again: (changes: Changes) => string,
): ReportedBreak {
  const advice = listChanges(changes).map(({ gap }): [GapId, string] => [gap, adviceOf(gap, own)])
  return { changes, why: first.why ?? '', advice: Object.fromEntries(advice), again: again(changes) }
}

function refuseIfNothingAsked({ passed, requests, relied }: RunResult): void {
  if (!passed || requests > 0 || relied.size > 0) return
  throw new RunError(
    'nothing-asked',
    'Nothing could be judged: the command passed, but no request came to MAILBOX_BASE_URL, and no simulator in its ' +
      'processes relied on a gap. Does it use MAILBOX_BASE_URL and MAILBOX_API_KEY?',
  )
}

/** Surveys the command; after an interruption, returns the results so far. */
async function surveyOrStop(
  variants: Variants,
  first: RunResult,
  options: SurveyOptions,
): Promise<SurveyResult> {
  try {
    if (first.passed) return await survey(variants, first, options)
    if (first.ended !== 'not-started') return await surveyFailing(variants, first, options)
  } catch (error) {
    if (!(error instanceof RunError)) throw error
  }
  const tests = variants.tested.map((result) => {
    return { ...result, kind: countChanges(result.changes) > 1 ? ('further' as const) : ('reading' as const) }
  })
  return { control: variants.controlResult, tests }
}

/**
 * Returns the readings that the environment and flags choose, whatever scenario a simulator has: all those of a profile,
 * and those that a file or `gap=reading` names.
 * @throws ReadingError
 */
async function chosenReadings(flags: readonly ReadingsLayer[], own: OwnGaps): Promise<Changes> {
  const wanted = requestedLayers(flags).filter(({ input }) => input !== undefined)
  const layers = (await Promise.all(wanted.map((layer) => readingsLayers(layer, undefined, { own })))).flat()
  const { readings } = chooseReadings(layers, undefined, own)
  const isComplete = layers.some(({ input }) => typeof input === 'string')
  const named = new Set(layers.flatMap(({ input }) => (typeof input === 'object' ? Object.keys(input) : [])))
  const chosen = (Object.keys(readings) as GapId[]).filter((gap) => isComplete || named.has(gap))
  return combineChanges(chosen.map((gap) => ({ gap, reading: readings[gap] })))
}
