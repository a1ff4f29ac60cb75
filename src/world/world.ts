import type { GapId, Readings } from '../contract/gaps.js'
import type { MailboxStore } from '../model/index.js'
import type { Beginning } from './beginning.js'
import type { Clock } from './clock.js'
import type { ClockMode } from './clock-mode.js'
import { checkCommand } from './commands/check-command.js'
import { type CommandOf, type CommandType, commands, type ResultOf } from './commands/index.js'
import { WorldError } from './errors.js'
import type { RecordedExchange } from './exchange.js'
import { checkFault } from './faults/check-fault.js'
import type { FaultRule, FaultRules } from './faults/fault-rules.js'
import { Feed, type HappeningType } from './feed.js'
import type { IdKind } from './ids.js'
import { Journal } from './journal.js'
import { Masker } from './masking/masker.js'
import { createPresent, freshParts, type Parts, type Present } from './present.js'
import type { ChosenReadings } from './reading-layers.js'
import { type ReadingChoices, withChoices } from './readings.js'
import { type RelianceSummary, summarizeReliances } from './reliance-summary.js'
import { RequestRate } from './request-rate.js'
import type { Snapshot } from './snapshot/document.js'
import { readSnapshot } from './snapshot/read.js'
import { takeSnapshot } from './snapshot/take.js'
import { type Publish, wholeOf } from './staging.js'
import { keysOf, noSurroundings, type Surroundings } from './surroundings.js'
import type { PlayedEntry, Timeline } from './timeline.js'
import type { Courier } from './webhooks/courier.js'
import { Deliveries } from './webhooks/deliveries.js'
import type { MailNews } from './webhooks/mail-event.js'
import { Receivers } from './webhooks/receivers.js'

/** One isolated simulation: a model, a clock, ids, readings and a journal of its own. */
export class World {
  readonly id: string
  readonly journal: Journal
  /** Takes keys and tokens out of what is shown of this world. */
  readonly masker: Masker
  /** Everything that happens, as it happens. */
  readonly feed: Feed
  readonly rate = new RequestRate(60)
  /** Who takes deliveries in this process. */
  readonly receivers = new Receivers()
  /** What was, and is being, sent to subscriptions. */
  readonly deliveries: Deliveries
  readonly #around: Surroundings
  #mode: ClockMode
  #present: Present
  #readings: Readings
  #origins: Readonly<Record<GapId, string>>
  #story = 0
  #news: MailNews[] = []

  constructor(id: string, beginning: Beginning, clock: ClockMode, around = noSurroundings) {
    this.id = id
    this.#around = around
    this.masker = new Masker(() => [...keysOf(this.store), ...around.furtherKeys()])
    this.journal = new Journal(id, this.masker)
    this.feed = new Feed(id, around.onDefect)
    this.deliveries = new Deliveries({
      masker: this.masker,
      courier: () => this.courier,
      store: () => this.store,
      assertOpen: () => this.#assertOpen(),
    })
    this.#mode = clock
    this.#readings = beginning.readings
    this.#origins = beginning.origins
    this.#present = this.#createPresent(beginning, freshParts(beginning, clock))
    this.timeline.begin()
  }

  /** What the world began as, and goes back to. */
  get beginning(): Beginning {
    return this.#present.beginning
  }

  /** Everything there is to read. */
  get store(): MailboxStore {
    return this.#present.store
  }

  /** The world's time. */
  get clock(): Clock {
    return this.#present.clock
  }

  /** What happens by itself, as the scenario tells it. */
  get timeline(): Timeline {
    return this.#present.timeline
  }

  /** The rules that disturb answers. */
  get faults(): FaultRules {
    return this.#present.faults
  }

  /** What brings events to their subscriptions. */
  get courier(): Courier {
    return this.#present.courier
  }

  /** The readings in force; a new object each time they change. */
  get readings(): Readings {
    return this.#readings
  }

  /** Who chose the reading of each gap: `default`, `scenario`, a flag, or the running program. */
  get origins(): Readonly<Record<GapId, string>> {
    return this.#origins
  }

  /**
   * Which story it is in the midst of: another number once it has begun anew or was closed. What began in one story
   * has no business in the next.
   */
  get story(): number {
    return this.#story
  }

  /** Whether it was let go of: what it holds can still be read, but nothing changes any more. */
  get closed(): boolean {
    return this.feed.closed
  }

  /** Changes some readings. @throws ReadingError, WorldError */
  setReadings(choices: ReadingChoices, from = 'set while running'): void {
    this.#assertOpen()
    this.#readings = withChoices(this.#readings, choices)
    const set = Object.fromEntries(Object.keys(choices).map((gap) => [gap, from]))
    this.#origins = { ...this.#origins, ...set }
    const chosen = { ...choices }
    this.#publish('readings', () => ({ readings: chosen, from }))
  }

  /** Adds a fault rule, as people write it. @throws FaultError `invalid`, `impossible`; WorldError */
  addFault(input: unknown): FaultRule {
    this.#assertOpen()
    const rule = this.faults.add(checkFault(input, this.store))
    this.#publish('fault', () => ({ id: rule.id, fault: rule.fault }))
    return rule
  }

