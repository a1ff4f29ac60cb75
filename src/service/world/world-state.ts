import type { Assumptions } from '../../contract/gaps.js'
import {
  type AssumptionChoices,
  type ChosenAssumptions,
  chooseAssumptions,
} from '../assumptions/assumptions.js'
import { FaultRules, type FaultState } from '../faults/fault-rules.js'
import { MailboxStore } from '../model/mailbox-store.js'
import { Recorder, type RecordingWorld } from '../record/recorder.js'
import { Clock, type ClockState } from '../time/clock.js'
import { type IdCounts, IdSource } from '../time/random.js'
import { type ClockMode, formatInstant, parseInstant } from '../time/time.js'
import { wallTime } from '../time/wall-time.js'
import type { DeliveryState } from '../webhooks/delivery.js'
import type { ObservedWorld } from '../webhooks/delivery-host.js'
import { DeliveryDispatcher } from '../webhooks/dispatcher.js'
import { type DispatcherState, dispatcherState, postponed } from '../webhooks/dispatcher-state.js'
import type { Receivers } from '../webhooks/transport.js'
import type { InitialState } from './initial-state.js'
import { type KeptAnswer, KeptAnswers } from './kept-answers.js'
import { WorldSecrets } from './secrets.js'
import { SentCount } from './sent-count.js'
import type { TimelineWorld } from './story-action.js'
import { type PlayedEntry, redeliveredBy } from './story-entry.js'
import { Timeline } from './timeline.js'
import { type TriggerState, Triggers } from './triggers.js'
import type { WorldHost } from './world-host.js'

/** The state of a world at one instant, as plain data and rows: what snapshots and logs keep. */
export interface RecordedWorld {
  readonly clock: ClockState
  readonly store: MailboxStore
  /** How many ids of each kind it has assigned. */
  readonly ids: IdCounts
  /** How many messages agents have sent. */
  readonly sent: number
  readonly faults: FaultState
  readonly answers: readonly KeptAnswer[]
  readonly chosen: ChosenAssumptions
  /** The timeline entries that were played. */
  readonly played: readonly PlayedEntry[]
  readonly triggered: TriggerState
  /** The unfinished deliveries, and those that the story may refer to. */
  readonly deliveries: DispatcherState
  /** The messages that may not be listed yet. */
}

/** Returns a world in which nothing has happened. */
export function worldAtStart(initialState: InitialState, mode: ClockMode): RecordedWorld {
  const { base, start, assumptions, origins } = initialState
  const now = mode === 'real' ? wallTime() : start
  return {
    clock: { mode, beganAt: now, now },
    store: new MailboxStore(base),
    ids: {},
    sent: 0,
    faults: { added: 0, rules: [] },
    answers: [],
    chosen: { assumptions, origins },
    played: [],
    triggered: { counts: {}, played: [] },
    deliveries: dispatcherState({ subscriptions: {}, events: {} }, []),
  }
}

/**
 * Returns the state from which a world resumes now. On a real clock, its story has continued during the pause
 * if it is known how the clock follows the machine's (in a log). Otherwise (in a snapshot), the pause does
 * not count, so the beginning of its story, its pending deliveries and the age of kept responses are
 * postponed by it.
 */
export function resumedNow(recorded: RecordedWorld): RecordedWorld {
  const { mode, beganAt, now, ahead } = recorded.clock
  if (mode !== 'real') return recorded
  // The machine's time may have been set back.
  const pause = Math.max(0, wallTime() + (ahead ?? 0) - now)
  if (ahead !== undefined) return { ...recorded, clock: { ...recorded.clock, now: now + pause } }
  return {
    ...recorded,
    clock: { mode, beganAt: beganAt + pause, now: now + pause },
    answers: recorded.answers.map((answer) => ({ ...answer, kept_at: answer.kept_at + pause })),
    deliveries: postponed(recorded.deliveries, pause),
    triggered: postponedEntries(recorded.triggered, pause),
  }
}

