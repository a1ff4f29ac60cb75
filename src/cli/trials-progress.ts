import type { ReplayWatcher } from '../runs/replay/options.js'
import { replayReport } from '../runs/replay/report.js'
import { formatSeconds } from '../runs/reports/index.js'
import type { TrialsWatcher } from '../runs/trials/trials.js'
import { formatWorldEvent } from './replay-progress.js'
import { type Progress, sanitize } from './terminal.js'

/**
 * Shows trials: what each command writes, with the number of its trial before each line, and how each trial
 * ended; on a terminal, how many have ended in the last line. With `verbose`, also requests and deliveries.
 * `name` is the subject of the trials.
 */
export function trialsProgress(
  progress: Progress,
  trials: number,
  verbose: boolean,
  name?: string,
): Required<TrialsWatcher> {
  let [ended, failed] = [0, 0]
  const running = new Set<number>()
  const print = (text?: string): void => {
    if (text !== undefined) progress.print(text)
    const now = running.size === 0 ? '' : `; playing ${[...running].join(', ')}`
    const about = name === undefined ? '' : `${name}: `
    progress.show(`${about}${ended} of ${trials} trials, ${failed} failed${now}`)
  }
  return {
    started(trial) {
      running.add(trial)
      print()
    },
    of(trial): ReplayWatcher {
      const mark = `${String(trial).padStart(String(trials).length)} │ `
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
    ended(run) {
      running.delete(run.trial)
      ended++
      if (!run.passed && run.not_judged === null) failed++
      const { headline } = replayReport(run)
      const which = name === undefined ? `trial ${run.trial}` : `${name}, trial ${run.trial}`
      print(sanitize(`${which}: ${headline}, in ${formatSeconds(run.wall_ms)}`))
    },
    noted: (note) => print(`note: ${note}`),
  }
}
