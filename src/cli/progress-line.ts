import type { LoadOptions } from '../scenario/index.js'
import { stopwatch } from '../world/time.js'
import { formatNumber } from './counts.js'

type OnProgress = NonNullable<LoadOptions['onProgress']>

/** A line that tells how far loading is, each time in the place of the one before. */
export interface ProgressLine {
  readonly show: OnProgress
  /** Leaves the line empty, and tells nothing any more. */
  end(): void
}

/** Where the line is written. */
interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Milliseconds: what is over by then needs no line. */
const soon = 300
/** Milliseconds: nobody reads faster than that. */
const often = 100

/** Back to the start of the line, and nothing after it. */
const clearLine = '\r\x1b[K'

/**
 * Has something done that loads a scenario, and meanwhile, once that takes a while, tells on a terminal how far
 * it is. Nothing is told to programs.
 */
export async function withProgress<Result>(
  scenario: string,
  json: true | undefined,
  load: (onProgress: OnProgress | undefined) => Promise<Result>,
): Promise<Result> {
  if (json || !isSeen(process.stderr, process.env)) return load(undefined)
  const line = createProgressLine(scenario, process.stderr, stopwatch())
  try {
    return await load(line.show)
  } finally {
    line.end()
  }
}

/** Whether somebody looks at a screen: not where it is a file, a terminal that only types, or a CI's. */
export function isSeen({ isTTY }: Pick<Screen, 'isTTY'>, { CI = '', TERM }: NodeJS.ProcessEnv): boolean {
  return isTTY === true && TERM !== 'dumb' && (CI === '' || CI === 'false')
}

/** `elapsed` gives the milliseconds since loading began. */
export function createProgressLine(scenario: string, screen: Screen, elapsed: () => number): ProgressLine {
  let next = soon
  let shown = false
  return {
    show({ messages, of }) {
      const now = elapsed()
      if (now < next) return
      next = now + often
      shown = true
      const share = of === 0 ? '' : ` (${Math.floor((100 * messages) / of)} %)`
      const text = `Loading ${scenario}: ${formatNumber(messages)} of ${formatNumber(of)} messages${share}`
      // A line that wraps could not be cleared.
      screen.write(`${clearLine}${text.slice(0, (screen.columns || 80) - 1)}`)
    },
    end() {
      if (shown) screen.write(clearLine)
      next = Number.POSITIVE_INFINITY
    },
  }
}
