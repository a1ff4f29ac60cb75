import { type GapId, gapIds, type Readings, readingsOf } from '../contract/gaps.js'
import { type Change, type Changes, changesOf, formatChange, listChanges } from './changes.js'
import type { ReliedGaps } from './relied.js'
import type { Judged } from './trials.js'

/** Which gaps are tried: those the command relied on, every one, or those of a list. */
export type WantedGaps = 'relied' | 'all' | readonly GapId[]

/** What the first run was under. */
export interface Ground {
  /** The readings of the server. */
  readonly readings: Readings
  /** Those that were chosen for all runs, whatever scenario a simulator has. */
  readonly chosen: Changes
}

/**
 * The single changes to be tried after the first run, each once, in the order of the register. Of the gaps that were
 * relied on, the readings under which no answer would have been another one are left out: the command would get
 * the same bytes. Of gaps that were asked for, every other reading is tried. What the command has chosen
 * itself is left alone.
 */
export function firstChanges(relied: ReliedGaps, wanted: WantedGaps, ground: Ground): Change[] {
  const gaps = gapIds.filter(
    (gap) => wanted === 'all' || (wanted === 'relied' ? relied : new Set(wanted)).has(gap),
  )
  const changeable = gaps.filter((gap) => !relied.get(gap)?.fixed)
  return changeable.flatMap((gap) => {
    const instead = relied.get(gap)?.instead ?? []
    const all = readingsOf(gap).map(({ name }) => name)
    const others = all.filter((name) => name !== ground.readings[gap] || instead.includes(name))
    return (wanted === 'relied' ? instead : others)
      .filter((name) => name !== ground.chosen[gap])
      .map((reading) => ({ gap, reading }))
  })
}

/**
 * What to try next: readings that matter only under a change, each together with the first change that brought it
 * up. `known` holds what was tried before, as `gap=reading`, and takes these in; so there is an end to it.
 */
export function furtherChanges(judged: readonly Judged[], known: Set<string>, wanted: WantedGaps): Changes[] {
  return judged.flatMap(({ changes, outcome, runs: [run] }) => {
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
