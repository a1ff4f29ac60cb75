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
