import type { AnyOperationName } from '../contract/operations.js'
import type { EventType } from '../contract/resources.js'
import { formatInstant } from './time.js'
import { type PlayedEntry, performAction, type StoryAction, type TimelineWorld } from './timeline.js'

/**
 * What others do that has something happen: a request of an operation, or a delivery that succeeded, by its number from 1;
 * with `from`, of those that come so many milliseconds after the start or later.
 */
export type Trigger = { readonly nth: number; readonly from?: number } & (
  | { readonly request: AnyOperationName }
  | { readonly delivery: EventType }
)

/** Something that happens in a story when a client does something, rather than at a time. */
export interface TriggeredEntry extends StoryAction {
  readonly when: Trigger
}

/** How far the triggers of a world are: how often each thing happened, and what that led to. */
export interface TriggerState {
  readonly counts: Readonly<Record<string, number>>
  readonly played: readonly PlayedEntry[]
}

/** Has the triggered entries of a story happen: right before a request is answered, or after a delivery succeeded. */
export class Triggers {
  readonly #entries: readonly TriggeredEntry[]
  readonly #world: TimelineWorld
  readonly #onPlayed: (entry: PlayedEntry) => void
  readonly #counts = new Map<string, number>()
  readonly #succeeded = new Set<string>()
  #played: PlayedEntry[] = []
  /** Called after something was counted. */
  onCounted: (() => void) | undefined

  constructor(
    entries: readonly TriggeredEntry[],
    world: TimelineWorld,
    onPlayed: (entry: PlayedEntry) => void,
  ) {
    this.#entries = entries
    this.#world = world
    this.#onPlayed = onPlayed
  }

  get none(): boolean {
    return this.#entries.length === 0
  }

  /** What has happened, in order. */
  get played(): readonly PlayedEntry[] {
    return this.#played
  }

  get state(): TriggerState {
    return { counts: Object.fromEntries(this.#counts), played: this.#played }
  }

  /** Goes on after what happened; at the beginning where nothing is given. */
  goOn({ counts, played }: TriggerState = { counts: {}, played: [] }): void {
    for (const [name, count] of Object.entries(counts)) this.#counts.set(name, count)
    this.#played = [...played]
  }

  /** Notes a request, which is about to be answered. */
  noteRequest(operation: AnyOperationName): void {
    this.#note(operation, ({ when }) => 'request' in when && when.request === operation)
  }

  /** Notes that a delivery has succeeded; each counts once. */
  noteSuccess(id: string, event: EventType): void {
    if (this.#succeeded.has(id)) return
    this.#succeeded.add(id)
    this.#note(event, ({ when }) => 'delivery' in when && when.delivery === event)
  }

  #note(name: string, isAbout: (entry: TriggeredEntry) => boolean): void {
    const { clock } = this.#world
    const since = clock.now() - clock.beganAt
    // A read that nothing waits for changes nothing.
    const waiting = this.#entries.filter((entry) => {
      const { nth, from = 0 } = entry.when
      return isAbout(entry) && since >= from && (this.#counts.get(countedAs(name, from)) ?? 0) < nth
    })
    if (waiting.length === 0) return
    const counts = new Set(waiting.map(({ when: { from = 0 } }) => countedAs(name, from)))
    for (const key of counts) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    this.onCounted?.()
    for (const entry of waiting) {
      const { nth, from = 0 } = entry.when
      if (this.#counts.get(countedAs(name, from)) !== nth) continue
      const at = formatInstant(this.#world.clock.now())
      const problem = performAction(entry, at, this.#world)
      const played = { name: entry.name, at, problem, triggered: true } as const
      this.#played.push(played)
      this.#onPlayed(played)
    }
  }
}

/** Names the count of what happens from a moment on. */
function countedAs(name: string, from: number): string {
  return from === 0 ? name : `${name} from ${from}`
}
