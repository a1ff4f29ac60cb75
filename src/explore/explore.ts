import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadScenario, type OnProgress } from '../scenario/index.js'
import { wantedLayers } from '../simulator/wanted-readings.js'
import { type ClockMode, formatInstant, type ReadingsLayer, stopwatch } from '../world/index.js'
import type { Ground, WantedGaps } from './candidates.js'
import { chosenReadings } from './chosen-readings.js'
import { composeReport } from './compose-report.js'
import type { ExploreReport } from './report.js'
import { Runner, type Watcher } from './runner.js'
import { type Findings, type SurveyOptions, survey } from './survey.js'
import type { Trial } from './trial.js'

/** How a command is explored. */
export interface ExploreOptions {
  readonly command: readonly string[]
  /** A shipped name or a path; `support-desk` when it is left out. */
  readonly scenario?: string | undefined
  readonly seed?: number | undefined
  /** Readings for all runs; count for more than the environment's and the scenario's. */
  readonly readings?: readonly ReadingsLayer[] | undefined
  /** How time passes in the servers; `10x` when it is left out. */
  readonly clock?: ClockMode | undefined
  /** Receivers of events beyond this machine, as `host` or `host:port`. */
  readonly allowDeliveriesTo?: readonly string[] | undefined
  /** `relied` when it is left out. */
  readonly gaps?: WantedGaps | undefined
  readonly pairs?: boolean | undefined
  /**
   * Runs at a time. When it is left out, as many as there are processors, or one where the command receives
   * deliveries: it does so at an address that no two runs can have.
   */
  readonly jobs?: number | undefined
  /**
   * Milliseconds of wall time that each run may take. When it is left out, the first may take five minutes, and
   * the others ten times what that took: at least half a minute, at most five.
   */
  readonly timeLimit?: number | undefined
  /** Has every run ended, and everything its command started. */
  readonly signal?: AbortSignal | undefined
  /** Told how far loading the scenario is. */
  readonly onProgress?: OnProgress | undefined
  readonly watcher?: Watcher | undefined
}

/**
 * Runs a command again and again, under other readings of the gaps it relies on, and reports which of them break it.
 * @throws ScenarioError, ReadingError, ClockError; ExploreError `interrupted`
 */
export async function explore(options: ExploreOptions): Promise<ExploreReport> {
  const elapsed = stopwatch()
  const { command, scenario = 'support-desk', seed, readings = [], clock = '10x', onProgress } = options
  const { allowDeliveriesTo } = options
  const beginning = await loadScenario(scenario, { seed, readings: wantedLayers(readings), onProgress })
  const chosen = await chosenReadings(readings)
  const folder = await mkdtemp(join(tmpdir(), 'agent-mailbox-sim-explore-'))
  try {
    const runner = new Runner(
      { command, scenario, beginning, clock, allowDeliveriesTo, chosen, folder },
      options,
    )
    const first = await runner.first()
    const how = surveyOptions(options, first, { readings: beginning.readings, chosen })
    const findings = first.passed ? await survey(runner.run, first, how) : await lookAgain(runner, first)
    const about = {
      command: runner.command,
      scenario: beginning.scenario,
      seed: beginning.seed,
      started_at: formatInstant(beginning.start),
      readings: chosen,
      gaps: how.gaps,
      pairs: how.pairs,
    }
    const figures = { runs: runner.runs, wall_ms: Math.round(elapsed()) }
    return composeReport({ ...about, ...figures }, first, findings)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Where the command fails by itself, whether it does so each time. */
async function lookAgain(runner: Runner, first: Trial): Promise<Findings | undefined> {
  return first.ended !== 'by-itself' ? undefined : { control: await runner.run({}), tries: [] }
}

function surveyOptions(options: ExploreOptions, { receives }: Trial, ground: Ground): SurveyOptions {
  const { gaps = 'relied', pairs = false, watcher } = options
  const { jobs = receives ? 1 : availableParallelism() } = options
  return { gaps, pairs, jobs, ground, onPlanned: (planned) => watcher?.planned?.(planned) }
}
