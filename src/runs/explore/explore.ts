import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adviceOf, noExtensions } from '../../contract/extensions.js'
import type { GapId } from '../../contract/gaps.js'
import { requestedLayers } from '../../doors/simulator/scenario-loader.js'
import {
  type AssumptionsLayer,
  chooseAssumptions,
  type OwnGaps,
  parseGap,
} from '../../service/assumptions/assumptions.js'
import { formatInstant } from '../../service/time/time.js'
import { stopwatch } from '../../service/time/wall-time.js'
import { assumptionsLayers } from '../../story/read/assumptions.js'
import type { RepeatedPlayOptions } from '../agent/options.js'
import { refuseSilence } from '../errors.js'
import { loadStory, type StoryOptions } from '../load-story.js'
import { jobsFor, type PlansWatcher } from '../plans.js'
import { repeatCommandLine } from '../reports/command-line.js'
import type { RecordedRun } from '../reports/report.js'
import { type Changes, combineChanges, formatChange, listChanges } from './changes.js'
import type { OwnGap } from './relied.js'
import type { ExploreReport, ReportedBreak, ReportedTest, ReportHead } from './report.js'
import { Runner } from './runner.js'
import {
  type SurveyResult,
  smallestBreaks,
  survey,
  surveyFailing,
  type TestedVariant,
  type WantedGaps,
} from './survey.js'
import { type RunEnd, type RunResult, Variants } from './variants.js'

/** The options of an exploration. */
export interface ExploreOptions
  extends Omit<RepeatedPlayOptions, 'assume'>,
    Pick<StoryOptions, 'onProgress'> {
  /** Assumptions for all runs; they override the environment's and the scenario's. */
  readonly assume?: readonly AssumptionsLayer[] | undefined
  /** `relied` by default. */
  readonly gaps?: WantedGaps | undefined
  readonly watcher?: PlansWatcher<Changes, RunResult> | undefined
  /** Whether the first run is recorded, for a report in HTML. */
  readonly recorded?: boolean | undefined
}

/** The flags that `replay` does not have. */
const ownFlags = ['--gaps', '--jobs', '--time-limit']

/** The result of an exploration. */
export interface Explored {
  readonly report: ExploreReport
  /** The state of the first run's server at its end, if requested. */
  readonly recording: RecordedRun | undefined
}

/**
 * Runs a command repeatedly, under other assumptions of the gaps it relies on, and reports which of them break
 * it. By default, the first run may take five minutes, and each of the others ten times as long as the first took: at
 * least half a minute and at most five.
 * @throws ScenarioError, WorldError, RunError
 */
export async function explore(options: ExploreOptions): Promise<Explored> {
  const elapsed = stopwatch()
  const { assume = [], gaps = 'relied', flags = [], command, scenario, variables, signal, watcher } = options
  const story = await loadStory(options)
  const own = (story.extensions ?? noExtensions).gaps
  const chosen = await chosenAssumptions(assume, own)
  if (typeof gaps === 'object') for (const gap of gaps) parseGap(gap, own)
  const folder = await mkdtemp(join(tmpdir(), 'agent-mailbox-sim-explore-'))
  try {
    const { watcher: _, recorded = false, ...playing } = options
    const line = { name: 'explore', scenario, flags, command } as const
    const runner = new Runner({ line, variables, story, options: playing, chosen, folder, recorded })
    watcher?.planned?.([{}])
    watcher?.started?.({})
    const first = await runner.run({}, signal)
    watcher?.ended?.(first, {})
    if (first.passed) refuseSilence(first.requests > 0 || first.relied.size > 0)
    const jobs = jobsFor({ jobs: options.jobs, options, story, receives: first.receives, watcher })
    const variants = new Variants(runner.run, { jobs, signal, watcher })
    const surveying = first.passed ? survey : surveyFailing
    const result =
      first.ended === 'not-started'
        ? { control: null, tests: [] }
        : await surveying(variants, first, { gaps, base: { assumptions: story.assumptions, chosen, own } })
    const head = {
      command: runner.line.command,
      scenario: story.scenario,
      seed: story.seed,
      started_at: formatInstant(story.start),
      assumptions: chosen,
      gaps,
      interrupted: signal?.aborted === true,
      runs: runner.runs,
      wall_ms: Math.round(elapsed()),
    }
    const again = (changes: Changes): string => {
      const also = listChanges(changes).map((change) => ({ name: '--assume', value: formatChange(change) }))
      // A play shows more than the end of the command where the story judges it.
      const name = runner.isJudged ? ('replay' as const) : ('explore' as const)
      return repeatCommandLine(runner.line, { name, without: runner.isJudged ? ownFlags : [], also })
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

/**
 * Returns the assumptions that the environment and flags choose, whatever scenario a simulator has: all those of a profile,
 * and those that a file or `gap=assumption` names.
 * @throws WorldError
 */
async function chosenAssumptions(flags: readonly AssumptionsLayer[], own: OwnGaps): Promise<Changes> {
  const wanted = requestedLayers(flags).filter(({ input }) => input !== undefined)
  const layers = (
    await Promise.all(wanted.map((layer) => assumptionsLayers(layer, undefined, { own })))
  ).flat()
  const { assumptions } = chooseAssumptions(layers, undefined, own)
  const isComplete = layers.some(({ input }) => typeof input === 'string')
  const named = new Set(layers.flatMap(({ input }) => (typeof input === 'object' ? Object.keys(input) : [])))
  const chosen = (Object.keys(assumptions) as GapId[]).filter((gap) => isComplete || named.has(gap))
  return combineChanges(chosen.map((gap) => ({ gap, assumption: assumptions[gap] })))
}
