import { z } from '../../base/schema.js'
import type { Extensions } from '../../contract/extensions.js'
import type { Assumptions, GapId } from '../../contract/gaps.js'
import type { ChosenAssumptions } from '../assumptions/assumptions.js'
import type { FaultState } from '../faults/fault-rules.js'
import type { Base } from '../model/base.js'
import { MailboxStore } from '../model/mailbox-store.js'
import { modelNames } from '../model/rows.js'
import type { ClockState } from '../time/clock.js'
import type { IdCounts } from '../time/random.js'
import type { ClockMode } from '../time/time.js'
import { wallTime } from '../time/wall-time.js'
import type { DeliveryCounts, DeliveryState } from '../webhooks/delivery.js'
import type { DeliveryFormat } from '../webhooks/delivery-format.js'
import type { KeptAnswer } from './kept-answers.js'
import type { TriggeredEntry } from './story.js'
import type { PlayedEntry, TimelineEntry, TriggerState } from './story-entry.js'

/** The state of a world at its start, compiled from a scenario. */
export interface InitialState {
  readonly scenario: string
  /** The scenario's own description of its story; empty when it has none. */
  readonly describe: string
  readonly seed: number
  /** Identifies the content of the scenario: a snapshot can be restored only over the same content. */
  readonly fingerprint: () => string
  /** The instant the story begins, in milliseconds since the epoch. */
  readonly start: number
  readonly base: Base
  readonly assumptions: Assumptions
  /** Who chose the assumption of each gap. */
  readonly origins: Readonly<Record<GapId, string>>
  /** The entries that are played after the start, in order. */
  readonly timeline: readonly TimelineEntry[]
  /** The entries that clients trigger; none by default. */
  readonly triggered?: readonly TriggeredEntry[]
  /** Addresses whose mail bounces; `*` matches any characters. None by default. */
  readonly bounces?: readonly string[]
  /** The additions of extensions to the documented interface; none by default. */
  readonly extensions?: Extensions
  /** The delivery format that the service has published; by default, the assumptions decide. */
  readonly deliveryFormat?: DeliveryFormat | undefined
}

/**
 * The state of a world at one instant, as plain data and rows: what a snapshot contains, what entries of a log change, and
 * what another world can go on from.
 */
export interface WorldState {
  clock: ClockState
  readonly store: MailboxStore
  /** How many ids of each kind it has assigned. */
  ids: IdCounts
  /** How many messages agents have sent. */
  sent: number
  faults: FaultState
  /** The responses that are kept for requests with the same `Idempotency-Key`, by name, the oldest first. */
  readonly answers: Map<string, KeptAnswer>
  chosen: ChosenAssumptions
  /** The timeline entries that were played. */
  readonly played: PlayedEntry[]
  triggered: TriggerState
  /** The deliveries that have not finished, and those that the story may send again, by id. */
  readonly deliveries: Map<string, DeliveryState>
  readonly counts: DeliveryCounts
}

/** Creates the schema of the numbers of ids that a world has assigned; `instant` is when the latest message was created. */
export const idCountsSchema = () => {
  const kinds = [...modelNames, 'event', 'delivery'].map((kind) => [kind, z.int().min(0).optional()])
  const counts = Object.fromEntries(kinds) as Record<
    Exclude<keyof IdCounts, 'instant'>,
    z.ZodOptional<z.ZodInt>
  >
  return z.strictObject({ ...counts, instant: z.int().optional() })
}

/** Returns the state of a world in which nothing has happened. */
export function stateAtStart(
  { base, start, assumptions, origins }: InitialState,
  mode: ClockMode,
): WorldState {
  const now = mode === 'real' ? wallTime() : start
  return {
    clock: { mode, beganAt: now, now },
    store: new MailboxStore(base),
    ids: {},
    sent: 0,
    faults: { added: 0, rules: [] },
    answers: new Map(),
    chosen: { assumptions, origins },
    played: [],
    triggered: { counts: {}, played: [] },
    deliveries: new Map(),
    counts: { subscriptions: {}, events: {} },
  }
}

/** Returns a copy that can be changed apart from the state; it shares the rows, which are replaced and never changed. */
export function copyState(initialState: InitialState, state: WorldState): WorldState {
  return copierOf(initialState, state)()
}

/** Returns a function that makes a copy of a state as it is now, whose lists of rows are only built then. */
export function copierOf({ base }: InitialState, state: WorldState): () => WorldState {
  const { subscriptions, events } = state.counts
  const { written } = state.store
  const parts = {
    ...state,
    ids: { ...state.ids },
    answers: new Map(state.answers),
    played: [...state.played],
    triggered: { ...state.triggered, played: [...state.triggered.played] },
    deliveries: new Map(state.deliveries),
    counts: { subscriptions: { ...subscriptions }, events: { ...events } },
  }
  return () => ({ ...parts, store: MailboxStore.of(base, written) })
}

/**
 * Returns the state from which a world resumes now. Its story goes on at its own instant; only a real clock of which it is known
 * how it follows the machine's, as in a log, has run on meanwhile.
 */
export function resumedNow(state: WorldState): WorldState {
  const { mode, now, ahead } = state.clock
  if (mode !== 'real' || ahead === undefined) return state
  // The machine's time may have been set back.
  return { ...state, clock: { ...state.clock, now: Math.max(now, wallTime() + ahead) } }
}
