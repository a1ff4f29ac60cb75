import { replayReport } from '../runs/replay/report.js'
import { formatSeconds } from '../runs/reports/report.js'
import type { TrialPlan } from '../runs/trials/trials.js'
import type { TrialRun } from '../runs/trials/trials-summary.js'
import { plansProgress } from './plans-progress.js'
import type { Progress } from './terminal.js'

/** Shows trials, `count` of each series. */
export function trialsProgress(progress: Progress, count: number, verbose: boolean) {
  const width = String(count).length
  const nameOf = ({ trial, series }: TrialPlan): string => {
    return series === undefined ? `${trial}` : `${series}, trial ${trial}`
  }
  return plansProgress<TrialPlan, TrialRun>(
    progress,
    {
      noun: 'trial',
      nameOf,
      markOf: ({ trial }) => `${String(trial).padStart(width)} │ `,
      hasFailed: ({ passed, not_judged }) => !passed && not_judged === null,
      formatEnd(run, plan) {
        const which = plan.series === undefined ? `trial ${run.trial}` : nameOf(plan)
        return `${which}: ${replayReport(run).headline}, in ${formatSeconds(run.wall_ms)}`
      },
    },
    verbose,
  )
}
