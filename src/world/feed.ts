import { formatInstant } from './time.js'

/** What kind of thing happened in a world. */
export type HappeningType = 'exchange' | 'command' | 'timeline' | 'fault' | 'readings' | 'clock' | 'reset'

/** Something that happened in a world. */
export interface Happening {
  /** Counts up from 1, through resets as well. */
  readonly seq: number
  readonly type: HappeningType
  /** The world's time, ISO 8601 UTC. */
  readonly at: string
  readonly world: string
  /** The exchange, the command, …: with keys and tokens masked. */
  readonly data: unknown
}

/** A happening as it is kept: what it shows is made when somebody looks. */
interface Kept {
  readonly seq: number
  readonly type: HappeningType
  readonly at: number
  readonly show: () => unknown
}

/** How many happenings are kept for those who come later. */
const kept = 10_000

/** Everything that happens in a world, in order, for whoever listens or comes back for what they missed. */
export class Feed {
  readonly #world: string
  readonly #listeners = new Set<() => void>()
  #happenings: Kept[] = []
  #seq = 0

  constructor(world: string) {
    this.#world = world
  }

  /** The number of the latest happening; 0 before the first. */
  get latest(): number {
    return this.#seq
  }

  /** Tells that something happened, at the world's time. */
  publish(type: HappeningType, at: number, show: () => unknown): void {
    this.#happenings.push({ seq: ++this.#seq, type, at, show })
    if (this.#happenings.length >= kept * 2) this.#happenings.splice(0, kept)
    for (const listener of this.#listeners) listener()
  }

  /** What happened after the happening of that number, as far as it is kept. */
  after(seq: number): Happening[] {
    const oldest = this.#happenings[0]?.seq ?? this.#seq + 1
    return this.#happenings.slice(Math.max(0, seq + 1 - oldest)).map((happening) => this.#shown(happening))
  }

  /** Forgets what happened; the count goes on. */
  clear(): void {
    this.#happenings = []
  }

  /** Has somebody told, at once, that something happened; gives back how to have it end. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #shown({ seq, type, at, show }: Kept): Happening {
    return { seq, type, at: formatInstant(at), world: this.#world, data: show() }
  }
}
