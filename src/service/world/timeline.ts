import type { Recorder } from '../record/recorder.js'
import { formatInstant } from '../time/time.js'
import { performAction, type TimelineWorld } from './story-action.js'
import type { CompiledEntry, PlayedEntry, TimelineEntry } from './story-entry.js'

/** Plays entries of a story, and keeps which ones were played. */
export class StoryPlayer<Entry extends CompiledEntry> {
  protected readonly entries: readonly Entry[]
  protected readonly world: TimelineWorld
  protected readonly recorder: Recorder
  readonly #played: PlayedEntry[]

  /** The entries of a timeline must be sorted by time; `played` are those that were played before. */
  constructor(
    entries: readonly Entry[],
    world: TimelineWorld,
    recorder: Recorder,
    played: readonly PlayedEntry[],
  ) {
    this.entries = entries
    this.world = world
    this.recorder = recorder
    this.#played = [...played]
  }

  /** The entries that were played, in order. */
  get played(): readonly PlayedEntry[] {
    return this.#played
  }

  /** Plays an entry. */
  protected play(entry: Entry, instant: number, cause: Pick<PlayedEntry, 'triggered'> = {}): void {
    const at = formatInstant(instant)
    this.note({ name: entry.name, at, problem: performAction(entry, at, this.world), ...cause })
  }

  /** Notes that an entry was played, or why it could not be. */
  protected note(played: PlayedEntry): void {
    this.#played.push(played)
    this.onPlayed(played)
    this.recorder.publish('timeline', () => played)
  }

  /** Shows that an entry was played, for a story that is told again: what it did is told as well. */
  showPlayed(played: PlayedEntry): void {
    this.#played.push(played)
    this.recorder.publish('timeline', () => played)
  }

  /** Called with each entry that was played. */
  protected onPlayed(_played: PlayedEntry): void {}
}

/** Plays the entries of a timeline on the world's clock. Only the next entry is scheduled. */
export class Timeline extends StoryPlayer<TimelineEntry> {
  /** The number of entries that were not played yet. */
  get left(): number {
    return this.entries.length - this.played.length
  }

  /** Returns the next entries to be played, at most `limit`. */
  upcoming(limit: number): { readonly name: string; readonly at: string }[] {
    const next = this.entries.slice(this.played.length, this.played.length + limit)
    return next.map((entry) => ({ name: entry.name, at: formatInstant(this.#instantOf(entry)) }))
  }

  /** Schedules the next entry; entries without a delay are played before this returns. */
  begin(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const entry = next
      const instant = this.#instantOf(entry)
      if (entry.after > 0) {
        this.world.clock.schedule(instant, () => {
          this.play(entry, instant)
          this.begin()
        })
        return
      }
      this.play(entry, instant)
    }
  }

  protected override onPlayed(played: PlayedEntry): void {
    this.recorder.log({ type: 'timeline', played })
  }

  #next(): TimelineEntry | undefined {
    return this.entries[this.played.length]
  }

  #instantOf(entry: TimelineEntry): number {
    return this.world.clock.beganAt + entry.after
  }
}
