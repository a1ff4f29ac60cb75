import { type Extensions, noExtensions } from '../../contract/extensions.js'
import type { Assumptions, GapId } from '../../contract/gaps.js'
import {
  type AssumptionChoices,
  type ChosenAssumptions,
  chooseAssumptions,
} from '../assumptions/assumptions.js'
import { type RelianceSummary, summarizeReliances } from '../assumptions/settle.js'
import { checkFault } from '../faults/fault.js'
import { type FaultRule, FaultRules } from '../faults/fault-rules.js'
import { givenUp, WorldError } from '../model/errors.js'
import type { MailboxStore, WrittenRow } from '../model/mailbox-store.js'
import { textLength } from '../model/rows.js'
import { Masker, WorldSecrets } from '../record/masker.js'
import { Clock } from '../time/clock.js'
import { IdSource } from '../time/random.js'
import { type ClockMode, speedOf } from '../time/time.js'
import { Deliveries } from '../webhooks/deliveries.js'
import { DeliveryDispatcher } from '../webhooks/dispatcher.js'
import { Receivers } from '../webhooks/transport.js'
import { CommandContext, SentCount } from './commands/command.js'
import {
  type CommandOf,
  type CommandType,
  checkCommand,
  commands,
  type ResultOf,
} from './commands/commands.js'
import { type Draft, type Entry, showEntry, type WorldEvent } from './entries.js'
import { JournalEntry, type RecordedExchange, type ShowingOptions } from './exchange.js'
import { type KeptAnswers, keepAnswer } from './kept-answers.js'
import { Journal, Log, sentMail } from './log.js'
import { type Fold, LogOutput, type WrittenEntry, writeStart } from './log-lines.js'
import { showSent } from './sent-mail.js'
import { readSnapshot, type Snapshot, type SnapshotOptions, takeSnapshot } from './snapshot.js'
import { type InitialState, resumedNow, stateAtStart, type WorldState } from './state.js'
import { Timeline, Triggers } from './story.js'
import { type AgentLife, mayBeSentAgain } from './story-entry.js'
import { defaultHost, type WorldHost } from './world-host.js'

/** The most characters that the rows that are written in a world may have. */
const mostWritten = 64 * 1024 * 1024

/** The most characters of a body that are shown. */
const bodyCharacters = 65_536

/** Applies commands to its own store, without changing the world. */
interface Rehearsal {
  readonly store: MailboxStore
  /** @throws WorldError */
  apply<T extends CommandType>(command: CommandOf<T> & { type: T }): ResultOf<T>
}

/** An isolated simulation: a state with its own rows, clock, ids and assumptions, and the log of what happened in it. */
export class World {
  readonly id: string
  /** Everything that happened since its story began. */
  readonly log: Log
  /** The requests and commands in the log. */
  readonly journal: Journal
  /** Collects what of the log is to be made durable; undefined when worlds are not stored. */
  readonly output: LogOutput | undefined
  /** Masks keys and tokens in everything that leaves this world. */
  readonly masker: Masker
  readonly deliveries: Deliveries
  /** Receives deliveries in this process. */
  readonly receivers = new Receivers()
  /** The instants of the latest requests of each API key, the oldest first; the key of the latest request comes last. */
  readonly recentRequests = new Map<string, number[]>()

  // The parts of its state, which a restart, a reset and a restore replace.
  /** The state from which its story starts, and to which a reset returns. */
  initialState!: InitialState
  /** The additions of extensions to the documented interface. */
  extensions!: Extensions
  store!: MailboxStore
  clock!: Clock
  ids!: IdSource
  /** The messages that agents have sent. */
  sent!: SentCount
  faults!: FaultRules
  /** The responses that are kept for requests with the same `Idempotency-Key`. */
  answers!: KeptAnswers
  /** The assumptions in force; a new object each time they change. */
  assumptions!: Assumptions
  /** Who chose the assumption of each gap: `default`, `scenario`, a flag, or the running program. */
  origins!: Readonly<Record<GapId, string>>
  timeline!: Timeline
  /** The entries of the scenario that wait for a client. */
  triggers!: Triggers
  dispatcher!: DeliveryDispatcher
  /** The API keys, tokens and other secrets it has had since it began, including those of deleted rows. */
  secrets!: WorldSecrets
  /** When its present story began, on the machine's monotonic clock, as `receivedMs` of an exchange. */
  beganMs = 0
  /**
   * Increases with every restart, suspension and close: work that begins in one generation must not affect
   * the next.
   */
  generation = 0

