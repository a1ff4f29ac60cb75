import type { GapId } from '../../contract/gaps.js'
import type { Present } from '../present.js'
import type { ChosenReadings } from '../reading-layers.js'
import { formatInstant } from '../time.js'
import { type Snapshot, snapshotFormat, snapshotVersion } from './document.js'

/** Writes down a world; costs what it changed, whatever its scenario holds. The document shares nothing with it. */
export function takeSnapshot(present: Present, chosen: ChosenReadings): Snapshot {
  const { beginning, store, clock, faults, ids, timeline, courier } = present
  const { mode, beganAt, now } = clock.stand
  const { rows, deleted, ordinals } = store.written
  const snapshot = {
    format: snapshotFormat,
    version: snapshotVersion,
    scenario: beginning.scenario,
    seed: beginning.seed,
    fingerprint: beginning.fingerprint(),
    clock: { mode, began_at: formatInstant(beganAt), now: formatInstant(now) },
    readings: choicesIn(chosen),
    faults: faults.stand,
    ids: Object.fromEntries(ids.counts),
    ordinals,
    deliveries: courier.stand,
    timeline: { played: timeline.played },
    rows,
    deleted,
  }
  return JSON.parse(JSON.stringify(snapshot)) as Snapshot
}

/** What somebody chose, be it that the scenario did: a world may be restored where others chose. */
function choicesIn({ readings, origins }: ChosenReadings): Snapshot['readings'] {
  const entries = Object.entries(readings).map(([gap, reading]) => {
    return [gap, { reading, from: origins[gap as GapId] }] as const
  })
  return Object.fromEntries(entries.filter(([, { from }]) => from !== 'default'))
}
