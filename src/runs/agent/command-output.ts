import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { truncate } from '../../base/text.js'

/** Called with lines as they are written, without their line breaks. */
export type OnLines = (lines: readonly string[], stream: 'stdout' | 'stderr') => void

/** The number of characters that are passed on, so that an endless output does not fill a log. */
const passedOnLimit = 16_777_216

const mutedNote = '… (16 MB were shown; the rest is omitted)'

/** The number of lines kept for reports. */
const keptLines = 40

/** The maximum length of a kept line. */
const keptCharacters = 400

/** The maximum length of a line that is passed on. */
const longestLine = 8_192

/** Control characters, which are unsafe in XML and on a terminal; tabs are kept. */
const controls = /(?!\t)[\p{Cc}\ufffe\uffff]/gu

/** Reads the output of a command, passes it on line by line, and keeps the last lines. */
export class CommandOutput {
  readonly #streams: Readable[] = []
  readonly #onLines: OnLines | undefined
  #written = 0
  #tail: string[] = []

  constructor(onLines: OnLines | undefined) {
    this.#onLines = onLines
  }

  /** The last lines of all streams as plain text, without colours and other controls. */
  get tail(): string {
    return this.#tail.join('\n').trimEnd()
  }

  /** Reads a stream; resolves when it has ended. */
  async read(stream: Readable, name: 'stdout' | 'stderr'): Promise<void> {
    let rest = ''
    this.#streams.push(stream)
    stream.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (rest + piece).split('\n')
      // No more of an endless line is shown.
      rest = (lines.pop() as string).slice(0, longestLine + 1)
      this.#take(lines, name)
      const before = this.#written
      this.#written += piece.length
      if (before <= passedOnLimit && this.#written > passedOnLimit) this.#onLines?.([mutedNote], name)
    })
    // A pipe that fails counts as ended.
    await once(stream, 'close').catch(() => undefined)
    if (rest !== '') this.#take([rest], name)
  }

  /** Stops reading. */
  close(): void {
    for (const stream of this.#streams) stream.destroy()
  }

  #take(lines: readonly string[], name: 'stdout' | 'stderr'): void {
    const isMuted = !this.#onLines || this.#written > passedOnLimit
    const shown = (isMuted ? lines.slice(-keptLines) : lines).map(shownLine)
    this.#tail = [...this.#tail, ...shown.slice(-keptLines).map(plainLine)].slice(-keptLines)
    if (!isMuted && shown.length > 0) this.#onLines?.(shown, name)
  }
}

/** Returns a line as a terminal would show it, without text that a carriage return overwrote. */
function shownLine(line: string): string {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line
  const shown = whole.slice(whole.lastIndexOf('\r') + 1)
  return shown.length > longestLine ? `${shown.slice(0, longestLine)}…` : shown
}

function plainLine(line: string): string {
  const plain = stripVTControlCharacters(line.slice(0, 4 * keptCharacters))
    .replace(controls, '')
    .toWellFormed()
  // A copy: a slice would keep the whole piece in memory.
  return Buffer.from(truncate(plain, keptCharacters)).toString()
}

/** Patterns of lines that report failures, the most specific first; the index of a pattern is its rank. */
const patterns = [
  // AssertionError: …, TypeError [CODE]: …, java.lang.IllegalStateException: …, pytest's E   …, a panic of Go or Rust
  /(^|[\s[(>"'])[\w$.]*(Error|Exception)( \[\w+\])?: \S|^E {2,}\S|^panic: |panicked at/,
  // not ok 1 - …, FAIL …, ✗ …, error: …
  /^(not ok|FAIL(ED)?\b|--- FAIL|[✗✘✖×✕●]|(fatal )?error\b|fatal\b)/i,
  /\b(fail(ed|ure|s)?|error|expected|unexpected|cannot|refused|denied|timed out|timeout|invalid|missing)\b/i,
] as const

/**
 * Matches lines that match a pattern but are not informative: a count of zero, a line of a stack trace, a
 * heading.
 */
const empty =
  /\b(0|no) (tests? )?(fail|error)|\b(fail(ed|ures?|s)?|errors?)[:= ]+0\b|^at |^Traceback |^node:internal/i

/** The maximum length of a kept line, in characters. */
const longest = 300

/** The maximum number of remembered lines that look like failures. */
const maxSeen = 10_000

/** Finds the line in the output of a command that best explains why it failed. */
export class FailureLine {
  readonly #known: ReadonlySet<string>
  /** The first line of each rank; known lines rank after all others. */
  readonly #first: (string | undefined)[] = []
  readonly #seen = new Set<string>()
  #last: string | undefined

  /** `known` holds lines that the same command wrote when it passed: they are unlikely to be the reason. */
  constructor(known: ReadonlySet<string> = new Set()) {
    this.#known = known
  }

  /** Considers more lines. */
  add(lines: readonly string[]): void {
    for (const line of lines) this.#look(plainTextOf(line.slice(0, 4 * longest)))
  }

  /** The lines so far that look like failures, as `known` for later runs; without numbers, which vary between runs. */
  get seen(): ReadonlySet<string> {
    return this.#seen
  }

  /**
   * The line that best explains the failure; the last one if none looks like a failure, undefined without
   * lines.
   */
  get best(): string | undefined {
    return this.#first.find((line) => line !== undefined) ?? this.#last
  }

  #look(line: string): void {
    if (line === '') return
    const text = truncate(line, longest)
    this.#last = text
    if (empty.test(text)) return
    const rank = patterns.findIndex((pattern) => pattern.test(text))
    if (rank < 0) return
    // Times, ports and the like vary between runs.
    const general = text.replace(/\d+/g, '#')
    if (this.#seen.size < maxSeen) this.#seen.add(general)
    const place = this.#known.has(general) ? rank + patterns.length : rank
    this.#first[place] ??= text
  }
}

/** Returns a line without colours and other terminal controls. */
function plainTextOf(line: string): string {
  return stripVTControlCharacters(line)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}
