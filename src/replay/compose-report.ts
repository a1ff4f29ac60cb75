import type { Simulator } from '../simulator/simulator.js'
import { type Beginning, formatInstant, profileReadings } from '../world/index.js'
import { isFine, type ReplayReport, reportFormat, reportVersion } from './report.js'

/** What is known of a story when it is over. */
export interface ReportParts
  extends Pick<ReplayReport, 'clock' | 'verdicts' | 'command' | 'tape' | 'requests'> {
  readonly simulator: Simulator
  readonly beginning: Beginning
}

/** A report of all that became of a story. */
export function composeReport({
  simulator,
  beginning,
  ...parts
}: ReportParts): Omit<ReplayReport, 'wall_ms'> {
  const { clock, verdicts, command, tape, requests } = parts
  const timeline = { played: simulator.timeline.played(), left: simulator.timeline.left }
  return {
    format: reportFormat,
    version: reportVersion,
    scenario: beginning.scenario,
    describe: beginning.describe,
    seed: beginning.seed,
    readings: unusualReadings(beginning),
    clock,
    started_at: formatInstant(beginning.start),
    ended_at: simulator.clock.now(),
    passed: isFine({ verdicts, command, timeline, tape }),
    verdicts,
    command,
    timeline,
    tape,
    requests,
    deliveries: simulator.deliveries.list().length,
    reliances: simulator.reliances(),
  }
}

function unusualReadings({ readings }: Beginning): Record<string, string> {
  const usual: Readonly<Record<string, string>> = profileReadings('default')
  return Object.fromEntries(Object.entries(readings).filter(([gap, reading]) => usual[gap] !== reading))
}
