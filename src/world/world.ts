import type { GapId, Readings } from '../contract/gaps.js'
import { z } from '../contract/schema.js'
import { type Base, MailboxStore } from '../model/index.js'
import { Clock, type ClockMode } from './clock.js'
import { checkCommand } from './commands/check-command.js'
import type { CommandContext } from './commands/command.js'
import { type CommandOf, type CommandType, commands, type ResultOf } from './commands/index.js'
import { FaultError } from './errors.js'
import { faultSchema } from './faults/fault.js'
import { type FaultRule, FaultRules } from './faults/fault-rules.js'
import { whyNeverHit } from './faults/impossible.js'
import { Feed } from './feed.js'
import { type IdKind, IdSource } from './ids.js'
import { Journal, type RecordedExchange } from './journal.js'
import { maskSecrets } from './masking.js'
import { type ReadingChoices, withChoices } from './readings.js'
import { RequestRate } from './request-rate.js'
import { Timeline, type TimelineEntry } from './timeline.js'

/** How a world starts: what a scenario gives. */
export interface Beginning {
  /** The scenario's name. */
  readonly scenario: string
  readonly seed: number
  /** The instant the story begins, in milliseconds since the epoch. */
  readonly start: number
  readonly base: Base
  readonly readings: Readings
  /** Who chose the reading of each gap. */
  readonly origins: Readonly<Record<GapId, string>>
  /** What happens after the start, in order. */
  readonly timeline: readonly TimelineEntry[]
}

/** One isolated simulation: a model, a clock, ids, readings and a journal of its own. */
export class World {
  readonly id: string
  readonly journal: Journal
  /** Everything that happens, as it happens. */
  readonly feed: Feed
  readonly rate = new RequestRate(60)
  readonly #mode: ClockMode
  #present: Present
  #readings: Readings
  #origins: Readonly<Record<GapId, string>>

  constructor(id: string, beginning: Beginning, clock: ClockMode) {
    this.id = id
    this.journal = new Journal(id)
    this.feed = new Feed(id)
    this.#mode = clock
    this.#readings = beginning.readings
    this.#origins = beginning.origins
    this.#present = this.#createPresent(beginning)
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

  /** The readings in force; a new object each time they change. */
  get readings(): Readings {
    return this.#readings
  }

  /** Who chose the reading of each gap: `default`, `scenario`, a flag, or the running program. */
  get origins(): Readonly<Record<GapId, string>> {
    return this.#origins
  }

  /** Changes some readings. @throws ReadingError */
  setReadings(choices: ReadingChoices, from = 'set while running'): void {
    this.#readings = withChoices(this.#readings, choices)
    const set = Object.fromEntries(Object.keys(choices).map((gap) => [gap, from]))
    this.#origins = { ...this.#origins, ...set }
    this.feed.publish('readings', this.clock.now(), () => ({ readings: choices, from }))
  }

  /** Adds a fault rule, as people write it. @throws FaultError `invalid`, `impossible` */
  addFault(input: unknown): FaultRule {
    const parsed = faultSchema.safeParse(input)
    if (!parsed.success) throw new FaultError('invalid', z.prettifyError(parsed.error))
    const handles = [...this.store.all('identity')].map(({ agent_handle }) => agent_handle)
    const never = whyNeverHit(parsed.data, handles)
    if (never !== undefined) throw new FaultError('impossible', `This fault can never hit: ${never}.`)
    const rule = this.faults.add(parsed.data)
    this.feed.publish('fault', this.clock.now(), () => ({ id: rule.id, fault: rule.fault }))
    return rule
  }

  /** Keeps an exchange in the journal. */
  record(exchange: RecordedExchange): void {
    const show = this.journal.record(exchange)
    this.feed.publish('exchange', exchange.at, show)
  }

  /** Applies a command: the only way the model of a world changes. @throws CommandError */
  apply<T extends CommandType>(command: CommandOf<T> & { type: T }): ResultOf<T> {
    const checked = checkCommand(command)
    const at = this.clock.now()
    const result = commands[checked.type].apply(this.#present.context, checked as never)
    // The copy made by checking: what the caller does to the command later changes no history.
    this.journal.recordCommand(at, checked)
    this.feed.publish('command', at, () => maskSecrets(checked))
    return result as ResultOf<T>
  }

  /** What applying a command would give; nothing changes. @throws CommandError */
  rehearse<T extends CommandType>(command: CommandOf<T> & { type: T }): ResultOf<T> {
    const checked = checkCommand(command)
    const context = {
      ...this.#present.context,
      store: this.store.rehearsal(),
      newId: (kind: IdKind) => `${kind}_0`,
    }
    return commands[checked.type].apply(context, checked as never) as ResultOf<T>
  }

  /** Back to how the scenario starts, with an empty journal. */
  reset(): void {
    this.store.reset()
    this.clock.reset()
    this.faults.reset()
    this.#present.ids.reset()
    this.#startOver(this.beginning)
  }

  /** Begins anew as another scenario has it; nothing of this one is left. */
  restart(beginning: Beginning): void {
    this.clock.stop()
    this.#present = this.#createPresent(beginning)
    this.#startOver(beginning)
  }

  #startOver({ readings, origins }: Beginning): void {
    this.rate.reset()
    this.journal.clear()
    this.#readings = readings
    this.#origins = origins
    this.feed.clear()
    this.feed.publish('reset', this.clock.now(), () => ({ scenario: this.beginning.scenario }))
    this.timeline.begin()
  }

  #createPresent(beginning: Beginning): Present {
    const store = new MailboxStore(beginning.base)
    const clock = new Clock(this.#mode, beginning.start)
    const ids = new IdSource(beginning.seed)
    const timeline = new Timeline(beginning.timeline, {
      clock,
      apply: (command) => this.apply(command),
      setReadings: (choices, from) => this.setReadings(choices, from),
      addFault: (fault) => this.addFault(fault),
      clearFaults: () => this.faults.clear(),
      onPlayed: (entry) => this.feed.publish('timeline', clock.now(), () => entry),
    })
    const newId = (kind: IdKind): string => ids.next(kind)
    const context = { store, seed: beginning.seed, now: () => clock.now(), newId }
    return { beginning, store, clock, ids, faults: new FaultRules(beginning.seed), timeline, context }
  }
}

/** What a world is made of between one beginning and the next. */
interface Present {
  readonly beginning: Beginning
  readonly store: MailboxStore
  readonly clock: Clock
  readonly ids: IdSource
  readonly faults: FaultRules
  readonly timeline: Timeline
  readonly context: CommandContext
}
