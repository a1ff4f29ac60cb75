import { everyOperationName, gapOf } from '../contract/extensions.js'
import { type Gap, type GapId, gapIds, type Reading, type Readings } from '../contract/gaps.js'
import { checkOptions } from '../contract/options.js'
import {
  ClockError,
  type ClockMode,
  createHar,
  type EntryFilter,
  type Exchange,
  type ExchangeFilter,
  type Fault,
  type FaultRule,
  formatInstant,
  type Har,
  type JournalEntry,
  type JournalUsage,
  type PlayedEntry,
  parseClockMode,
  parseDuration,
  parseInstant,
  type ReadingChoices,
  type RecordedCommand,
  type World,
} from '../world/index.js'

/** A world's time as users move it. */
export class ClockControl {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** `real`, `frozen` or a speed such as `10x`. */
  get mode(): ClockMode {
    return this.#world.clock.mode
  }

  /** Changes how time passes: `real`, `frozen` or a speed such as `10x`. @throws ClockError */
  setMode(mode: ClockMode): void {
    this.#world.clock.setMode(parseClockMode(mode))
  }

  /** The present instant, ISO 8601 UTC. */
  now(): string {
    return formatInstant(this.#world.clock.now())
  }

  /** The instant at which the story began, as this clock shows time, ISO 8601 UTC. @internal */
  get beganAt(): string {
    return formatInstant(this.#world.clock.beganAt)
  }

  /**
   * Moves on by `'5m'`, `'1h30m'` or milliseconds, and does everything due on the way; what is due already, by `0`.
   * Several that overlap go one after another. @throws ClockError
   */
  async advance(duration: string | number): Promise<void> {
    const milliseconds = typeof duration === 'number' ? duration : parseDuration(duration)
    if (milliseconds === undefined) {
      throw new ClockError('malformed', `"${duration}" is not a duration such as 30s, 5m or 1h30m.`)
    }
    await this.#world.clock.advance(milliseconds)
  }

  /** Has time stand still at an instant, exactly, once it gets there by itself. @internal */
  stopAt(instant: number): void {
    this.#world.clock.stopAt(instant)
  }

  /** Moves on to an instant, ISO 8601, and does everything due on the way. @throws ClockError */
  async advanceTo(instant: string): Promise<void> {
    const target = parseInstant(instant)
    if (target === undefined) {
      throw new ClockError(
        'malformed',
        `"${instant}" is not an ISO 8601 instant such as 2026-01-05T09:00:00Z.`,
      )
    }
    await this.#world.clock.advanceTo(target)
  }
}

const entryOptions = { since: 'number', limit: 'number' }

/** What happened in a world. */
export class JournalView {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** How many requests and changes are kept, and about how many bytes that takes. */
  get usage(): JournalUsage {
    return this.#world.journal.usage
  }

  /** Requests with their answers, oldest first. */
  exchanges(filter: ExchangeFilter = {}): Exchange[] {
    checkOptions('journal.exchanges', filter, this.#filterOptions)
    return this.#world.journal.exchanges(filter)
  }

  /** The same as they are kept, each to be shown by itself: all of them may be more than fits into memory. @internal */
  entries(filter?: ExchangeFilter): JournalEntry[] {
    return this.#world.journal.entries(filter)
  }

  /** Changes as they were made, oldest first, with tokens masked. */
  commands(filter: EntryFilter = {}): RecordedCommand[] {
    checkOptions('journal.commands', filter, entryOptions)
    const { journal, masker } = this.#world
    return journal.commands(filter).map((entry) => {
      return { ...entry, command: masker.content(entry.command) as RecordedCommand['command'] }
    })
  }

  /** Requests with their answers as an HTTP Archive (HAR 1.2), for a browser's developer tools. */
  har(filter: ExchangeFilter = {}): Har {
    checkOptions('journal.har', filter, this.#filterOptions)
    return createHar(this.#world.journal.entries(filter))
  }

  get #filterOptions() {
    return { ...entryOptions, operation: everyOperationName(this.#world.extensions) }
  }

  /** Forgets what happened; the events start over as well. */
  clear(): void {
    this.#world.forget()
  }
}

/** What happens by itself in a world, as its scenario's timeline has it. */
export class TimelineView {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** What has happened so far, in order; `problem` says why something could not happen as it was written. */
  played(): readonly PlayedEntry[] {
    const { timeline, triggers } = this.#world
    if (triggers.none) return [...timeline.played]
    return [...timeline.played, ...triggers.played].sort((a, b) => a.at.localeCompare(b.at))
  }

  /** How many entries are still to come. */
  get left(): number {
    return this.#world.timeline.left
  }

  /** The next entries that are still to come, at most so many, each with its instant, ISO 8601 UTC. */
  upcoming(limit = 1000): readonly { readonly name: string; readonly at: string }[] {
    return this.#world.timeline.upcoming(limit)
  }
}

/** A gap with its reading in a world. */
export interface GapReading extends Pick<Gap, 'question' | 'worst' | 'advice' | 'evidence'> {
  readonly gap: GapId
  readonly readings: readonly Pick<Reading, 'name' | 'means' | 'example'>[]
  /** The reading in force. */
  readonly reading: string
  /** Who chose it: `default`, `scenario`, `MAILBOX_SIM_READINGS`, … */
  readonly from: string
}

/** Which reading of each gap a world has. */
export class ReadingsControl {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Every gap with its reading. */
  current(): Readings {
    return this.#world.readings
  }

  /** Who chose the reading of each gap: `default`, `scenario`, `MAILBOX_SIM_READINGS`, … */
  origins(): Readonly<Record<GapId, string>> {
    return this.#world.origins
  }

  /** Returns every gap of the register with its reading. */
  register(): GapReading[] {
    const { readings, origins, extensions } = this.#world
    const ids = [...gapIds, ...(extensions.gaps.keys() as IterableIterator<GapId>)]
    return ids.map((gap) => {
      const { question, readings: all, worst, advice, evidence } = gapOf(gap, extensions.gaps) as Gap
      return {
        gap,
        question,
        reading: readings[gap],
        from: origins[gap],
        readings: all.map(({ name, means, example }) => ({ name, means, example })),
        worst,
        advice,
        evidence,
      }
    })
  }

  /** Changes some. @throws ReadingError @example sim.readings.set({ 'threads.total': 'page-size' }) */
  set(choices: ReadingChoices): void {
    if (typeof choices !== 'object' || choices === null) {
      throw new TypeError(
        "readings.set takes an object such as { 'threads.total': 'page-size' }; a profile or a file is chosen as the " +
          'option readings of a simulator.',
      )
    }
    this.#world.setReadings(choices)
  }
}

/** The rules that disturb a world's answers. */
export class Faults {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /**
   * Disturbs answers from now on. What a rule gives a status or a body for is not performed; what it delays,
   * damages or cuts off is. One that can never hit is refused.
   * @throws FaultError `invalid`, `impossible`, `too-many`
   * @example sim.faults.add({ operation: 'threads.list', status: 503, retry_after: '30s', times: 2 })
   */
  add(fault: Fault): FaultRule {
    return this.#world.addFault(fault)
  }

  /** The rules in force, the oldest first, with how often each fitted and hit. */
  list(): FaultRule[] {
    return this.#world.faults.list()
  }

  /** Removes a rule; returns false if there is none with that id. */
  remove(id: string): boolean {
    return this.#world.removeFault(id)
  }

  /** Removes every rule. */
  clear(): void {
    this.#world.clearFaults()
  }
}
