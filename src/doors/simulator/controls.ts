import { checkOptions, checkText, defineOptions, option } from '../../base/options.js'
import { everyOperationName, gapOf } from '../../contract/extensions.js'
import { type Assumption, describeAssumptions, type Gap } from '../../contract/gaps/gap.js'
import { type Assumptions, type GapId, gapIds } from '../../contract/gaps.js'
import type { NamedAssumptions } from '../../contract/named-assumptions.js'
import type { AssumptionChoices } from '../../service/assumptions/assumptions.js'
import type { FaultInput } from '../../service/faults/fault.js'
import type { FaultRule } from '../../service/faults/fault-rules.js'
import { ClockError } from '../../service/model/errors.js'
import {
  type ClockMode,
  type Duration,
  formatInstant,
  parseClockMode,
  parseDuration,
  parseInstant,
} from '../../service/time/time.js'
import type { RecordedCommand } from '../../service/world/entries.js'
import type { Exchange, JournalEntry } from '../../service/world/exchange.js'
import type { EntryFilter, ExchangeFilter } from '../../service/world/journal.js'
import type { PlayedEntry } from '../../service/world/story-entry.js'
import type { World } from '../../service/world/world.js'
import { paceQuietly } from '../pace/quiet-pace.js'

/** Reads and moves the clock of a world. */
export class ClockControl {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
    paceQuietly(world)
  }

  /** `auto`, `real`, `frozen` or a speed such as `10x`. */
  get mode(): ClockMode {
    return this.#world.clock.mode
  }

  /** Sets how time passes: `auto`, `real`, `frozen` or a speed such as `10x`. @throws ClockError */
  setMode(mode: ClockMode): void {
    this.#world.clock.setMode(parseClockMode(mode))
    paceQuietly(this.#world)
  }

  /** Returns the current instant, ISO 8601 UTC. */
  now(): string {
    return formatInstant(this.#world.clock.now())
  }

  /** The instant at which the story began on this clock, ISO 8601 UTC. @internal */
  get beganAt(): string {
    return formatInstant(this.#world.clock.beganAt)
  }

  /**
   * Advances the clock by `'5m'`, `'1h30m'` or milliseconds and runs everything that falls due on the way; `0` runs what
   * is already due. Overlapping calls run one after another. @throws ClockError
   */
  async advance(duration: Duration | number): Promise<void> {
    const milliseconds = typeof duration === 'number' ? duration : parseDuration(duration)
    if (milliseconds === undefined || Number.isNaN(milliseconds)) {
      throw new ClockError('malformed', `"${duration}" is not a duration such as 30s, 5m or 1h30m.`)
    }
    await this.#world.clock.advance(milliseconds)
  }

  /** Stops time exactly at an instant once it gets there by itself. @internal */
  stopAt(instant: number): void {
    this.#world.clock.stopAt(instant)
  }

  /** Advances the clock to an instant, ISO 8601, and runs everything that falls due on the way. @throws ClockError */
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

const entryOptions = defineOptions<EntryFilter>(() => ({ since: option.count(), limit: option.count() }))

const filterOptions = defineOptions<ExchangeFilter>(() => ({
  ...entryOptions().shape,
  operation: option.text(),
}))

/** The record of the requests and changes of a world. */
export class JournalView {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** The number of requests and changes that are retained. */
  get usage(): { readonly exchanges: number; readonly commands: number } {
    return this.#world.journal.usage
  }

  /** Returns requests with their responses, oldest first. */
  exchanges(filter: ExchangeFilter = {}): Exchange[] {
    this.#check('journal.exchanges', filter)
    return this.#world.journal.exchanges(filter)
  }

  /** Returns exchanges as they are stored, for rendering one by one: all of them might not fit into memory. @internal */
  entries(filter?: ExchangeFilter): JournalEntry[] {
    return this.#world.journal.entries(filter)
  }

  /**
   * Returns how many entries after a number are no longer kept; null if the number is not one of this
   * journal. @internal
   */
  missed(since?: number): number | null {
    return this.#world.log.missed(since)
  }

  /** Returns changes, oldest first, with tokens masked. */
  commands(filter: EntryFilter = {}): RecordedCommand[] {
    checkOptions('journal.commands', filter, entryOptions)
    return this.commandEntries(filter).map((entry) => entry.show())
  }

  /** Returns changes that are masked when they are shown: their files take time. @internal */
  commandEntries(filter: EntryFilter = {}): { show(): RecordedCommand }[] {
    const { journal } = this.#world
    const masker = this.#world.masker.asOfNow()
    return journal.commands(filter).map((entry) => ({
      show: () => ({ ...entry, command: masker.content(entry.command) as RecordedCommand['command'] }),
    }))
  }

  #check(call: string, filter: ExchangeFilter): void {
    checkOptions(call, filter, filterOptions)
    const { operation } = filter
    if (operation === undefined) return
    checkText(`${call}: operation`, operation, everyOperationName(this.#world.extensions))
  }

  /** Clears the record and the events. */
  clear(): void {
    this.#world.forget()
  }
}

/** The timeline of a world's scenario: the entries that were played and those still to come. */
export class TimelineView {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Returns the entries played so far, in order; `problem` says why one could not be played as written. */
  played(): readonly PlayedEntry[] {
    const { timeline, triggers } = this.#world
    if (triggers.none) return [...timeline.played]
    return [...timeline.played, ...triggers.played].sort((a, b) => a.at.localeCompare(b.at))
  }

  /** The number of entries still to come, apart from those that wait for a client. */
  get left(): number {
    const { timeline, triggers } = this.#world
    return timeline.left + triggers.pending.length
  }

  /** Returns the next entries, up to `limit`, each with its instant, ISO 8601 UTC. */
  upcoming(limit = 1000): readonly { readonly name: string; readonly at: string }[] {
    const { timeline, triggers } = this.#world
    const next = timeline.upcoming(limit)
    if (triggers.pending.length === 0) return next
    return [...next, ...triggers.pending].sort((a, b) => a.at.localeCompare(b.at)).slice(0, limit)
  }
}

/** A gap and the assumption that a world has chosen for it. */
export interface GapAssumption extends Pick<Gap, 'question' | 'worst' | 'advice' | 'evidence'> {
  readonly gap: GapId
  readonly assumptions: readonly Assumption[]
  /** The assumption in force. */
  readonly assumption: string
  /** Who chose it: `default`, `scenario`, `MAILBOX_SIM_ASSUME`, … */
  readonly from: string
}

/** Reads and changes the assumptions of a world. */
export class AssumptionsControl {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Returns the assumption in force for each gap. */
  current(): Assumptions {
    return this.#world.assumptions
  }

  /** Returns who chose the assumption of each gap: `default`, `scenario`, `MAILBOX_SIM_ASSUME`, … */
  origins(): Readonly<Record<GapId, string>> {
    return this.#world.origins
  }

  /** Returns every gap with all its assumptions and the one in force. */
  register(): GapAssumption[] {
    const { assumptions, origins, extensions } = this.#world
    const ids = [...gapIds, ...(extensions.gaps.keys() as IterableIterator<GapId>)]
    return ids.map((gap) => {
      const described = gapOf(gap, extensions.gaps) as Gap
      const { question, worst, advice, evidence } = described
      return {
        gap,
        question,
        assumption: assumptions[gap],
        from: origins[gap],
        assumptions: describeAssumptions(described),
        worst,
        advice,
        evidence,
      }
    })
  }

  /** Changes the assumptions of some gaps. @throws AssumptionError @example sim.assumptions.set({ 'threads.total': 'page-size' }) */
  set(choices: NamedAssumptions): void {
    if (typeof choices !== 'object' || choices === null) {
      throw new TypeError(
        "assumptions.set takes an object such as { 'threads.total': 'page-size' }; a profile or a file is chosen as the " +
          'option assumptions of a simulator.',
      )
    }
    this.#world.setAssumptions(choices as AssumptionChoices)
  }
}

/** The fault rules of a world, which disturb its responses. */
export class Faults {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /**
   * Adds a rule that disturbs responses from now on. If the rule sets a status or a body, the operation is
   * not performed; if it only delays, damages or cuts off the response, it is. A rule for an operation or
   * an agent that does not exist is refused.
   * @throws FaultError `invalid`, `impossible`, `too-many`
   * @example sim.faults.add({ operation: 'threads.list', status: 503, retry_after: '30s', times: 2 })
   */
  add(fault: FaultInput): FaultRule {
    return this.#world.addFault(fault)
  }

  /** Returns the rules in force, oldest first, with how often each matched and applied. */
  list(): FaultRule[] {
    return this.#world.faults.list()
  }

  /** Removes a rule; returns false if there is none with that id. */
  remove(id: string): boolean {
    return this.#world.faults.remove(id)
  }

  /** Removes every rule. */
  clear(): void {
    this.#world.clearFaults()
  }
}
