import { type Expectation, formatInstant, type Masker } from '../../world/index.js'
import type { Verdict } from '../verdict.js'
import type { Watch } from './watch.js'

/** What a verdict is made of. */
interface Judged {
  readonly expectation: Expectation
  readonly index: number
  readonly watch: Watch
  /** When the story is over, in milliseconds since the epoch. */
  readonly end: number
  readonly masker: Masker
}

/** What an expectation has come to, for people, with keys and tokens masked. */
export function verdictOf({ expectation, index, watch, end, masker }: Judged): Verdict {
  const { key, kind, describe } = expectation
  const { passed, found, nearest, at = end } = watch.judge(end)
  const masked = (text: string): string => masker.body(text)
  return {
    index,
    key,
    kind,
    describe: masked(describe ?? sentence(watch.expected)),
    passed,
    // When it came true hangs on how fast the agent is, in which two runs differ.
    at: formatInstant(passed ? end : at),
    expected: masked(watch.expected),
    found: masked(found),
    nearest: nearest && {
      ...nearest,
      line: masked(nearest.line),
      differences: nearest.differences.map(masked),
    },
  }
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
