import { type GapId, type Reading, readingsOf } from '../../contract/gaps.js'
import { type Change, type Changes, formatChange, listChanges } from '../changes.js'
import type { ReportedBreak } from '../report.js'
import { nameChanges } from './words.js'

/** Breaks that are told together: those of single readings of one gap, or one of several readings. */
export interface BreakGroup {
  /** `threads.order: created-desc, created-asc`, or `threads.total=page-size and threads.snippet=first`. */
  readonly name: string
  /** What is there to tell, line by line. */
  readonly lines: readonly (readonly [name: string, text: string])[]
  /** The changes that show it. */
  readonly example: Changes
}

/** Breaks, told together where the advice is the same. */
export function groupBreaks(breaks: readonly ReportedBreak[]): BreakGroup[] {
  const groups: ReportedBreak[][] = []
  for (const found of breaks) {
    const gap = onlyGap(found)
    const group = gap && groups.find(([first]) => first && onlyGap(first) === gap)
    if (group) group.push(found)
    else groups.push([found])
  }
  return groups.map(describeGroup)
}

function describeGroup(group: readonly ReportedBreak[]): BreakGroup {
  const [first] = group as [ReportedBreak]
  const changes = group.flatMap((found) => listChanges(found.changes))
  const gap = onlyGap(first)
  const readings = changes.map(({ reading }) => reading).join(', ')
  const means = changes.map((change): [string, string] => {
    return ['means', `${gap ? change.reading : formatChange(change)}: ${meaningOf(change)}`]
  })
  const advice = Object.values(first.advice).map((text): [string, string] => ['advice', text])
  return {
    name: gap ? `${gap}: ${readings}` : nameChanges(first),
    lines: [...(gap ? [] : [['says', first.why] as const]), ...means, ...advice],
    example: first.changes,
  }
}

/** The gap of a break of a single reading. */
function onlyGap({ changes }: ReportedBreak): GapId | undefined {
  const [one, other] = listChanges(changes)
  return other ? undefined : one?.gap
}

/** What the service does under a reading. */
export function meaningOf({ gap, reading }: Change): string {
  const readings: readonly Reading[] = readingsOf(gap)
  return readings.find(({ name }) => name === reading)?.means ?? ''
}