  /** Makes a request wait before it is handled; set by what decides when time passes. */
  gate:
    | ((
        request: Pick<RecordedExchange, 'method' | 'path' | 'search'> & { readonly signal: AbortSignal },
      ) => Promise<void> | undefined)
    | undefined
  /** The program of the agent; set by what plays a story to it. */
  agentLife: AgentLife | undefined

  readonly #host: WorldHost
  readonly #showing: ShowingOptions
  #mode: ClockMode
  /** Whether another process may change it, or nothing was loaded yet. */
  #suspended: boolean
  #closed = false

  /** `from` is the state from which it goes on. */
  constructor(
    id: string,
    initialState: InitialState,
    clock: ClockMode,
    host = defaultHost,
    from?: WorldState,
  ) {
    this.id = id
    this.#host = host
    this.#mode = clock
    this.masker = new Masker(() => [...this.secrets, ...host.furtherSecrets()])
    this.#showing = { world: id, masker: this.masker, bodyCharacters }
    const { onLogged } = host
    this.output = onLogged && new LogOutput(() => onLogged(id), host.base)
    this.log = new Log(host.onDefect)
    this.log.onChanged = (entry) => this.output?.add(entry)
    this.journal = new Journal(this.log)
    this.deliveries = new Deliveries(this)
    this.#suspended = onLogged !== undefined
    const start = from ? resumedNow(from) : stateAtStart(initialState, clock)
    this.#build(initialState, start)
    if (!this.#suspended) this.#run(start)
  }

  /** Makes the parts of a state; nothing runs yet. `past` are the entries that led to it from the state before them. */
  #build(initialState: InitialState, state: WorldState, past?: Pick<Fold, 'start' | 'entries'>): void {
    const { seed, timeline, triggered = [], deliveryFormat: format } = initialState
    const { mode, now, beganAt, ahead } = state.clock
    this.initialState = initialState
    this.extensions = initialState.extensions ?? noExtensions
    this.log.begin(initialState, past?.start ?? state, past?.entries)
    this.recentRequests.clear()
    this.store = state.store
    this.#choose(state.chosen)
    this.secrets = new WorldSecrets(seed, state.store, format)
    const clock = new Clock(mode, now, beganAt, ahead)
    clock.onMoved = (from) => {
      const { now: at, ...moved } = clock.state
      this.log.append({ type: 'clock', at, from, ...moved })
    }
    this.clock = clock
    this.beganMs = clock.monotonic
    this.ids = new IdSource(seed, state.ids)
    this.sent = new SentCount(state.sent, this.#host.maxSent)
    this.faults = new FaultRules(
      seed,
      (entry) => this.log.append({ at: clock.now(), ...entry }),
      state.faults,
    )
    this.answers = state.answers
    this.timeline = new Timeline(timeline, this, state.played)
    this.triggers = new Triggers(triggered, this, state.triggered, seed)
    const { store, ids, triggers, log } = this
    this.dispatcher = new DeliveryDispatcher({
      ...{ seed, format, world: this, host: this.#host, store, clock, log, ids, triggers },
      mayBeSentAgain: (delivery) => mayBeSentAgain(initialState, delivery),
    })
  }

  /** Starts the timeline and goes on with the deliveries; `past` has those that are only shown. */
  #run({ counts, deliveries }: WorldState, past: readonly Entry[] = []): void {
    const shown = new Map(
      past.flatMap((entry) => (entry.type === 'delivery' ? [[entry.delivery.id, entry.delivery]] : [])),
    )
    for (const id of deliveries.keys()) shown.delete(id)
    this.timeline.begin()
    this.triggers.begin()
    this.dispatcher.resume(counts, deliveries.values(), shown.values())
  }

  /** Its present state, from which another world can go on; it shares its rows with this world. */
  get state(): WorldState {
    const { store, clock, ids, sent, faults, answers, assumptions, origins } = this
    const { timeline, triggers, dispatcher } = this
    return {
      ...{ store, answers, clock: clock.state, ids: ids.counts, sent: sent.count, faults: faults.state },
      chosen: { assumptions, origins },
      played: [...timeline.played],
      triggered: triggers.state,
      deliveries: new Map(dispatcher.needed.map((delivery) => [delivery.id, delivery])),
      counts: dispatcher.counts,
    }
  }

  /** Returns its state just after the entry of a number, from which another world can go on. @throws WorldError `no-moment` */
  stateAt(seq: number): WorldState {
    const state = this.log.stateAt(seq)
    if (state) return state
    const { latest, oldest } = this.log
    const why =
      seq > latest
        ? `There is no entry ${seq} in its log yet; the latest is ${latest}.`
        : `What "${this.id}" was at ${seq} is no longer known; the earliest is ${oldest - 1}.`
    throw new WorldError('no-moment', why)
  }

  /** The base URL of stored files in deliveries and controls. */
  get base(): string {
    return this.#host.base()
  }

  /** Milliseconds of wall time for which an agent that nobody observes has to be quiet until a clock `auto` moves on. */
  get patience(): number {
    return this.#host.patience
  }

  /** Whether the world was closed: it can still be read, but no longer changed. */
  get closed(): boolean {
    return this.#closed
  }

  /** Returns the kept entries of its log after a number, as people see them. */
  events(after = 0): WorldEvent[] {
    return this.log.after(after).flatMap((entry) => showEntry(entry, this.id, this.masker) ?? [])
  }

  /** Adds an entry to the log. */
  append<D extends Draft>(draft: D): Extract<Entry, { type: D['type'] }> {
    return this.log.append(draft)
  }

  /** Changes some assumptions. @throws WorldError */
  setAssumptions(choices: AssumptionChoices, from = 'set while running'): void {
    this.assertOpen()
    const assumptions = { ...choices }
    const { assumptions: before, origins } = this
    this.#choose(
      chooseAssumptions(
        [{ from, input: assumptions }],
        { assumptions: before, origins },
        this.extensions.gaps,
      ),
    )
    this.append({ type: 'assumptions', at: this.clock.now(), assumptions, from })
  }

