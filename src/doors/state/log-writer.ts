import { givenUp, isBeginning, type LoggedChange, type World } from '../../service/world/index.js'
import type { Claim, LogStore } from './log-store.js'

/** The length of a log, in characters, at which a snapshot replaces its entries. */
const maxTail = 65_536

/** The clock and the callbacks of a writer. */
export interface LogWriterOptions {
  /** Returns monotonic milliseconds. */
  now(): number
  /** Called when a batch is durable, with the time at which it was sent. */
  onWritten(sentAt: number): void
  /** Called when a batch was refused, or when it is unknown whether it was written. */
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
  /** The length of the log since its last beginning, in characters. */
  #tail: number
  /** The length of that beginning, in characters. */
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

  /** Schedules a batch of the world's new changes after the batch in flight. */
  changed(): void {
    if (this.#next) return
    this.#next = (this.#inFlight ?? Promise.resolve()).then(() => this.#write())
    // `settled` reports the failure to whoever waits; an unobserved one must not end the process.
    this.#next.catch(() => undefined)
  }

  /** Resolves when all changes so far are durable; undefined if they already are. */
  settled(): Promise<void> | undefined {
    if (this.#lost) return Promise.reject(givenUp(this.world.id))
    return this.#next ?? this.#inFlight
  }

  /**
   * Stops writing: another process owns the world, the world is deleted, or the log cannot be written. Resolves when the
   * batch in flight, if any, has ended.
   */
  async abandon(): Promise<void> {
    this.#lost = true
    await this.#inFlight?.catch(() => undefined)
  }

  async #write(): Promise<void> {
    const written = this.#next
    this.#inFlight = written
    this.#next = undefined
    try {
      const { world, epoch } = this
      if (this.#lost) throw givenUp(world.id)
      if (!world.log?.changed) return
      const entries = this.#shortened(world.log.take())
      const text = JSON.stringify(entries)
      const begins = entries.some(isBeginning)
      const [sentAt, sequence] = [this.#options.now(), ++this.#sequence]
      await this.#store.append({ id: world.id, epoch, sequence, entries: text })
      this.#options.onWritten(sentAt)
      this.#tail = begins ? text.length : this.#tail + text.length
      if (!begins) return
      this.#beginning = text.length
      // If this fails, the batches before the beginning stay and are ignored.
      if (sequence > 1 || epoch > 1) void this.#store.cut(world.id, epoch, sequence).catch(() => undefined)
    } catch (error) {
      this.#options.onLost()
      throw error
    } finally {
      if (this.#inFlight === written) this.#inFlight = undefined
    }
  }

  /** Returns the entries, or a snapshot instead if the log is long compared to what the world holds. */
  #shortened(entries: readonly LoggedChange[]): readonly LoggedChange[] {
    if (this.#tail < maxTail + 4 * this.#beginning) return entries
    return [this.world.wholeEntry()]
  }
}
