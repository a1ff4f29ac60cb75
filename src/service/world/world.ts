import { type AssumptionChoices, chooseAssumptions } from '../assumptions/assumptions.js'
import { type RelianceSummary, summarizeReliances } from '../assumptions/settle.js'
import { checkFault } from '../faults/fault.js'
import type { FaultRule } from '../faults/fault-rules.js'
import { givenUp, WorldError } from '../model/errors.js'
import { EventFeed } from '../record/event-feed.js'
import { History } from '../record/history.js'
import { type LoggedChange, WorldLog } from '../record/log.js'
import { Masker } from '../record/masker.js'
import type { ClockMode } from '../time/time.js'
import { inTurns } from '../time/wall-time.js'
import { Deliveries } from '../webhooks/deliveries.js'
import { Receivers } from '../webhooks/transport.js'
import { carryOut } from './carry-out.js'
import { type CommandOf, type CommandType, checkCommand, type ResultOf } from './commands/commands.js'
import type { RecordedExchange } from './exchange.js'
import type { InitialState } from './initial-state.js'
import { Journal } from './journal.js'
import type { LogReplay } from './log-replay.js'
import {
  type FoundMoment,
  findMoment,
  keepStates,
  type PastMoment,
  type PastWorld,
  pastWorld,
  type Remembered,
  rebuild,
} from './past.js'
import { beginRetelling, Retelling } from './retelling.js'
import { sentMail, showSent } from './sent-mail.js'
import {
  beginningOf,
  type Snapshot,
  type SnapshotOptions,
  snapshotPieces,
  takeSnapshot,
  wholeParts,
  withoutSecrets,
} from './snapshot/document.js'
import { readingSnapshot, readSnapshot } from './snapshot/read-snapshot.js'
import type { AgentLife } from './story-entry.js'
import type { ToldStory } from './told-story.js'
import { defaultHost, type WorldHost } from './world-host.js'
import { WorldParts } from './world-parts.js'
import { type RecordedWorld, resumedNow, WorldState, worldAtStart } from './world-state.js'

