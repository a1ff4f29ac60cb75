import { formatInstant, isBeginning, type LogEntry, StateError, type World } from '../world/index.js'
import type { Claim, LogStore } from './log-store.js'

/** Characters of a log after which a snapshot takes the place of its entries. */
const longestTail = 65_536

/** What a writer uses and tells. */
export interface LogWriterOptions {
  /** Returns milliseconds of the process. */
  now(): number
  /** Gets the time at which a batch was handed over that is durable now. */
  onWritten(asked: number): void
  /** Called where a batch was refused, or it is not known whether it was written. */
  onLost(): void
}

/** Writes the log of a world that this process owns, one batch at a time. */
export class LogWriter {
  readonly world: World
  readonly epoch: number
  readonly #store: LogStore
  readonly #options: LogWriterOptions
  #lost = false
  #sequence: number
  /** Characters since the last beginning, and how many that had itself. */
  #tail: number
  #beginning = 0
  #inFlight: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(world: World, claim: Claim, store: LogStore, options: LogWriterOptions) {
    this.world = world
    this.epoch = claim.epoch
    this.#sequence = claim.sequence
    this.#tail = claim.batches.reduce((sum, batch) => sum + batch.length, 0)
    this.#store = store
    this.#options = options
  }

  /** The number of the last batch. */
  get sequence(): number {
    return this.#sequence
  }

  /** Writes what has changed after what is being written. */
  changed(): void {
    if (this.#next) return
    this.#next = (this.#inFlight ?? Promise.resolve()).then(() => this.#write())
    // Whoever waits for it is told; nobody need wait.
    this.#next.catch(() => undefined)
  }

  /** Resolves once all that the world did so far is durable; undefined where it is. */
  settled(): Promise<void> | undefined {
    if (this.#lost) return Promise.reject(lost(this.world.id))
    return this.#next ?? this.#inFlight
  }

  /** Writes nothing any more: another process has the world, or the log cannot be written. */
  lose(): void {
    this.#lost = true
  }

  async #write(): Promise<void> {
    const written = this.#next
    this.#inFlight = written
    this.#next = undefined
    try {
      const { world, epoch } = this
      if (this.#lost) throw lost(world.id)
      if (!world.log?.changed) return
      const entries = this.#shortened(world.takeLogged())
      const text = JSON.stringify(entries)
      const begins = entries.some(isBeginning)
      const [asked, sequence] = [this.#options.now(), ++this.#sequence]
      await this.#store.append({ id: world.id, epoch, sequence, entries: text })
      this.#options.onWritten(asked)
      this.#tail = begins ? text.length : this.#tail + text.length
      if (!begins) return
      this.#beginning = text.length
      // What is left of it does no harm.
      if (sequence > 1 || epoch > 1) void this.#store.cut(world.id, epoch, sequence).catch(() => undefined)
    } catch (error) {
      this.#options.onLost()
      throw error
    } finally {
      if (this.#inFlight === written) this.#inFlight = undefined
    }
  }

  /** Puts a snapshot in the place of a log that is long for what the world holds. */
  #shortened(entries: readonly LogEntry[]): readonly LogEntry[] {
    if (this.#tail < longestTail + 4 * this.#beginning) return entries
    const { world } = this
    return [{ type: 'snapshot', at: formatInstant(world.clock.now()), snapshot: world.snapshot() }]
  }
}

function lost(id: string): StateError {
  return new StateError(
    'moved',
    `The world "${id}" is elsewhere now, or what keeps its log is out of reach; try again.`,
    1,
  )
}
