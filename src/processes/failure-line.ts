import { stripVTControlCharacters } from 'node:util'
import { truncate } from '../contract/text.js'

/** Patterns of lines that report failures, the most specific first; the index of a pattern is its rank. */
const patterns = [
  // AssertionError: …, TypeError [CODE]: …, java.lang.IllegalStateException: …, pytest's E   …, a panic of Go or Rust
  /(^|[\s[(>"'])[\w$.]*(Error|Exception)( \[\w+\])?: \S|^E {2,}\S|^panic: |panicked at/,
  // not ok 1 - …, FAIL …, ✗ …, error: …
  /^(not ok|FAIL(ED)?\b|--- FAIL|[✗✘✖×✕●]|(fatal )?error\b|fatal\b)/i,
  /\b(fail(ed|ure|s)?|error|expected|unexpected|cannot|refused|denied|timed out|timeout|invalid|missing)\b/i,
] as const

/** Lines that match a pattern and say nothing: a count of zero, a line of a stack trace, a heading. */
const empty =
  /\b(0|no) (tests? )?(fail|error)|\b(fail(ed|ures?|s)?|errors?)[:= ]+0\b|^at |^Traceback |^node:internal/i

/** The longest line that is kept, in characters. */
const longest = 300

/** Lines of a passing command that look like failures and are remembered. */
const mostKnown = 10_000

/** Looks in the output of a command for the line that best explains why it failed. */
export class FailureLine {
  readonly #known: ReadonlySet<string>
  /** The first line of each rank; known lines rank after all others. */
  readonly #first: (string | undefined)[] = []
  readonly #seen = new Set<string>()
  #last: string | undefined

  /** `known` are lines that the same command wrote when it passed: those are unlikely to be the reason. */
  constructor(known: ReadonlySet<string> = new Set()) {
    this.#known = known
  }

  /** Looks at more lines. */
  add(lines: readonly string[]): void {
    for (const line of lines) this.#look(plainTextOf(line.slice(0, 4 * longest)))
  }

  /** The lines so far that look like a failure, without numbers, which differ each time; `known` to later runs. */
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
    // Times, ports and the like differ from run to run.
    const general = text.replace(/\d+/g, '#')
    if (this.#seen.size < mostKnown) this.#seen.add(general)
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
