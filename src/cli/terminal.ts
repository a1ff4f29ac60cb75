import { styleText } from 'node:util'
import { counted, grouped } from '../base/text.js'
import type { WorldSummary } from '../doors/controls/world-view.js'
import { alignCells } from '../runs/reports/human.js'
import type { Style } from '../runs/reports/report.js'
import type { LoadOptions } from '../story/load.js'

/** A stream that may be a terminal. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Returns the text styles for a stream: colours on a terminal only, unless `FORCE_COLOR` or `NO_COLOR` is set. */
export function styleFor(stream: NodeJS.WriteStream): Style {
  const style = (name: 'bold' | 'dim' | 'green' | 'red') => (text: string) =>
    styleText(name, text, { stream })
  return { strong: style('bold'), faint: style('dim'), good: style('green'), bad: style('red') }
}

/** Writes a text and a line feed to the standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Formats a table for the standard output: a faint header, and the rows below it. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const [header = '', ...lines] = alignCells(rows)
  return [styleFor(process.stdout).faint(header), ...lines].join('\n')
}

/** Returns whether a stream is watched by a person: not a file, a dumb terminal or a CI log. */
export function isWatched({ isTTY }: Pick<Screen, 'isTTY'>, { CI = '', TERM }: NodeJS.ProcessEnv): boolean {
  return isTTY === true && TERM !== 'dumb' && (CI === '' || CI === 'false')
}

/** Moves back to the start of the line and clears it. */
const clearLine = '\r\x1b[K'

/** Shows the progress of a command: lines and, below them on a terminal, a line that is continually replaced. */
export class Progress {
  readonly isTerminal: boolean
  readonly #screen: Screen
  /** The line that is replaced, as it is on the terminal. */
  #last = ''
  #isOver = false

  constructor(screen: Screen = process.stderr, isTerminal = isWatched(screen, process.env)) {
    this.#screen = screen
    this.isTerminal = isTerminal
  }

  /** Replaces the last line of a terminal; cut, since a line that wraps could not be cleared. */
  show(text: string): void {
    if (!this.isTerminal || this.#isOver) return
    this.#last = sanitizeLine(text).slice(0, (this.#screen.columns || 80) - 1)
    this.#screen.write(clearLine + this.#last)
  }

  /** Writes a line that stays. */
  print(text: string): void {
    if (this.#isOver) return
    this.#screen.write(this.isTerminal ? `${clearLine}${sanitize(text)}\n${this.#last}` : `${text}\n`)
  }

  /** Clears the last line, and writes nothing more. */
  end(): void {
    if (this.#last !== '' && !this.#isOver) this.#screen.write(clearLine)
    this.#isOver = true
  }
}

/** Terminal controls: single characters, and the sequences they begin, which colour, move or name things. */
const controls = /(?!\t)\p{Cc}(?:\[[0-?]*[ -/]*[@-~]|\][^\p{Cc}]*\p{Cc}\\?)?/gu

/** Removes terminal controls from a line; its colours stay, and end with it. */
export function sanitizeLine(line: string): string {
  let coloured = false
  const text = line.replace(controls, (found) => {
    const isColour = found.startsWith('\x1b[') && /^[\d;:]*m$/.test(found.slice(2))
    coloured ||= isColour
    return isColour ? found : ''
  })
  return coloured ? `${text}\x1b[0m` : text
}

/**
 * Removes terminal controls from text for people, some of which may come from a scenario or from a message.
 */
export function sanitize(text: string): string {
  return text.split('\n').map(sanitizeLine).join('\n')
}

/** Formats the contents of a world, e.g. `3 agents, 402 threads, 1,204 messages, 3 webhooks`. */
export function formatSummary({ agents, threads, messages, webhooks }: WorldSummary): string {
  const counts = { agent: agents, thread: threads, message: messages, webhook: webhooks }
  return Object.entries(counts)
    .map(([name, count]) => counted(count, name))
    .join(', ')
}

/** Loads a scenario and, on a terminal, shows how many of its messages have been made. */
export async function withLoadingLine<Result>(
  scenario: string,
  load: (onProgress: NonNullable<LoadOptions['onProgress']>) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress()
  return load(({ messages, of }) =>
    progress.show(`Loading ${scenario}: ${grouped(messages)} of ${grouped(of)} messages`),
  ).finally(() => progress.end())
}
