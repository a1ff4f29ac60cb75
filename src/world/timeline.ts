import type { Clock } from './clock.js'
import type { Command } from './commands/index.js'
import { CommandError, FaultError } from './errors.js'
import type { Fault } from './faults/fault.js'
import type { ReadingChoices } from './readings.js'
import { formatInstant } from './time.js'

/** Something that happens in a story after its start. */
export interface TimelineEntry {
  /** The key the scenario gives it, or a name made of its time and what happens. */
  readonly name: string
  /** When, in milliseconds after the start. */
  readonly after: number
  /** Applied in order; mail among them is dated at the entry's own instant. */
  readonly commands: readonly Command[]
  /** Readings in force from then on. */
  readonly readings?: ReadingChoices
  /** Disturbs answers from then on; `clear` has all of them undisturbed. */
  readonly fault?: Fault | 'clear'
}

/** An entry that has happened. */
export interface PlayedEntry {
  readonly name: string
  /** ISO 8601 UTC. */
  readonly at: string
  /** Why it did not happen as it was written; null where it did. */
  readonly problem: string | null
}

/** What a story needs of its world. */
export interface Stage {
  readonly clock: Clock
  apply(command: Command): unknown
  setReadings(choices: ReadingChoices, from: string): void
  addFault(fault: Fault): unknown
  clearFaults(): void
  onPlayed(entry: PlayedEntry): void
}

/**
 * Has a world's story happen on its clock. Only the next entry is ever scheduled, so that a world costs the
 * same whatever its story holds.
 */
export class Timeline {
  readonly #entries: readonly TimelineEntry[]
  readonly #stage: Stage
  #played: PlayedEntry[] = []

  /** `entries` stand in the order in which they happen. */
  constructor(entries: readonly TimelineEntry[], stage: Stage) {
    this.#entries = entries
    this.#stage = stage
  }

  /** What has happened, in order. */
  get played(): readonly PlayedEntry[] {
    return this.#played
  }

  /** How many entries are still to come. */
  get left(): number {
    return this.#entries.length - this.#played.length
  }

  /**
   * Tells the story from its start, which is the clock's own, or goes on with it after what has been played; what
   * happens at once has happened then.
   */
  begin(played: readonly PlayedEntry[] = []): void {
    this.#played = [...played]
    this.#scheduleNext()
  }

  #scheduleNext(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const entry = next
      if (entry.after > 0) {
        this.#stage.clock.schedule(this.#instantOf(entry), () => {
          this.#play(entry)
          this.#scheduleNext()
        })
        return
      }
      this.#play(entry)
    }
  }

  #next(): TimelineEntry | undefined {
    return this.#entries[this.#played.length]
  }

  #instantOf(entry: TimelineEntry): number {
    return this.#stage.clock.beganAt + entry.after
  }

  #play(entry: TimelineEntry): void {
    const at = formatInstant(this.#instantOf(entry))
    const problem = this.#perform(entry, at)
    const played = { name: entry.name, at, problem }
    this.#played.push(played)
    this.#stage.onPlayed(played)
  }

  /** A command that the world refuses, because a test or a client changed it, does not end the story. */
  #perform(entry: TimelineEntry, at: string): string | null {
    const problems = entry.commands.flatMap((command) =>
      refusalOf(() => this.#stage.apply(dated(command, at))),
    )
    if (entry.readings) this.#stage.setReadings(entry.readings, `timeline: ${entry.name}`)
    const { fault } = entry
    if (fault === 'clear') this.#stage.clearFaults()
    else if (fault) problems.push(...refusalOf(() => this.#stage.addFault(fault)))
    return problems.length === 0 ? null : problems.join(' ')
  }
}

/** Why the world refuses something; nothing where it does not. */
function refusalOf(act: () => unknown): string[] {
  try {
    act()
    return []
  } catch (error) {
    if (error instanceof CommandError || error instanceof FaultError) return [error.message]
    throw error
  }
}

function dated(command: Command, at: string): Command {
  const isMail = command.type === 'receive-message' || command.type === 'send-message'
  return isMail ? { ...command, at } : command
}
