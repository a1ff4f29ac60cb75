import { MailboxStore } from '../../model/index.js'
import type { Beginning } from '../beginning.js'
import { Clock } from '../clock.js'
import type { ClockMode } from '../clock-mode.js'
import { FaultRules } from '../faults/fault-rules.js'
import { type IdKind, IdSource } from '../ids.js'
import type { Parts } from '../present.js'
import type { ChosenReadings } from '../reading-layers.js'
import { formatInstant, parseInstant } from '../time.js'
import type { PlayedEntry } from '../timeline.js'
import type { CourierStand } from '../webhooks/courier.js'
import { checkDeleted } from './check-deleted.js'
import { checkDeliveries } from './check-deliveries.js'
import { checkReferences } from './check-references.js'
import { checkRows } from './check-rows.js'
import { checkFaults, checkTimeline, clockStandOf } from './check-story.js'
import { checkThreads } from './check-threads.js'
import type { Snapshot } from './document.js'
import { parseSnapshot, readingsOf } from './parse.js'

/** What a snapshot makes of a world. */
export interface Restored {
  readonly parts: Parts
  readonly chosen: ChosenReadings
  /** What has happened of its story. */
  readonly played: readonly PlayedEntry[]
  /** What is still to be delivered. */
  readonly deliveries: CourierStand
}

/**
 * Makes the parts of a world as it was when a snapshot was taken; they stand beside those in use. `mode` is how time
 * passes once the world is reset.
 * @throws SnapshotError
 */
export function readSnapshot(document: unknown, beginning: Beginning, mode: ClockMode): Restored {
  const snapshot = parseSnapshot(document, beginning)
  const { seed, start, timeline } = beginning
  const { faults, ids } = snapshot
  const chosen = readingsOf(snapshot)
  const stand = clockStandOf(snapshot)
  checkTimeline(snapshot, timeline, stand)
  checkFaults(snapshot)
  const store = storeOf(snapshot, beginning)
  const clock = new Clock(mode, start)
  clock.goOn(stand)
  const counts = new Map(Object.entries(ids) as [IdKind, number][])
  const parts = { store, clock, ids: new IdSource(seed, counts), faults: new FaultRules(seed, faults) }
  checkDeliveries(snapshot, stand)
  const deliveries = postponed(snapshot.deliveries, clock.now() - stand.now)
  return { parts, chosen, played: snapshot.timeline.played, deliveries }
}

/** What is still to be delivered, as much later as the clock begun: a real one shows the time of the machine. */
function postponed({ subscriptions, unfinished }: CourierStand, by: number): CourierStand {
  const later = (instant: string | null): string | null =>
    instant === null ? null : formatInstant((parseInstant(instant) as number) + by)
  return {
    subscriptions,
    unfinished: unfinished.map((delivery) => ({
      ...delivery,
      next_attempt_at: later(delivery.next_attempt_at),
    })),
  }
}

function storeOf(snapshot: Snapshot, { base }: Beginning): MailboxStore {
  checkRows(snapshot, base)
  const store = new MailboxStore(base, snapshot)
  checkReferences(snapshot, { store, isNew: (model, id) => base.database.get(model, id) === undefined })
  checkDeleted(snapshot, base, store)
  checkThreads(snapshot, base, store)
  return store
}