  /** Takes a fault rule out of force; false where there is none of that id. */
  removeFault(id: string): boolean {
    const removed = this.faults.remove(id)
    if (removed) this.#publish('fault', () => ({ id, fault: null }))
    return removed
  }

  /** Takes every fault rule out of force. */
  clearFaults(): void {
    for (const { id } of this.faults.list()) this.removeFault(id)
  }

  /** Keeps an exchange in the journal. */
  record(exchange: RecordedExchange): void {
    const entry = this.journal.record(exchange)
    this.feed.publish('exchange', exchange.at, entry)
  }

  /** Applies a command: the only way the model of a world changes. @throws CommandError, WorldError */
  apply<T extends CommandType>(command: CommandOf<T> & { type: T }): ResultOf<T> {
    this.#assertOpen()
    const checked = checkCommand(command)
    const at = this.clock.now()
    this.#news = []
    const result = commands[checked.type].apply(this.#present.context, checked as never)
    // Whoever hears of the command may apply another, or begin another story: this is of the one it was applied in.
    const [news, { courier }] = [this.#news, this]
    // The copy made by checking: what the caller does to the command later changes no history.
    this.journal.recordCommand(at, checked)
    this.#publish('command', () => checked, at)
    for (const each of news) courier.happened(each)
    return result as ResultOf<T>
  }

  /** What applying a command would give; nothing changes. @throws CommandError */
  rehearse<T extends CommandType>(command: CommandOf<T> & { type: T }): ResultOf<T> {
    const checked = checkCommand(command)
    const context = {
      ...this.#present.context,
      store: this.store.rehearsal(),
      newId: (kind: IdKind) => `${kind}_0`,
      tell: () => undefined,
    }
    return commands[checked.type].apply(context, checked as never) as ResultOf<T>
  }

  /** Which silent points exchanges and deliveries relied on, in the order in which they first came up. */
  reliances(): RelianceSummary[] {
    return summarizeReliances([...this.journal.relied(), ...this.courier.relied()])
  }

  /** Back to how the scenario starts, with an empty journal. @throws WorldError */
  reset(): void {
    this.#assertOpen()
    this.courier.forget()
    this.store.reset()
    this.clock.reset()
    this.faults.reset()
    this.#present.ids.reset()
    this.#present = this.#createPresent(this.beginning, this.#present)
    this.#startOver(this.beginning)
  }

  /** Begins anew as another scenario has it; nothing of this one is left. @throws WorldError */
  restart(beginning: Beginning, clock = this.#mode): void {
    this.#assertOpen()
    this.#mode = clock
    // While the keys of this story are still known, for whoever has yet to read what happened in it.
    this.forget()
    this.courier.forget()
    this.clock.stop()
    this.#present = this.#createPresent(beginning, freshParts(beginning, this.#mode))
    this.#startOver(beginning)
  }

  /** What it takes to have this world again over the same beginning. */
  snapshot(): Snapshot {
    return takeSnapshot(this.#present, { readings: this.#readings, origins: this.#origins })
  }

  /** As a world was when that snapshot was taken of it, with an empty journal. @throws SnapshotError, WorldError */
  restore(snapshot: unknown): void {
    this.#assertOpen()
    const { parts, chosen, played, deliveries } = readSnapshot(snapshot, this.beginning, this.#mode)
    this.courier.forget()
    this.clock.stop()
    this.#present = this.#createPresent(this.beginning, parts)
    if (this.#startOver(chosen, played)) this.courier.goOn(deliveries)
  }

  /** Gives whether the story begun goes on: who is told of it may begin another. */
  #startOver({ readings, origins }: ChosenReadings, played: readonly PlayedEntry[] = []): boolean {
    const story = ++this.#story
    this.rate.reset()
    this.journal.clear()
    this.#readings = readings
    this.#origins = origins
    this.feed.clear()
    this.#publish('reset', () => ({ scenario: this.beginning.scenario }))
    if (this.#story !== story) return false
    this.timeline.begin(played)
    return true
  }

  /** Forgets what happened so far: exchanges, commands, and what the feed tells of them. */
  forget(): void {
    this.journal.clear()
    this.feed.clear()
  }

  /** Lets go of it for good: ends what goes on by itself, and tells whoever listens that it is over. */
  close(): void {
    if (this.closed) return
    this.#story++
    this.courier.end()
    this.clock.stop()
    this.feed.close()
  }

  #assertOpen(): void {
    if (this.closed) throw new WorldError('closed', `The world "${this.id}" was closed; it changes no more.`)
  }

  /** Tells the feed; what it shows is masked when somebody looks. */
  #publish(type: HappeningType, content: () => unknown, at = this.clock.now()): void {
    this.feed.publish(type, at, { show: () => this.masker.content(content()) })
  }

  #createPresent(beginning: Beginning, parts: Parts): Present {
    const tell = (news: MailNews): void => void this.#news.push(news)
    const publish: Publish = (type, content) => this.#publish(type, content)
    return createPresent(beginning, parts, wholeOf(this, this.#around, { publish, tell }))
  }
}