  #choose({ assumptions, origins }: ChosenAssumptions): void {
    this.assumptions = assumptions
    this.origins = origins
  }

  /** Adds a fault rule as users write it. @throws WorldError `invalid`, `impossible`, `too-many`, `closed` */
  addFault(input: unknown): FaultRule {
    this.assertOpen()
    return this.faults.add(checkFault(input, this.store, this.extensions))
  }

  clearFaults(): void {
    for (const { id } of this.faults.list()) this.faults.remove(id)
  }

  /** Records a request with its response. */
  record(exchange: RecordedExchange): void {
    const { generation, triggers, store } = this
    const entry = new JournalEntry(this.clock.now(), exchange, this.#showing)
    // Before anybody is told of it.
    for (const command of this.journal.commandsOf(entry)) command.exchange = this.log.latest + 1
    this.append(entry)
    // Who is told may have restarted the world.
    if (generation !== this.generation || triggers.none || !exchange.commands?.length) return
    for (const mail of sentMail(this, [entry])) triggers.noteSent(showSent(mail, store))
  }

  /**
   * Applies a command: the only way the rows of a world change. Its number is added to `applied`, the commands of the
   * request that applies it, if one does.
   * @throws WorldError
   */
  apply<T extends CommandType>(command: CommandOf<T> & { type: T }, applied?: number[]): ResultOf<T> {
    this.assertOpen()
    // A copy: the caller may change its own object later.
    const checked = checkCommand(command)
    const { store, clock, dispatcher, secrets, ids, sent, answers } = this
    if (store.size + textLength(checked) > mostWritten) {
      const problem = 'This world was written to as much as a world may be: 64 MB of text and files'
      throw new WorldError('world-full', `${problem}. Reset it, or use several worlds.`)
    }
    // One instant for the rows and the log, though the clock may run.
    const at = clock.now()
    const rows: WrittenRow[] = []
    store.onWritten = (row) => rows.push(row)
    const context = new CommandContext(this, at, this.assumptions)
    const result = commands[checked.type].apply(context, checked as never)
    store.onWritten = undefined
    for (const webhook of context.subscriptions) secrets.note(webhook)
    const { answer, added } = context
    if (answer) keepAnswer(answers, answer)
    const { seq } = this.append({
      ...{ type: 'command', at, command: checked, message: added?.id ?? null, rows },
      ...{ ids: { ...ids.counts }, sent: sent.count, answer },
    })
    applied?.push(seq)
    // Who was told may have applied another command or reset the world: these events belong to this dispatcher.
    for (const event of context.emitted) dispatcher.dispatch(event)
    return result as ResultOf<T>
  }

  /** Begins a rehearsal, whose commands return the results that they would have, and write to its own store. */
  rehearsal(): Rehearsal {
    const { initialState, ids, sent, clock, assumptions } = this
    const store = this.store.rehearsal()
    const parts = {
      ...{ store, initialState },
      // The next ids, which the commands would get.
      ids: new IdSource(initialState.seed, ids.counts),
      sent: new SentCount(sent.count, sent.most),
    }
    const apply: Rehearsal['apply'] = (command: object) => {
      const checked = checkCommand(command)
      const context = new CommandContext(parts, clock.now(), assumptions)
      return commands[checked.type].apply(context, checked as never) as never
    }
    return { store, apply }
  }

  /** Summarizes the silent points that exchanges and deliveries relied on, in the order in which they first came up. */
  reliances(): RelianceSummary[] {
    return summarizeReliances([...this.journal.relied(), ...this.dispatcher.relied()])
  }

  /** Returns to the start of the scenario, with an empty log. @throws WorldError */
  reset(): void {
    this.restart(this.initialState)
  }

  /** Starts another scenario and discards the current one. @throws WorldError */
  restart(initialState: InitialState, clock = this.#mode): void {
    this.assertOpen()
    this.#mode = clock
    this.#begin(initialState, stateAtStart(initialState, clock))
  }

  /** Takes a snapshot of this world. One with masked secrets cannot be restored. */
  snapshot({ secrets = 'included' }: SnapshotOptions = {}): Snapshot {
    return takeSnapshot(
      this.initialState,
      this.state,
      this.base,
      secrets === 'masked' ? this.masker : undefined,
    )
  }

  /** Restores a snapshot and empties the log. @throws WorldError */
  restore(snapshot: unknown): void {
    this.assertOpen()
    this.continueFrom(readSnapshot(snapshot, this.initialState))
  }

  /** Goes on from a state that a world with the same initial state had, with an empty log. @throws WorldError */
  continueFrom(state: WorldState): void {
    this.assertOpen()
    this.#begin(this.initialState, resumedNow(state), 'elsewhere')
  }

  /** Goes on from a state to which a log has led, and has what happened in that. @throws WorldError */
  continueAfter({ start, entries, state }: Fold): void {
    this.assertOpen()
    this.#end()
    this.#build(this.initialState, state, { start, entries })
    this.output?.begin(true)
    this.#run(state, entries)
  }

  /**
   * Goes on from the end of the stored log of this world, or starts if nothing is stored; its entries are numbered after those of the
   * log and after `seq`.
   */
  recover(stored: Pick<Fold, 'state' | 'seq'> | undefined, seq = 0): void {
    this.#suspended = false
    this.log.continueAfter(Math.max(stored?.seq ?? 0, seq))
    if (stored) this.#begin(this.initialState, resumedNow(stored.state), 'stored')
    else this.#begin(this.initialState, stateAtStart(this.initialState, this.#mode))
  }

  /** Returns the present state as a line with which a stored log can begin anew. */
  writeStart(): WrittenEntry {
    return writeStart(this.initialState, this.state, this.log.latest, this.base)
  }

  /** Returns the lines that are to be made durable since the last call, all or none of them. */
  takeOutput(): WrittenEntry[] {
    return this.output?.take(() => this.writeStart()) ?? []
  }

  /** Adds an entry with the present time of a clock that runs at a speed: no other entry may have it. */
  logTime(): void {
    const { mode, now: at, ...others } = this.clock.state
    // A clock that stands logs each move, and a real one continues with the machine's time.
    if (speedOf(mode) !== 0 && mode !== 'real') this.append({ type: 'clock', at, from: at, mode, ...others })
  }

  /** Stops the clock and the deliveries and refuses changes: another process resumes the world. */
  suspend(): void {
    this.#suspended = true
    this.#end()
    this.log.end()
  }

  /** Forgets what happened, but not what follows from it. */
  forget(): void {
    this.log.forget()
  }

  /** Stops everything permanently and ends the log. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.generation++
    // Unfinished deliveries of a stored world are resumed later or by another process.
    if (this.output) this.dispatcher.stop()
    else this.dispatcher.close()
    this.clock.stop()
    this.log.end()
  }

  /** @throws WorldError */
  assertOpen(): void {
    if (this.#closed)
      throw new WorldError(
        'closed',
        `The world "${this.id}" was closed and can no longer change; fork() of another world creates a new one.`,
      )
    if (this.#suspended) throw givenUp(this.id)
  }

  /** Stops everything that runs, silently. */
  #end(): void {
    this.generation++
    this.dispatcher.stop()
    this.clock.stop()
  }

  /** Begins in a state: at the start of a story, where its stored log ends, or where something elsewhere ended. */
  #begin(
    initialState: InitialState,
    state: WorldState,
    from: 'start' | 'stored' | 'elsewhere' = 'start',
  ): void {
    this.#end()
    const { generation } = this
    this.#build(initialState, state)
    if (from === 'stored') this.output?.resume()
    else this.output?.begin(from === 'elsewhere' || speedOf(state.clock.mode) > 0)
    this.append({ type: 'reset', at: state.clock.now, scenario: initialState.scenario })
    // Who was told may have restarted the world again.
    if (this.generation === generation) this.#run(state)
  }
}
