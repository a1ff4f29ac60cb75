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

/** Patterns of lines that report failures, the more specific first. */
const failures = [
  // AssertionError: …, TypeError [CODE]: …, java.lang.IllegalStateException: …, pytest's E   …, a panic of Go or Rust
  /(^|[\s[(>"'])[\w$.]*(Error|Exception)( \[\w+\])?: \S|^E {2,}\S|^panic: |panicked at/,
  // not ok 1 - …, FAIL …, ✗ …, error: …
  /^(not ok|FAIL(ED)?\b|--- FAIL|[✗✘✖×✕●]|(fatal )?error\b|fatal\b)/i,
]

/** Reads the output of a command, passes it on line by line, and keeps the last lines. */
export class CommandOutput {
  /** Undefined once it has passed on so much that nothing more is shown. */
  #onLines: OnLines | undefined
  #written = 0
  #tail: string[] = []
  /** The first line of each pattern. */
  readonly #failures: (string | undefined)[] = []

  constructor(onLines: OnLines | undefined) {
    this.#onLines = onLines
  }

  /** The last lines of all streams as plain text, without colours and other controls. */
  get tail(): string {
    return this.#tail.join('\n').trimEnd()
  }

  /** The line that looks most like a failure; the last one if none does, undefined without lines. */
  get complaint(): string | undefined {
    const failure = this.#failures.find((line) => line !== undefined)
    return failure ?? this.#tail.findLast((line) => line.trim() !== '')?.trim()
  }

  /** Reads a stream; resolves when it has ended. */
  async read(stream: Readable, name: 'stdout' | 'stderr'): Promise<void> {
    let rest = ''
    stream.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (rest + piece).split('\n')
      // No more of an endless line is shown.
      rest = (lines.pop() as string).slice(0, longestLine + 1)
      this.#take(lines, name)
      this.#written += piece.length
      if (this.#written <= passedOnLimit) return
      this.#onLines?.([mutedNote], name)
      this.#onLines = undefined
    })
    // A pipe that fails counts as ended.
    await once(stream, 'close').catch(() => undefined)
    if (rest !== '') this.#take([rest], name)
  }

  #take(lines: readonly string[], name: 'stdout' | 'stderr'): void {
    const shown = (this.#onLines ? lines : lines.slice(-keptLines)).map(shownLine)
    const plain = shown.map(plainLine)
    this.#tail = [...this.#tail, ...plain.slice(-keptLines)].slice(-keptLines)
    for (const line of plain.map((one) => one.trim())) {
      const rank = failures.findIndex((pattern) => pattern.test(line))
      if (rank >= 0) this.#failures[rank] ??= line
    }
    if (shown.length > 0) this.#onLines?.(shown, name)
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
