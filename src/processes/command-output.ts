import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { truncate } from '../contract/text.js'

/** Called with lines as they are written, without their line breaks. */
export type OnLines = (lines: readonly string[], stream: 'stdout' | 'stderr') => void

/** The number of characters that are passed on, so that an endless output does not fill a log. */
const passedOnLimit = 16_777_216

const mutedNote = '… (16 MB were shown; the rest is left out)'

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
  readonly #splitters: LineSplitter[] = []
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
    const splitter = new LineSplitter((lines) => this.#take(lines, name))
    this.#splitters.push(splitter)
    this.#streams.push(stream)
    stream.setEncoding('utf8').on('data', (piece: string) => {
      const before = this.#muted
      this.#written += piece.length
      // Without a listener, only the part that may contain kept lines is split.
      splitter.push(piece, this.#onLines && !this.#muted ? undefined : keptLines)
      if (this.#muted && !before) this.#onLines?.([mutedNote], name)
    })
    // A pipe that fails counts as ended.
    await once(stream, 'close').catch(() => undefined)
  }

  /** Stops reading. */
  close(): void {
    for (const stream of this.#streams) stream.destroy()
    for (const splitter of this.#splitters) splitter.end()
  }

  get #muted(): boolean {
    return this.#written > passedOnLimit
  }

  #take(lines: readonly string[], name: 'stdout' | 'stderr'): void {
    this.#tail = [...this.#tail, ...lines.slice(-keptLines).map(plainLine)].slice(-keptLines)
    if (!this.#muted) this.#onLines?.(lines, name)
  }
}

/** Splits text that arrives in pieces into lines; truncates endless lines. */
export class LineSplitter {
  readonly #onLines: (lines: readonly string[]) => void
  #rest = ''
  /** Whether the next characters belong to a line that was already truncated and passed on. */
  #skipping = false

  constructor(onLines: (lines: readonly string[]) => void) {
    this.#onLines = onLines
  }

  /** Splits the next piece; with `last`, only that many of its last lines. */
  push(piece: string, last = Number.POSITIVE_INFINITY): void {
    const start = startOfLast(piece, last)
    if (start > 0) this.#startLine()
    const parts = (start > 0 ? piece.slice(start) : piece).split('\n')
    const rest = parts.pop() as string
    const lines: string[] = []
    for (const part of parts) {
      if (!this.#skipping) lines.push(shownLine(this.#rest + part))
      this.#startLine()
    }
    if (!this.#skipping) {
      this.#rest += rest
      if (this.#rest.length > longestLine) {
        lines.push(shownLine(this.#rest))
        this.#rest = ''
        this.#skipping = true
      }
    }
    if (lines.length > 0) this.#onLines(lines)
  }

  /** Passes on the last line if it has no line break. */
  end(): void {
    if (this.#rest !== '') this.#onLines([shownLine(this.#rest)])
    this.#rest = ''
  }

  #startLine(): void {
    this.#rest = ''
    this.#skipping = false
  }
}

/** Returns the index at which the last lines of a piece begin; 0 if it has no other lines. */
function startOfLast(piece: string, last: number): number {
  if (!Number.isFinite(last)) return 0
  let start = piece.length
  for (let count = 0; count <= last; count++) {
    if (start === 0) return 0
    start = piece.lastIndexOf('\n', start - 1)
    if (start < 0) return 0
  }
  return start + 1
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

/** Matches lines that match a pattern but say nothing: a count of zero, a line of a stack trace, a heading. */
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

  /** The line that explains best; the last one if none looks like a failure, undefined without lines. */
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
