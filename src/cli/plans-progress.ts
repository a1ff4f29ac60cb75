import { counted } from '../base/text.js'
import type { PlayWatcher } from '../runs/agent/options.js'
import type { PlansWatcher } from '../runs/plans.js'
import { replayReport } from '../runs/replay/report.js'
import { formatSeconds } from '../runs/reports/report.js'
import type { TrialPlan } from '../runs/trials/trials.js'
import type { TrialRun } from '../runs/trials/trials-summary.js'
import { formatWorldEvent } from './replay-progress.js'
import { type Progress, sanitize } from './terminal.js'

/** How the progress of plans is worded. */
interface PlansWords<Plan, Result> {
  /** What is counted, e.g. `trial`. */
  readonly noun: string
  nameOf(plan: Plan): string
  /** Returns the line about a play that has ended. */
  formatEnd(result: Result, plan: Plan): string
  /** Returns whether a play counts as failed. */
  hasFailed(result: Result): boolean
  /** Returns what stands before each line of a play, if those are shown. */
  markOf?(plan: Plan): string
  /** Whether a terminal shows each play that has ended, too. */
  readonly listsEnds?: boolean
}

/**
 * Shows plans: how each play ended and, on a terminal, how many have ended in the last line; also what the
 * commands write, if they have a mark. With `verbose`, also requests and deliveries.
 */
export function plansProgress<Plan, Result>(
  progress: Progress,
  { noun, nameOf, formatEnd, hasFailed, markOf, listsEnds = true }: PlansWords<Plan, Result>,
  verbose = false,
): Required<PlansWatcher<Plan, Result>> {
  let [planned, ended, failed] = [0, 0, 0]
  const running: Plan[] = []
  const print = (text?: string): void => {
    if (text !== undefined) progress.print(text)
    const now = running.length === 0 ? '' : `; playing ${running.map(nameOf).join(', ')}`
    const all = counted(Math.max(planned, ended + running.length), noun)
    progress.show(`${ended} of ${all}, ${failed} failed${now}`)
  }
  return {
    planned(plans) {
      planned += plans.length
    },
    started(plan) {
      running.push(plan)
      print()
    },
    of(plan): PlayWatcher {
      if (!markOf) return {}
      const write = (lines: readonly string[]): void => {
        print(lines.map((line) => markOf(plan) + line).join('\n'))
      }
      return {
        wrote: write,
        noted: (note) => write([`note: ${note}`]),
        happened(event) {
          const line = verbose ? formatWorldEvent(event) : undefined
          if (line !== undefined) write([sanitize(line)])
        },
      }
    },
    ended(result, plan) {
      running.splice(running.indexOf(plan), 1)
      ended++
      if (hasFailed(result)) failed++
      print(listsEnds || !progress.isTerminal ? sanitize(formatEnd(result, plan)) : undefined)
    },
    noted: (note) => print(`note: ${note}`),
  }
}

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
