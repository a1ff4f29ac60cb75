import { defaultAssumptions } from '../../../src/contract/gaps.js'
import { formatChanges } from '../../../src/runs/explore/changes.js'
import { composeReport } from '../../../src/runs/explore/explore.js'
import type { ExploreReport } from '../../../src/runs/explore/report.js'
import { type BaseAssumptions, type SurveyOptions, survey } from '../../../src/runs/explore/survey.js'
import { Variants } from '../../../src/runs/explore/variants.js'
import { type ModelClient, runModel, surveyOptions } from './model-client.fixture.js'

const base: BaseAssumptions = { assumptions: defaultAssumptions, chosen: {} }

/** The fields that all reports share. */
const head = {
  command: ['npm', 'test'],
  scenario: 'support-desk',
  seed: 7,
  started_at: '2026-01-05T09:00:00.000Z',
  assumptions: {},
  interrupted: false,
}

/** Returns the report on a client model. */
export async function reportOn(
  client: ModelClient,
  options: Partial<SurveyOptions> = {},
): Promise<ExploreReport> {
  const { run, ran } = runModel(client)
  const first = await run({})
  const how = surveyOptions({ base, ...options })
  const result = first.passed
    ? await survey(new Variants(run), first, how)
    : { control: await run({}), tests: [] }
  const about = { ...head, gaps: how.gaps, runs: ran.length, wall_ms: 1200 }
  return composeReport(about, first, result, (changes) => `explore ${formatChanges(changes)}`)
}
