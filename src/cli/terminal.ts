import { styleText } from 'node:util'
import type { Style } from '../reports/index.js'
import type { LoadOptions } from '../scenario/index.js'
import type { WorldSummary } from '../simulator/simulator.js'
import { stopwatch } from '../world/wall-time.js'

/** A stream that may be a terminal. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  hasColors?(): boolean
  write(text: string): unknown
}

/** Returns the text styles for a stream: none unless it is a terminal, or if `NO_COLOR` is set. */
export function styleFor({ isTTY, hasColors }: Pick<Screen, 'isTTY' | 'hasColors'>): Style {
  const coloured = isTTY === true && hasColors?.() === true
  const style = (name: 'bold' | 'dim' | 'green' | 'red') => (text: string) =>
    coloured ? styleText(name, text) : text
  return { strong: style('bold'), faint: style('dim'), good: style('green'), bad: style('red') }
}

/** Tells whether somebody looks at a stream: not if it is a file, a dumb terminal, or a CI's. */
export function isWatched({ isTTY }: Pick<Screen, 'isTTY'>, { CI = '', TERM }: NodeJS.ProcessEnv): boolean {
  return isTTY === true && TERM !== 'dumb' && (CI === '' || CI === 'false')
}

/** Moves back to the start of the line and clears it. */
export const clearLine = '\r\x1b[K'

/** Replaces the last line; cut, since a line that wraps could not be cleared. */
export function replaceLine(screen: Screen, text: string, style = (line: string): string => line): void {
  screen.write(`${clearLine}${style(text.slice(0, (screen.columns || 80) - 1))}`)
}

/** Terminal controls: single characters, and the sequences they begin, which colour, move or name things. */
const controls = /(?!\t)\p{Cc}(?:\[[0-?]*[ -/]*[@-~]|\][^\p{Cc}]*\p{Cc}\\?)?/gu

/** Removes terminal controls from a line of another program; its colours stay, and end with it. */
export function sanitizeLine(line: string): string {
  let coloured = false
  const text = line.replace(controls, (found) => {
    const isColour = found.startsWith('\x1b[') && /^[\d;:]*m$/.test(found.slice(2))
    coloured ||= isColour
    return isColour ? found : ''
  })
  return coloured ? `${text}\x1b[0m` : text
}

/** Formats a count as `1 thread`, `12,345 threads`. */
export function formatCount(count: number, one: string, several = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : several}`
}

function formatNumber(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Formats the contents of a world, e.g. `3 agents, 402 threads, 1,204 messages, 3 webhooks`. */
export function formatSummary({ agents, threads, messages, webhooks }: WorldSummary): string {
  return [
    formatCount(agents, 'agent'),
    formatCount(threads, 'thread'),
    formatCount(messages, 'message'),
    formatCount(webhooks, 'webhook'),
  ].join(', ')
}

type OnProgress = NonNullable<LoadOptions['onProgress']>

/** A line that shows the progress of loading. */
export interface LoadingLine {
  readonly show: OnProgress
  /** Clears the line and shows nothing more. */
  end(): void
}

/** Milliseconds before the line is shown: what is over by then needs none. */
const showAfter = 300

/** Milliseconds between two updates. */
const updateInterval = 100

/** Loads a scenario and, if that takes a while, shows the progress on a terminal; never to programs. */
export async function withLoadingLine<Result>(
  scenario: string,
  json: true | undefined,
  load: (onProgress: OnProgress | undefined) => Promise<Result>,
): Promise<Result> {
  if (json || !isWatched(process.stderr, process.env)) return load(undefined)
  const line = createLoadingLine(scenario, process.stderr, stopwatch())
  try {
    return await load(line.show)
  } finally {
    line.end()
  }
}

/** Creates the line; `elapsed` returns the milliseconds since loading began. */
export function createLoadingLine(scenario: string, screen: Screen, elapsed: () => number): LoadingLine {
  let next = showAfter
  let shown = false
  return {
    show({ messages, of }) {
      const now = elapsed()
      if (now < next) return
      next = now + updateInterval
      shown = true
      const share = of === 0 ? '' : ` (${Math.floor((100 * messages) / of)} %)`
      const count = `${formatNumber(messages)} of ${formatNumber(of)} messages`
      replaceLine(screen, `Loading ${scenario}: ${count}${share}`)
    },
    end() {
      if (shown) screen.write(clearLine)
      next = Number.POSITIVE_INFINITY
    },
  }
}
