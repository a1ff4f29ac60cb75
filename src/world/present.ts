import { MailboxStore } from '../model/index.js'
import type { Beginning } from './beginning.js'
import { bouncesBy } from './bounces.js'
import { Clock, type ClockStand } from './clock.js'
import type { ClockMode } from './clock-mode.js'
import type { CommandContext } from './commands/command.js'
import { FaultRules } from './faults/fault-rules.js'
import { type IdKind, IdSource } from './ids.js'
import { type Stage, Timeline } from './timeline.js'
import { Courier, type CourierParts } from './webhooks/courier.js'
import type { MailNews } from './webhooks/mail-event.js'

/** What of a world changes by itself or is changed. */
export interface Parts {
  readonly store: MailboxStore
  readonly clock: Clock
  readonly ids: IdSource
  readonly faults: FaultRules
}

/** What a world is made of between one beginning and the next. */
export interface Present extends Parts {
  readonly beginning: Beginning
  readonly timeline: Timeline
  readonly context: CommandContext
  readonly courier: Courier
}

/** What the parts of a world need of it. */
export interface Whole {
  readonly stage: Omit<Stage, 'clock'>
  readonly deliveries: Omit<CourierParts, 'seed' | 'clock' | 'store' | 'newId'>
  /** Told what a command tells. */
  readonly tell: (news: MailNews) => void
  /** Told that the clock was moved on or given another mode, with the instant it showed before. */
  readonly onClockMoved: (from: number, stand: ClockStand) => void
}

/** The parts of a world that begins. */
export function freshParts({ base, start, seed }: Beginning, mode: ClockMode): Parts {
  return {
    store: new MailboxStore(base),
    clock: new Clock(mode, start),
    ids: new IdSource(seed),
    faults: new FaultRules(seed),
  }
}

/** Puts the parts of a world together; its story has not begun yet. */
export function createPresent(
  beginning: Beginning,
  parts: Parts,
  { stage, deliveries, tell, onClockMoved }: Whole,
): Present {
  const { store, clock, ids } = parts
  const { seed } = beginning
  const newId = (kind: IdKind): string => ids.next(kind)
  const bounces = bouncesBy(beginning.bounces ?? [])
  clock.onMoved = (from) => onClockMoved(from, clock.stand)
  return {
    ...parts,
    beginning,
    timeline: new Timeline(beginning.timeline, { ...stage, clock }),
    context: { store, seed, now: () => clock.now(), newId, tell, bounces },
    courier: new Courier({ ...deliveries, seed, clock, store, newId }),
  }
}
