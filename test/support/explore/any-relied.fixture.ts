import fc from 'fast-check'
import { type GapId, gapIds, readingsOf } from '../../../src/contract/gaps.js'
import type { ReliedGap, ReliedGaps } from '../../../src/explore/relied.js'

/** Generates gaps that a run relied on, with some of their other readings. */
export function anyRelied(gaps: readonly GapId[] = gapIds): fc.Arbitrary<ReliedGaps> {
  return fc.subarray([...gaps]).chain((relied) => {
    return fc
      .tuple(...relied.map(anyReliedOf))
      .map((entries) => new Map(entries.map((entry) => [entry.gap, entry])))
  })
}

function anyReliedOf(gap: GapId): fc.Arbitrary<ReliedGap> {
  const [reading, ...others] = readingsOf(gap).map(({ name }) => name) as [string, ...string[]]
  return fc.subarray(others, { minLength: 1 }).map((instead) => {
    return {
      gap,
      readings: [reading],
      instead,
      same: others.filter((name) => !instead.includes(name)),
      fixed: false,
      operations: [],
    }
  })
}