/** An isolated simulation with its own model, clock, ids, assumptions and journal. */
export class World extends WorldParts {
  readonly id: string
  readonly journal: Journal
  /** Masks keys and tokens in everything that this world outputs. */
  readonly masker: Masker
  readonly feed: EventFeed
  /** The instants of the latest requests of each API key, the oldest first; the key of the latest request comes last. */
  readonly recentRequests = new Map<string, number[]>()
  /** Receives deliveries in this process. */
  readonly receivers = new Receivers()
  /** Makes a request wait before it is handled; set by what decides when time passes. */
  gate:
    | ((
        request: Pick<RecordedExchange, 'method' | 'path' | 'search'> & { readonly signal: AbortSignal },
      ) => Promise<void> | undefined)
    | undefined
  /** The program of the agent; set by what plays a story to it. */
  agentLife: AgentLife | undefined
  readonly deliveries: Deliveries
  /** The changes since the log was last written; undefined when worlds have no log. */
  readonly log: WorldLog | undefined
  /** What happened since it began, from which it can be rebuilt as it was. */
  readonly history = new History(keepStates(() => [this.state, this.#told]))
  /** The moment at which it was, for a world that can only be read; undefined for a present one. */
  readonly past: PastMoment | undefined
  readonly #host: WorldHost
  #mode: ClockMode
  protected state: WorldState
  #generation = 0
  /** The state of a story that is told again, as far as it was told. */
  #told: LogReplay | undefined
  #suspended = false
  #beganMs = 0

  /** `from` is the state from which it resumes. With `before`, it is only shown as it was before the present of that world. */
  constructor(
    id: string,
    initialState: InitialState,
    clock: ClockMode,
    host = defaultHost,
    from?: RecordedWorld,
    before?: Remembered,
  ) {
    super()
    this.id = id
    this.#host = host
    this.masker = new Masker(() => [...this.secrets, ...host.furtherSecrets()])
    this.journal = before?.journal ?? new Journal(id, this.masker)
    this.past = before?.moment
    this.feed = new EventFeed(id, host.onDefect, () => this.secrets.size + host.furtherSecrets().size)
    const { onLogged } = host
    this.log = onLogged && new WorldLog(() => onLogged(id))
    this.#suspended = onLogged !== undefined
    this.deliveries = new Deliveries(this)
    this.#mode = clock
    const start = from ? (before ? from : resumedNow(from)) : worldAtStart(initialState, clock)
    this.state = new WorldState(initialState, start, this, host)
    this.#beganMs = this.clock.monotonic
    if (before) {
      this.state.show(before.deliveries)
      if (before.feed) this.feed.continueFrom(before.feed, start.clock.now)
      return
    }
    this.history.begin(from ? 'fork' : 'start')
    if (!this.#suspended) this.state.begin()
  }

  /**
   * Returns this world as it was just after an exchange, a delivery or at an instant, for reading.
   * @throws WorldError `no-moment`
   */
  asOf(moment: PastMoment): World {
    const found = findMoment(this, moment)
    const { recorded, deliveries } = this.#rebuild(found)
    const furtherSecrets = () => new Set([...this.secrets, ...this.#host.furtherSecrets()])
    const host = { ...this.#host, furtherSecrets, onLogged: undefined }
    const { initialState, feed } = this
    const journal = this.journal.until(found.exchange, found.command)
    const before = { moment, journal, deliveries, feed }
    return new World(this.id, initialState, recorded.clock.mode, host, recorded, before)
  }

  /** Returns the state of this world at a moment, from which another one can go on. @throws WorldError `no-moment` */
  recordedAt(moment: PastMoment): RecordedWorld {
    return this.#rebuild(findMoment(this, moment)).recorded
  }

  /**
   * Begins the story again as it was told to somebody: nothing happens by itself, until it goes on by itself where the retelling
   * ends. @throws SnapshotError if that was the story of another scenario or seed; WorldError
   */
  retell(told: ToldStory): Retelling {
    this.assertOpen()
    const { replay, start } = beginRetelling(this.initialState, told)
    this.#told = replay
    this.#begin(this.initialState, start, 'retold')
    const { state, history, journal, feed } = this
    const wake = (recorded: RecordedWorld): void => this.#wake(recorded)
    return new Retelling(told, replay, { state, history, journal, feed, wake })
  }

  #wake(recorded: RecordedWorld): void {
    const { deliveries, clock } = recorded
    const shown = this.dispatcher.log.list().map(({ state }) => state)
    const start = resumedNow({ ...recorded, clock: { ...clock, mode: this.#mode } })
    this.#told = undefined
    this.state = new WorldState(this.initialState, start, this, this.#host)
    this.dispatcher.show(shown, deliveries)
    this.state.begin()
  }

  #rebuild({ position, now }: FoundMoment): PastWorld {
    const since = this.history.until(position)
    if (!since) throw new Error(`The history has no position ${position}.`)
    return rebuild(this.initialState, since, now)
  }

  /** The base URL of stored files in deliveries and controls. */
  get base(): string {
    return this.#host.base()
  }

  /** Milliseconds of wall time for which an agent that nobody observes has to be quiet until a clock `auto` moves on. */
  get patience(): number {
    return this.#host.patience
  }

  /**
   * Increases with every restart, suspension and close: work that begins in one generation must not affect
   * the next.
   */
  get generation(): number {
    return this.#generation
  }

  /** When its present story began, on the machine's monotonic clock, as `receivedMs` of an exchange. */
  get beganMs(): number {
    return this.#beganMs
  }

  /** Whether the world was closed: it can still be read, but no longer changed. */
  get closed(): boolean {
    return this.feed.closed
  }

  /** Changes some assumptions. @throws AssumptionError, WorldError */
  setAssumptions(choices: AssumptionChoices, from = 'set while running'): void {
    this.assertOpen()
    const assumptions = { ...choices }
    const state = this.state
    state.chosen = chooseAssumptions([{ from, input: assumptions }], state.chosen, this.extensions.gaps)
    state.recorder.log({ type: 'assumptions', assumptions, from })
    state.recorder.publish('assumptions', () => ({ assumptions, from }))
  }

  /** Adds a fault rule as users write it. @throws FaultError `invalid`, `impossible`, `too-many`; WorldError */
  addFault(input: unknown): FaultRule {
    this.assertOpen()
    return this.faults.add(checkFault(input, this.store, this.extensions))
  }

  /** Removes a fault rule; returns false when there is none with that id. */
  removeFault(id: string): boolean {
    return this.faults.remove(id)
  }

  clearFaults(): void {
    for (const { id } of this.faults.list()) this.removeFault(id)
  }

  record(exchange: RecordedExchange): void {
    const entry = this.journal.record(exchange)
    const generation = this.#generation
    const from = this.history.here()
    this.feed.publish('exchange', exchange.at, entry, entry.size)
    if (!this.triggers.none && exchange.commands?.length) {
      for (const mail of sentMail(this, [entry])) this.triggers.noteSent(showSent(mail, this.store))
    }
    // A listener may have restarted the world.
    if (generation === this.#generation) this.history.endExchange(this.clock.now(), entry.seq, from)
  }

  /**
   * Applies a command: the only way the model of a world changes. Its number is added to `applied`, the commands of the
   * request that applies it, if one does.
   * @throws CommandError, WorldError
   */
  apply<T extends CommandType>(command: CommandOf<T> & { type: T }, applied?: number[]): ResultOf<T> {
    this.assertOpen()
    const checked = checkCommand(command)
    const { clock, recorder, dispatcher } = this.state
    // One instant for the rows, the journal and the log, though the clock may run.
    const at = clock.now()
    const { result, emitted, kept } = carryOut(this.state, this.journal, checked, at)
    const { seq, size, command: recorded } = kept
    recorder.log({ type: 'command', command: checked }, at, { seq, size })
    applied?.push(seq)
    recorder.publish('command', () => recorded, at, size)
    // A listener may have applied another command or reset the world: these events belong to this dispatcher.
    for (const event of emitted) dispatcher.dispatch(event)
    return result as ResultOf<T>
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
    const snapshot = takeSnapshot(this.initialState, this.state.recorded)
    return secrets === 'masked' ? withoutSecrets(snapshot, this.masker) : snapshot
  }

  /** Returns the JSON of a snapshot of the present state in pieces, for a world of any size. */
  snapshotPieces({ secrets = 'included' }: SnapshotOptions = {}): Iterable<string> {
    const masker = secrets === 'masked' ? this.masker : undefined
    return snapshotPieces(this.initialState, this.state.recorded, masker)
  }

  /** Restores a snapshot and empties the journal. @throws SnapshotError, WorldError */
  restore(snapshot: unknown): void {
    this.assertOpen()
    this.#begin(this.initialState, readSnapshot(snapshot, this.initialState), 'snapshot')
  }

  /** Restores a snapshot of any size as `restore` does, but reads it with pauses. @throws SnapshotError, WorldError */
  async restoreSlowly(snapshot: unknown): Promise<void> {
    const { initialState } = this
    this.assertOpen()
    const recorded = await inTurns(readingSnapshot(snapshot, initialState))
    this.assertOpen()
    const rows = this.state.recorder.rows(wholeParts(initialState, recorded).rows)
    const prepared = await this.#host.prepare?.(rows)
    this.assertOpen()
    // Another scenario may have been loaded meanwhile.
    if (this.initialState === initialState) this.#begin(initialState, recorded, 'snapshot', prepared)
    else this.restore(snapshot)
  }

  /** Goes on from a state that another world with the same initial state had. @throws WorldError */
  continueFrom(recorded: RecordedWorld): void {
    this.assertOpen()
    this.#begin(this.initialState, recorded, 'fork')
  }

  /** Starts a world whose log is empty; its events and exchanges are numbered after `seq`. */
  start(seq = 0): void {
    this.#resume(seq)
    this.#begin(this.initialState)
  }

  /** Returns the entries of a log for the whole world as it is now, which make all earlier ones obsolete. */
  wholeEntries(recorded = this.state.recorded): Iterable<LoggedChange> {
    return this.state.recorder.whole(wholeParts(this.initialState, recorded))
  }

  /** Logs the present time of a clock that runs at a speed. */
  logTime(): void {
    this.state.recorder.logTime()
  }

  /** Resumes at the end of the world's log; its events and exchanges are numbered after `seq`. */
  recover(replay: LogReplay, seq = 0): void {
    this.#resume(seq)
    this.#begin(this.initialState, replay.recorded, 'state')
  }

  #resume(seq: number): void {
    this.#suspended = false
    this.feed.continueAfter(seq)
    this.journal.continueAfter(seq)
  }

  /** Stops the clock and the deliveries and refuses changes: another process resumes the world. */
  suspend(): void {
    this.#generation++
    this.#suspended = true
    this.state.stop()
    this.feed.suspend()
  }

  /** Deletes the recorded exchanges, commands and events. */
  forget(): void {
    this.journal.clear()
    this.feed.clear()
    this.history.begin('cleared')
  }

  /** Stops everything permanently and ends the feed. */
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
    if (this.past !== undefined) throw pastWorld(this.id, this.past)
    if (this.#suspended) throw givenUp(this.id)
  }

  /** Starts from the initial state, or resumes a recorded world; `prepared` are its rows, if its log has them already. */
  #begin(
    initialState: InitialState,
    recorded?: RecordedWorld,
    origin: 'start' | 'snapshot' | 'fork' | 'state' | 'retold' = 'start',
    prepared?: object,
  ): void {
    // Before the secrets of this generation are dropped: listeners may still read, and so mask, its events.
    this.forget()
    const generation = ++this.#generation
    this.state.stop()
    this.recentRequests.clear()
    const isRetold = origin === 'retold'
    const present = recorded ?? worldAtStart(initialState, this.#mode)
    const start = recorded && !isRetold ? resumedNow(recorded) : present
    this.state = new WorldState(initialState, start, this, this.#host)
    this.#beganMs = this.clock.monotonic
    const { recorder } = this.state
    this.history.begin(isRetold ? 'start' : origin)
    if (isRetold) this.state.show([])
    if (origin === 'state') this.log?.resume()
    else if (recorded) this.log?.restart(this.wholeEntries(start), prepared)
    else recorder.logBeginning(() => beginningOf(initialState, start), start.clock.beganAt)
    recorder.publish('reset', () => ({ scenario: initialState.scenario }))
    // A listener may have restarted the world again.
    if (this.#generation === generation && !isRetold) this.state.begin()
  }
}
