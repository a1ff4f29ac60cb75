import { defaultReadings } from '../contract/gaps.js'
import type { Ground } from './candidates.js'
import { composeReport } from './compose-report.js'
import { type ModelClient, runModel, surveyOptions } from './model-client.fixture.js'
import type { ExploreReport } from './report.js'
import { type SurveyOptions, survey } from './survey.js'

const ground: Ground = { readings: defaultReadings, chosen: {} }

/** What every report here is about. */
const head = {
  command: ['npm', 'test'],
  scenario: 'support-desk',
  seed: 7,
  started_at: '2026-01-05T09:00:00.000Z',
  readings: {},
}

/** The report on a client in the mind. */
export async function reportOn(
  client: ModelClient,
  options: Partial<SurveyOptions> = {},
): Promise<ExploreReport> {
  const { run, ran } = runModel(client)
  const first = await run({})
  const how = surveyOptions({ ground, ...options })
  const findings = first.passed ? await survey(run, first, how) : { control: await run({}), tries: [] }
  const about = { ...head, gaps: how.gaps, pairs: how.pairs, runs: ran.length, wall_ms: 1200 }
  return composeReport(about, first, findings)
}
