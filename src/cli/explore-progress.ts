import { type Changes, formatChanges, type Trial, type Watcher } from '../explore/index.js'
import { formatCount } from './counts.js'

/** Where progress is told. */
interface Screen {
  readonly columns?: number
  write(text: string): unknown
}

/** A watcher that is told when all is over. */
export interface ExploreProgress extends Watcher {
  end(): void
}

/** Back to the start of the line, and nothing after it. */
const clearLine = '\r\x1b[K'

/** Tells on a terminal, in one line, how far it is and what is running. */
export function createProgressOnTerminal(screen: Screen): ExploreProgress {
  const running: string[] = []
  let planned = 0
  let ended = 0
  const show = (): void => {
    const of = Math.max(planned, ended + running.length)
    const text = `${ended} of ${formatCount(of, 'run')}${running.length === 0 ? '' : `: ${running.join(', ')}`}`
    // A line that wraps could not be cleared.
    screen.write(`${clearLine}${text.slice(0, (screen.columns || 80) - 1)}`)
  }
  return {
    planned(changes) {
      planned += changes.length
    },
    started(changes) {
      running.push(nameOf(changes))
      show()
    },
    ended({ changes }) {
      ended++
      running.splice(running.indexOf(nameOf(changes)), 1)
      show()
    },
    end: () => void screen.write(clearLine),
  }
}

/** Tells of every run when it has ended, a line each, where nobody watches or it is kept. */
export function createProgressInLines(screen: Screen): ExploreProgress {
  return {
    ended: (trial) => void screen.write(`${formatTrial(trial)}\n`),
    end: () => undefined,
  }
}

function formatTrial({ changes, passed, why, wallMs }: Trial): string {
  const time = `${(wallMs / 1000).toFixed(1)} s`
  return `${nameOf(changes)}: ${passed ? `passed, ${time}` : `failed, ${time}: ${why}`}`
}

function nameOf(changes: Changes): string {
  return formatChanges(changes) || 'no change'
}
