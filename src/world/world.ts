import { type Extensions, noExtensions } from '../contract/extensions.js'
import type { GapId, Readings } from '../contract/gaps.js'
import { type IdKind, MailboxStore } from '../model/index.js'
import { Clock } from './clock.js'
import { bouncesBy } from './commands/command.js'
import { type CommandOf, type CommandType, checkCommand, commands, type ResultOf } from './commands/index.js'
import { withFilesByReference } from './commands/mail.js'
import { StateError, WorldError } from './errors.js'
import { EventFeed, type WorldEventType } from './event-feed.js'
import type { RecordedExchange } from './exchange.js'
import { checkFault } from './faults/fault.js'
import { type FaultRule, FaultRules } from './faults/fault-rules.js'
import { Journal } from './journal.js'
import { deliveryEntry, entriesOfPause, type LogEntry, type LogReplay, WorldLog } from './log.js'
import { Masker } from './masker.js'
import { IdSource } from './random.js'
import { type ReadingChoices, withChoices } from './readings.js'
import { WorldSecrets } from './secrets.js'
import { type RelianceSummary, summarizeReliances } from './settle.js'
import {
  choicesIn,
  type Snapshot,
  type SnapshotOptions,
  takeSnapshot,
  withoutSecrets,
} from './snapshot/document.js'
import { readSnapshot } from './snapshot/read-snapshot.js'
import { type ClockMode, formatInstant } from './time.js'
import { Timeline, Triggers } from './timeline.js'
import { Deliveries, showDelivery } from './webhooks/deliveries.js'
import { DeliveryDispatcher, postponed } from './webhooks/dispatcher.js'
import { type NewMailEvent, showEvent } from './webhooks/subscriptions.js'
import { Receivers } from './webhooks/transport.js'
import {
  defaultHost,
  type InitialState,
  type RecordedWorld,
  type WorldHost,
  type WorldState,
} from './world-state.js'

/** An isolated simulation with its own model, clock, ids, readings and journal. */
export class World {
  readonly id: string
  readonly journal: Journal
  /** Masks keys and tokens in everything that is shown of this world. */
  readonly masker: Masker
  readonly feed: EventFeed
  /** The instants of the latest requests of each API key, the oldest first; the key of the latest request comes last. */
  readonly recentRequests = new Map<string, number[]>()
  /** Receives deliveries in this process. */
  readonly receivers = new Receivers()
  readonly deliveries: Deliveries
  /** The changes since the log was last written; undefined when worlds have no log. */
  readonly log: WorldLog | undefined
  readonly #host: WorldHost
  #mode: ClockMode
  #state: WorldState
  #readings: Readings
  #origins: Readonly<Record<GapId, string>>
  #generation = 0
  #emitted: NewMailEvent[] = []
  #suspended = false

