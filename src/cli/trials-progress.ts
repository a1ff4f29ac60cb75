import type { PlayWatcher } from '../runs/options.js'
import { replayReport } from '../runs/replay/report.js'
import { formatSeconds } from '../runs/reports/index.js'
import type { TrialPlan, TrialsWatcher } from '../runs/trials/trials.js'
import { formatWorldEvent } from './replay-progress.js'
import { type Progress, sanitize } from './terminal.js'

/**
 * Shows trials: what each command writes, with the number of its trial before each line, and how each trial
 * ended; on a terminal, how many have ended in the last line. With `verbose`, also requests and deliveries.
 */
export function trialsProgress(progress: Progress, verbose: boolean): Required<TrialsWatcher> {
  let [planned, ended, failed] = [0, 0, 0]
  let width = 1
  const running: TrialPlan[] = []
  const nameOf = ({ trial, series }: TrialPlan): string => {
    return series === undefined ? `${trial}` : `${series}, trial ${trial}`
  }
  const print = (text?: string): void => {
    if (text !== undefined) progress.print(text)
    const now = running.length === 0 ? '' : `; playing ${running.map(nameOf).join(', ')}`
    progress.show(`${ended} of ${planned} trials, ${failed} failed${now}`)
  }
  return {
    planned(plans) {
      planned += plans.length
      width = Math.max(...plans.map(({ trial }) => String(trial).length))
    },
    started(plan) {
      running.push(plan)
      print()
    },
    of({ trial }): PlayWatcher {
      const mark = `${String(trial).padStart(width)} │ `
      const write = (lines: readonly string[]): void => print(lines.map((line) => mark + line).join('\n'))
      return {
        wrote: write,
        noted: (note) => write([`note: ${note}`]),
        happened(event) {
          const line = verbose ? formatWorldEvent(event) : undefined
          if (line !== undefined) write([sanitize(line)])
        },
      }
    },
    ended(run, plan) {
      running.splice(running.indexOf(plan), 1)
      ended++
      if (!run.passed && run.not_judged === null) failed++
      const which = plan.series === undefined ? `trial ${run.trial}` : nameOf(plan)
      print(sanitize(`${which}: ${replayReport(run).headline}, in ${formatSeconds(run.wall_ms)}`))
    },
    noted: (note) => print(`note: ${note}`),
  }
}
