import { type GapId, gapIds, readingsOf } from '../contract/gaps.js'

/** What one run relied on, of one gap. */
export interface Relied {
  readonly gap: GapId
  /** The readings that were in force: more than one where simulators, or parts of a story, had different ones. */
  readonly readings: readonly string[]
  /**
   * Those under which something would have been another answer, in the order of the register, as far as they can be
   * chosen from outside.
   */
  readonly instead: readonly string[]
  /** Whether the command had chosen each of the readings itself: then no other one can be tried. */
  readonly fixed: boolean
  /** What was asked, e.g. `threads.list`; nothing where it was no operation. */
  readonly operations: readonly string[]
}

/** What one run relied on, by gap, in the order of the register. */
export type ReliedGaps = ReadonlyMap<GapId, Relied>

/** A line of a trace, as far as it matters here. */
interface TraceLine {
  readonly gap: string
  readonly reading: string
  readonly instead: readonly string[]
  /** Who chose the reading; unknown where it was written by an older version. */
  readonly from?: unknown
  readonly operation?: unknown
}

/**
 * Reads the text of a trace, as simulators append to it. What is none of its lines is passed over, as well as
 * gaps that this version does not know: the simulators may be of another one.
 */
export function parseTrace(text: string): ReliedGaps {
  const lines = text.split('\n').flatMap(parseLine)
  const present = new Set(lines.map(({ gap }) => gap))
  return new Map(
    gapIds
      .filter((gap) => present.has(gap))
      .map((gap) => [
        gap,
        reliedOf(
          gap,
          lines.filter((line) => line.gap === gap),
        ),
      ]),
  )
}

function reliedOf(gap: GapId, lines: readonly TraceLine[]): Relied {
  const known = readingsOf(gap).map(({ name }) => name)
  const named = (names: readonly string[]) => known.filter((name) => names.includes(name))
  return {
    gap,
    readings: named(lines.map(({ reading }) => reading)),
    instead: named(lines.filter((line) => !isFixed(line)).flatMap(({ instead }) => instead)),
    fixed: lines.every(isFixed),
    operations: [...new Set(lines.flatMap(({ operation }) => (isName(operation) ? [operation] : [])))].sort(),
  }
}

/** Whether the reading was chosen by somebody who counts for more than the environment, from which others are tried. */
function isFixed({ from }: TraceLine): boolean {
  return typeof from === 'string' && !/^(default|scenario|MAILBOX_SIM_READINGS)\b/.test(from)
}

function parseLine(line: string): TraceLine[] {
  if (line === '') return []
  try {
    const value: unknown = JSON.parse(line)
    return isTraceLine(value) ? [value] : []
  } catch {
    return []
  }
}

function isTraceLine(value: unknown): value is TraceLine {
  if (typeof value !== 'object' || value === null) return false
  const { gap, reading, instead } = value as Partial<Record<string, unknown>>
  return typeof gap === 'string' && typeof reading === 'string' && Array.isArray(instead)
}

function isName(value: unknown): value is string {
  return typeof value === 'string'
}