  constructor(id: string, initialState: InitialState, clock: ClockMode, host = defaultHost) {
    this.id = id
    this.#host = host
    this.masker = new Masker(() => [...this.secrets, ...host.furtherSecrets()])
    this.journal = new Journal(id, this.masker)
    this.feed = new EventFeed(id, host.onDefect)
    const { onLogged } = host
    this.log = onLogged && new WorldLog(() => onLogged(id))
    this.#suspended = onLogged !== undefined
    this.deliveries = new Deliveries(this)
    this.#mode = clock
    this.#readings = initialState.readings
    this.#origins = initialState.origins
    this.#state = this.#assemble(initialState)
    if (!this.#suspended) this.timeline.begin()
  }

  /** The state from which the world started, and to which a reset returns. */
  get initialState(): InitialState {
    return this.#state.initialState
  }

  /** The additions of extensions to the documented interface. */
  get extensions(): Extensions {
    return this.initialState.extensions ?? noExtensions
  }

  get store(): MailboxStore {
    return this.#state.store
  }

  get clock(): Clock {
    return this.#state.clock
  }

  get timeline(): Timeline {
    return this.#state.timeline
  }

  /** The entries of the scenario that wait for a client. */
  get triggers(): Triggers {
    return this.#state.triggers
  }

  get faults(): FaultRules {
    return this.#state.faults
  }

  get dispatcher(): DeliveryDispatcher {
    return this.#state.dispatcher
  }

  /** The readings in force; a new object each time they change. */
  get readings(): Readings {
    return this.#readings
  }

  /** Who chose the reading of each gap: `default`, `scenario`, a flag, or the running program. */
  get origins(): Readonly<Record<GapId, string>> {
    return this.#origins
  }

  /** Increases with every restart, suspension and close: work begun in one generation must not affect the next. */
  get generation(): number {
    return this.#generation
  }

  /** Whether the world was closed: it can still be read, but no longer changed. */
  get closed(): boolean {
    return this.feed.closed
  }

  /** The API keys, tokens and other secrets this world has had since it began, including those of deleted rows. */
  get secrets(): Iterable<string> {
    return this.#state.secrets
  }

  /** Changes some readings. @throws ReadingError, WorldError */
  setReadings(choices: ReadingChoices, from = 'set while running'): void {
    this.assertOpen()
    this.#readings = withChoices(this.#readings, choices, this.extensions.gaps)
    const set = Object.fromEntries(Object.keys(choices).map((gap) => [gap, from]))
    this.#origins = { ...this.#origins, ...set }
    const chosen = { ...choices }
    this.log?.add({ type: 'readings', at: formatInstant(this.clock.now()), readings: chosen, from })
    this.#publish('readings', () => ({ readings: chosen, from }))
  }

  /** Adds a fault rule as users write it. @throws FaultError `invalid`, `impossible`, `too-many`; WorldError */
  addFault(input: unknown): FaultRule {
    this.assertOpen()
    const rule = this.faults.add(checkFault(input, this.store, this.extensions))
    this.#publish('fault', () => ({ id: rule.id, fault: rule.fault }))
    return rule
  }

  /** Removes a fault rule; returns false when there is none with that id. */
  removeFault(id: string): boolean {
    if (!this.faults.remove(id)) return false
    this.#publish('fault', () => ({ id, fault: null }))
    return true
  }

  clearFaults(): void {
    for (const { id } of this.faults.list()) this.removeFault(id)
  }

  record(exchange: RecordedExchange): void {
    const entry = this.journal.record(exchange)
    this.feed.publish('exchange', exchange.at, entry, entry.size)
  }

  /** Applies a command: the only way the model of a world changes. @throws CommandError, WorldError */
  apply<T extends CommandType>(command: CommandOf<T> & { type: T }): ResultOf<T> {
    this.assertOpen()
    const checked = checkCommand(command)
    const at = this.clock.now()
    this.#emitted = []
    // One instant for the rows, the journal and the log, though the clock may run.
    const result = commands[checked.type].apply({ ...this.#state.context, now: () => at }, checked as never)
    // A listener to the command may apply another one or reset the world: these events belong to this dispatcher.
    const [emitted, { dispatcher }] = [this.#emitted, this]
    this.log?.add({ type: 'command', at: formatInstant(at), command: checked })
    // Records the checked copy: the caller may change its own object later.
    const kept = withFilesByReference(checked, result, (id) => this.store.get('attachment', id)?.content)
    const size = this.journal.recordCommand(at, kept)
    this.feed.publish('command', at, { show: () => this.masker.content(kept) }, size)
    for (const event of emitted) dispatcher.dispatch(event)
    return result as ResultOf<T>
  }

  /** Returns the result of applying a command, without applying it. @throws CommandError */
  rehearse<T extends CommandType>(command: CommandOf<T> & { type: T }): ResultOf<T> {
    const checked = checkCommand(command)
    const context = {
      ...this.#state.context,
      store: this.store.rehearsal(),
      newId: (kind: IdKind) => `${kind}_0`,
      emit: () => undefined,
      noteSecrets: () => undefined,
    }
    return commands[checked.type].apply(context, checked as never) as ResultOf<T>
  }

  /** Summarizes the silent points that exchanges and deliveries relied on, in the order in which they first came up. */
  reliances(): RelianceSummary[] {
    return summarizeReliances([...this.journal.relied(), ...this.dispatcher.relied()])
  }

  /** Returns to the start of the scenario, with an empty journal. @throws WorldError */
  reset(): void {
    this.restart(this.initialState)
  }

  /** Starts another scenario and discards the current one. @throws WorldError */
  restart(initialState: InitialState, clock = this.#mode): void {
    this.assertOpen()
    this.#mode = clock
    this.#begin(initialState)
  }

  /** Takes a snapshot of this world. One with masked secrets cannot be restored. */
  snapshot({ secrets = 'included' }: SnapshotOptions = {}): Snapshot {
    const snapshot = takeSnapshot(this.#state, { readings: this.#readings, origins: this.#origins })
    return secrets === 'masked' ? withoutSecrets(snapshot, this.masker) : snapshot
  }

  /** Restores a snapshot and empties the journal. @throws SnapshotError, WorldError */
  restore(snapshot: unknown): void {
    this.assertOpen()
    this.#begin(this.initialState, readSnapshot(snapshot, this.initialState))
    const at = formatInstant(this.clock.now())
    this.log?.begin({ type: 'snapshot', at, snapshot: this.snapshot() })
  }

  /** Starts a world whose log is empty. */
  start(): void {
    this.#suspended = false
    this.#begin(this.initialState)
  }

  /** Resumes at the end of the world's log. */
  recover(replay: LogReplay): void {
    this.#suspended = false
    this.#begin(this.initialState, replay.recorded, true)
  }

  /** Stops the clock and the deliveries and refuses changes: another process resumes the world. */
  suspend(): void {
    this.#generation++
    this.#suspended = true
    this.dispatcher.stop()
    this.clock.stop()
  }

  /** Deletes the recorded exchanges, commands and events. */
  forget(): void {
    this.journal.clear()
    this.feed.clear()
  }

  /** Stops everything for good and ends the feed. */
  close(): void {
    if (this.closed) return
    this.#generation++
    // With a log, unfinished deliveries are resumed later or by another process.
    if (this.log) this.dispatcher.stop()
    else this.dispatcher.close()
    this.clock.stop()
    this.feed.close()
  }

  /** @throws WorldError */
  assertOpen(): void {
    if (this.closed)
      throw new WorldError(
        'closed',
        `The world "${this.id}" was closed and can no longer change; fork() of another world creates a new one.`,
      )
    if (this.#suspended) {
      throw new StateError(
        'moved',
        `The world "${this.id}" has moved to another server; the next request finds it.`,
        1,
      )
    }
  }

  #beginning(): LogEntry {
    const { scenario, seed, fingerprint } = this.initialState
    const { mode, beganAt } = this.clock.state
    const at = formatInstant(beganAt)
    const readings = choicesIn({ readings: this.#readings, origins: this.#origins })
    return { type: 'begin', at, scenario, seed, fingerprint: fingerprint(), mode, readings }
  }

  /** Publishes an event; its content is rendered and masked when somebody reads it. */
  #publish(type: WorldEventType, content: () => unknown, at = this.clock.now()): void {
    this.feed.publish(type, at, { show: () => this.masker.content(content()) })
  }

  /** Starts from the initial state, or resumes a recorded world; `isLogged` when that came from the world's own log. */
  #begin(initialState: InitialState, recorded?: RecordedWorld, isLogged = false): void {
    // Before the secrets of this generation are dropped: listeners may still read, and so mask, its events.
    this.forget()
    const generation = ++this.#generation
    this.dispatcher.stop()
    this.clock.stop()
    this.recentRequests.clear()
    this.#state = this.#assemble(initialState, recorded)
    const { readings, origins } = recorded?.chosen ?? initialState
    this.#readings = readings
    this.#origins = origins
    const { clock } = this.#state
    const deliveries = recorded && postponed(recorded.deliveries, clock.now() - recorded.clock.now)
    if (isLogged && deliveries)
      this.log?.resume(clock.mode === 'real' ? entriesOfPause(clock.state, deliveries) : [])
    else this.log?.begin(this.#beginning())
    this.#publish('reset', () => ({ scenario: initialState.scenario }))
    // A listener may have restarted the world again.
    if (this.#generation !== generation) return
    this.timeline.begin(recorded?.played)
    if (recorded) this.triggers.resume(recorded.triggered)
    if (deliveries) this.dispatcher.resume(deliveries)
  }

  /** Assembles the initial state or that of a recorded world; does not start the timeline. */
  #assemble(initialState: InitialState, recorded?: RecordedWorld): WorldState {
    const { base, seed, start } = initialState
    const store = recorded?.store ?? new MailboxStore(base)
    const secrets = new WorldSecrets(seed, store, initialState.deliveryFormat)
    const clock = new Clock(recorded?.clock.mode ?? this.#mode, start)
    if (recorded) clock.resume(recorded.clock)
    const ids = new IdSource(seed, recorded?.ids)
    const faults = new FaultRules(seed, recorded?.faults)
    const { log } = this
    const at = (): string => formatInstant(clock.now())
    faults.onChanged = () =>
      log?.addLatest('faults', () => ({ type: 'faults', at: at(), faults: faults.state }))
    const newId = (kind: IdKind): string => ids.next(kind)
    clock.onMoved = (from) => {
      const { now, mode, beganAt } = clock.state
      log?.add({ type: 'clock', at: formatInstant(now), mode, began_at: formatInstant(beganAt) })
      this.#publish('clock', () => ({ from: formatInstant(from), now: formatInstant(now), mode }))
    }
    const triggers = new Triggers(initialState.triggered ?? [], this, (entry) => {
      this.#publish('timeline', () => entry)
    })
    triggers.onCounted = () => {
      log?.addLatest('triggers', () => ({ type: 'triggers', at: at(), triggers: triggers.state }))
    }
    return {
      ...{ initialState, store, secrets, clock, ids, faults, triggers },
      timeline: new Timeline(initialState.timeline, this, (entry) => {
        log?.add({ type: 'timeline', at: at(), played: entry })
        this.#publish('timeline', () => entry)
      }),
      context: {
        store,
        seed,
        now: () => clock.now(),
        newId,
        emit: (event) => void this.#emitted.push(event),
        noteSecrets: (webhook) => secrets.note(webhook),
        bounces: bouncesBy(initialState.bounces ?? []),
      },
      dispatcher: new DeliveryDispatcher({
        ...this.#host,
        ...{ seed, clock, store, newId },
        format: initialState.deliveryFormat,
        receivers: this.receivers,
        readings: () => this.#readings,
        onEvent: (event, subscriptions, unmatched) => {
          log?.addLatest('ids', () => {
            const { event = 0, delivery = 0 } = ids.counts
            return { type: 'ids', at: at(), event, delivery }
          })
          this.#publish('event', () => showEvent(event, subscriptions))
          this.#host.onUnmatched(unmatched, this)
        },
        onDelivery: (record) => {
          const { state } = record
          log?.addLatest(state.id, () => deliveryEntry(record, at()))
          this.#publish('delivery', () => showDelivery(state, this.masker))
          this.#host.onDelivery(record, this)
          if (record.hasSucceeded) this.triggers.noteSuccess(state.id, state.event.type)
        },
      }),
    }
  }
}
