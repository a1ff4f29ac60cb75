import { stripVTControlCharacters } from 'node:util'

/** How lines of failure look, the most telling first; the place of a pattern is its rank. */
const patterns = [
  // AssertionError: …, TypeError [CODE]: …, java.lang.IllegalStateException: …, pytest's E   …, a panic of Go or Rust
  /(^|[\s[(>"'])[\w$.]*(Error|Exception)( \[\w+\])?: \S|^E {2,}\S|^panic: |panicked at/,
  // not ok 1 - …, FAIL …, ✗ …, error: …
  /^(not ok|FAIL(ED)?\b|--- FAIL|[✗✘✖×✕●]|(fatal )?error\b|fatal\b)/i,
  /\b(fail(ed|ure|s)?|error|expected|unexpected|cannot|refused|denied|timed out|timeout|invalid|missing)\b/i,
] as const

/** What looks like them and says nothing: a count of none, a line of a stack, a title of what follows. */
const empty =
  /\b(0|no) (tests? )?(fail|error)|\b(fail(ed|ures?|s)?|errors?)[:= ]+0\b|^at |^Traceback |^node:internal/i

/** The longest line that is kept, in characters. */
const longest = 300

/** Lines that look like failures and that a command wrote although it passed, at most this many. */
const mostKnown = 10_000

/** Looks through what a command writes for the line that tells best why it failed. */
export class TellingLine {
  readonly #known: ReadonlySet<string>
  /** The first line of each rank; lines that were known are ranked after all others. */
  readonly #first: (string | undefined)[] = []
  readonly #seen = new Set<string>()
  #last: string | undefined

  /** `known` are the lines that the same command wrote when it passed: what is among them is hardly the reason. */
  constructor(known: ReadonlySet<string> = new Set()) {
    this.#known = known
  }

  /** Looks at further lines. */
  add(lines: readonly string[]): void {
    for (const line of lines) this.#look(plainTextOf(line.slice(0, 4 * longest)))
  }

  /** The lines so far that look like a failure, without what differs each time; to be known to others. */
  get seen(): ReadonlySet<string> {
    return this.#seen
  }

  /** The line that tells best; the last one where none looks like a failure, undefined where there is none. */
  get best(): string | undefined {
    return this.#first.find((line) => line !== undefined) ?? this.#last
  }

  #look(line: string): void {
    if (line === '') return
    const text = line.length > longest ? `${line.slice(0, longest - 1)}…` : line
    this.#last = text
    if (empty.test(text)) return
    const rank = patterns.findIndex((pattern) => pattern.test(text))
    if (rank < 0) return
    const general = withoutNumbers(text)
    if (this.#seen.size < mostKnown) this.#seen.add(general)
    const place = this.#known.has(general) ? rank + patterns.length : rank
    this.#first[place] ??= text
  }
}

/** A line without colours, and without anything else that would control a terminal. */
function plainTextOf(line: string): string {
  return stripVTControlCharacters(line)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

/** Times, ports and the like differ with every run. */
function withoutNumbers(line: string): string {
  return line.replace(/\d+/g, '#')
}
