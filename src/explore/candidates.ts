import { type GapId, type Readings, readingsOf } from '../contract/gaps.js'
import type { OwnGaps } from '../world/index.js'
import {
  type Change,
  type Changes,
  changesOf,
  formatChange,
  inRegisterOrder,
  listChanges,
} from './changes.js'
import type { ReliedGaps } from './relied.js'
import type { VariantResult } from './variants.js'

/** Which gaps are tested: those the command relied on, all of them, or those of a list. */
export type WantedGaps = 'relied' | 'all' | readonly GapId[]

/** The readings of the first run. */
export interface BaseReadings {
  /** Those of the server. */
  readonly readings: Readings
  /** Those that were chosen for all runs, whatever scenario a simulator has. */
  readonly chosen: Changes
  /** The gaps of extensions of the server. */
  readonly own?: OwnGaps
}

/**
 * Returns the single changes to test after the first run, each once, in the order of the register. Of gaps that the
 * command relied on, only readings under which some answer would have been different are tested: under others it would
 * get the same bytes. Of gaps that were asked for, every other reading is tested. What the command itself has chosen is
 * left alone.
 */
export function firstChanges(relied: ReliedGaps, wanted: WantedGaps, base: BaseReadings): Change[] {
  const known = new Set([...(Object.keys(base.readings) as GapId[]), ...relied.keys()])
  const gaps = inRegisterOrder([...known]).filter(
    (gap) => wanted === 'all' || (wanted === 'relied' ? relied : new Set(wanted)).has(gap),
  )
  const changeable = gaps.filter((gap) => !relied.get(gap)?.fixed)
  return changeable.flatMap((gap) => {
    const instead = relied.get(gap)?.instead ?? []
    const gapOf = relied.get(gap)?.own ?? base.own?.get(gap)
    const all = (gapOf?.readings ?? readingsOf(gap)).map(({ name }) => name)
    const others = all.filter((name) => name !== base.readings[gap] || instead.includes(name))
    return (wanted === 'relied' ? instead : others)
      .filter((name) => name !== base.chosen[gap])
      .map((reading) => ({ gap, reading }))
  })
}

/**
 * Returns what to test next: readings that matter only under a change, each together with the first change that brought
 * it up. `known` has what was tested before, as `gap=reading`; these are added, so that it comes to an end.
 */
export function furtherChanges(
  results: readonly VariantResult[],
  known: Set<string>,
  wanted: WantedGaps,
): Changes[] {
  return results.flatMap(({ changes, outcome, runs: [run] }) => {
    if (outcome !== 'passed') return []
    const others = [...run.relied.values()].filter(({ gap }) => {
      return changes[gap] === undefined && (typeof wanted === 'string' || wanted.includes(gap))
    })
    return others
      .flatMap(({ gap, instead }) => instead.map((reading) => ({ gap, reading })))
      .filter((change) => isNew(change, known))
      .map((change) => changesOf([...listChanges(changes), change]))
  })
}

function isNew(change: Change, known: Set<string>): boolean {
  const key = formatChange(change)
  if (known.has(key)) return false
  known.add(key)
  return true
}
