import { parseJson } from '../../base/json.js'
import { type Gap, namesOfAssumptions } from '../../contract/gaps/gap.js'
import { type GapId, gapIds, gaps } from '../../contract/gaps.js'

/** How the responses of a run depend on a gap. */
export interface ReliedGap {
  readonly gap: GapId
  /** The assumptions in force: more than one if simulators, or parts of a story, had different ones. */
  readonly assumptions: readonly string[]
  /**
   * Assumptions under which some response would have been different, in the order of the register, as far as
   * they can be chosen from outside.
   */
  readonly instead: readonly string[]
  /** The other assumptions, under which every response would have been the same, so that they need no run. */
  readonly same: readonly string[]
  /** Whether the command itself had chosen all of the assumptions, so that no other one can be tested. */
  readonly fixed: boolean
  /** Whether the scenario names the assumption, or the command has chosen it, so that no other one is offered. */
  readonly pinned: boolean
  /** The operations whose responses depend on it, e.g. `threads.list`; empty if it was something else. */
  readonly operations: readonly string[]
  /** The gap itself, if an extension defines it. */
  readonly own?: OwnGap
}

/** The gap of an extension, as far as an exploration needs it. */
export type OwnGap = Pick<Gap, 'assumptions' | 'advice'>

/** The gaps that the responses of a run depend on, in the order of the register. */
export type ReliedGaps = ReadonlyMap<GapId, ReliedGap>

/** The relevant fields of a line of a trace. */
interface TraceLine {
  readonly gap: string
  readonly assumption: string
  readonly instead: readonly string[]
  /** Who chose the assumption; older versions do not write it. */
  readonly from?: unknown
  readonly operation?: unknown
  readonly own?: OwnGap
}

/**
 * Parses a trace that simulators append to. Malformed lines are skipped, as are gaps that this version does
 * not know, since the simulators may have another version.
 */
export function parseTrace(text: string): ReliedGaps {
  const lines = text.split('\n').flatMap(parseLine)
  const present = new Set(lines.map(({ gap }) => gap))
  const known = inRegisterOrder([...present] as GapId[]).filter((gap) => {
    return gapIds.includes(gap) || lines.some((line) => line.gap === gap && line.own)
  })
  const ofGap = (gap: GapId) => lines.filter((line) => line.gap === gap)
  return new Map(known.map((gap) => [gap, reliedOf(gap, ofGap(gap))]))
}

function reliedOf(gap: GapId, lines: readonly TraceLine[]): ReliedGap {
  const own = lines.find((line) => line.own)?.own
  const known = namesOfAssumptions(own ?? gaps[gap])
  const fixed = lines.every(isFixed)
  const assumptions = new Set(lines.map(({ assumption }) => assumption))
  const instead = new Set(lines.filter((line) => !isFixed(line)).flatMap((line) => line.instead))
  const operations = new Set(
    lines.flatMap(({ operation }) => (typeof operation === 'string' ? operation : [])),
  )
  return {
    gap,
    assumptions: known.filter((name) => assumptions.has(name)),
    instead: known.filter((name) => instead.has(name)),
    fixed,
    pinned: lines.every((line) => isFixed(line) || line.from === 'scenario'),
    same: fixed ? [] : known.filter((name) => !assumptions.has(name) && !instead.has(name)),
    operations: [...operations].sort(),
    ...(own && { own }),
  }
}

/** Returns whether the assumption was chosen by something that overrides the environment, through which others are tested. */
function isFixed({ from }: TraceLine): boolean {
  return typeof from === 'string' && !/^(default|scenario|MAILBOX_SIM_ASSUME)\b/.test(from)
}

function parseLine(line: string): TraceLine[] {
  const value = parseJson(line) as Partial<Record<keyof TraceLine, unknown>> | null | undefined
  const { gap, assumption, instead } = value ?? {}
  const fits = typeof gap === 'string' && typeof assumption === 'string' && Array.isArray(instead)
  return fits ? [value as TraceLine] : []
}

/** Sorts gaps as the register has them; those of extensions come last, by name. */
function inRegisterOrder(gaps: readonly GapId[]): GapId[] {
  const documented = gapIds.filter((gap) => gaps.includes(gap))
  return [...documented, ...gaps.filter((gap) => !gapIds.includes(gap)).sort()]
}

/**
 * Formats an assumption for `MAILBOX_SIM_ASSUME`, which simulators of all kinds read: those without an extension skip its
 * gaps.
 */
export function formatForEnvironment(gap: GapId, assumption: string): string {
  return `${gap}${gapIds.includes(gap) ? '' : '?'}=${assumption}`
}