function postponedEntries({ pending = [], ...state }: TriggerState, pause: number): TriggerState {
  const later = pending.map((one) => {
    return { ...one, at: formatInstant((parseInstant(one.at) as number) + pause) }
  })
  return { ...state, ...(later.length > 0 && { pending: later }) }
}

/** The world around a state. */
export interface StatefulWorld extends TimelineWorld, RecordingWorld, ObservedWorld {
  readonly assumptions: Assumptions
  readonly receivers: Receivers
}

/** The parts of a world that each restart replaces; nothing runs before `begin`. */
export class WorldState {
  readonly initialState: InitialState
  readonly store: MailboxStore
  readonly secrets: WorldSecrets
  readonly clock: Clock
  readonly recorder: Recorder
  readonly ids: IdSource
  readonly sent: SentCount
  readonly faults: FaultRules
  readonly answers: KeptAnswers
  readonly timeline: Timeline
  readonly triggers: Triggers
  readonly dispatcher: DeliveryDispatcher
  chosen: ChosenAssumptions
  readonly #deliveries: DispatcherState

  constructor(initialState: InitialState, start: RecordedWorld, world: StatefulWorld, host: WorldHost) {
    const { seed, timeline, triggered = [], deliveryFormat: format } = initialState
    this.#deliveries = start.deliveries
    this.initialState = initialState
    this.store = start.store
    this.chosen = start.chosen
    this.secrets = new WorldSecrets(seed, start.store, format)
    const { mode, now, beganAt, ahead } = start.clock
    this.clock = new Clock(mode, now, beganAt, ahead)
    this.recorder = new Recorder(world, this.clock)
    this.ids = new IdSource(seed, start.ids)
    this.sent = new SentCount(start.sent, host.maxSent)
    this.faults = new FaultRules(seed, this.recorder, start.faults)
    this.answers = new KeptAnswers(start.answers)
    this.timeline = new Timeline(timeline, world, this.recorder, start.played)
    this.triggers = new Triggers(triggered, world, this.recorder, start.triggered, seed)
    const { store, clock, recorder, ids, triggers } = this
    this.dispatcher = new DeliveryDispatcher({
      seed,
      format,
      world,
      host,
      store,
      clock,
      recorder,
      ids,
      triggers,
      redelivered: redeliveredBy([...timeline, ...triggered]),
    })
  }

  /** The present state of every part that another world can resume. */
  get recorded(): RecordedWorld {
    const { store, clock, ids, sent, faults, answers, chosen, timeline, triggers, dispatcher } = this
    return {
      store,
      clock: clock.state,
      ids: ids.counts,
      sent: sent.count,
      faults: faults.state,
      answers: answers.state,
      chosen,
      played: timeline.played,
      triggered: triggers.state,
      deliveries: dispatcher.state,
    }
  }

  /** Chooses assumptions as they were chosen in a story that is told again. */
  tellAssumptions({
    assumptions,
    from,
  }: {
    readonly assumptions: AssumptionChoices
    readonly from: string
  }): void {
    this.chosen = chooseAssumptions(
      [{ from, input: assumptions }],
      this.chosen,
      this.initialState.extensions?.gaps,
    )
    this.recorder.publish('assumptions', () => ({ assumptions, from }))
  }

  /** Starts the timeline and continues the deliveries. */
  begin(): void {
    this.timeline.begin()
    this.triggers.begin()
    this.dispatcher.resume(this.#deliveries)
  }

  /** Shows these deliveries, and stands still. */
  show(deliveries: readonly DeliveryState[]): void {
    this.dispatcher.show(deliveries, this.#deliveries)
    this.clock.stopAt(this.clock.now())
    this.stop()
  }

  /** Stops everything that runs, silently. */
  stop(): void {
    this.dispatcher.stop()
    this.clock.stop()
  }
}
