import { givenUp } from '../../service/model/errors.js'
import type { WrittenEntry } from '../../service/world/entry-json.js'
import type { World } from '../../service/world/world.js'
import { beginningIn } from './log-scan.js'
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
  #beginning: number
  #inFlight: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(world: World, claim: Claim, store: LogStore, options: LogWriterOptions) {
    this.world = world
    this.epoch = claim.epoch
    this.#sequence = claim.sequence
    this.#tail = claim.length
    this.#beginning = claim.beginning
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
    this.#next = Promise.resolve(this.#inFlight).then(() => this.#write())
    // `settled` reports the failure to whoever waits; an unobserved one must not end the process.
    this.#next.catch(() => undefined)
  }

  /** Resolves when all changes so far are durable; undefined if they already are. */
  settled(): Promise<void> | undefined {
    if (this.#lost) return Promise.reject(givenUp(this.world.id))
    return this.#next ?? this.#inFlight
  }

  /** Writes what is left of the changes, and nothing after that. */
  async finish(): Promise<void> {
    try {
      // Others may come while the last ones are being written.
      for (let left = this.settled(); left; left = this.settled()) await left
    } finally {
      this.#lost = true
    }
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
      const { world } = this
      if (this.#lost) throw givenUp(world.id)
      if (!world.output?.changed) return
      const changes = world.takeOutput()
      const lines: readonly WrittenEntry[] = this.#isLong ? [world.writeStart()] : changes
      if (lines.length > 0) await this.#append(JSON.stringify(lines))
    } catch (error) {
      this.#options.onLost()
      throw error
    } finally {
      if (this.#inFlight === written) this.#inFlight = undefined
    }
  }

  /** Whether the log is long compared to what the world held at its last beginning. */
  get #isLong(): boolean {
    return this.#tail >= maxTail + 4 * this.#beginning
  }

  /** Appends a batch, all or nothing of which counts. */
  async #append(batch: string): Promise<void> {
    const { world, epoch } = this
    const [sentAt, sequence] = [this.#options.now(), ++this.#sequence]
    await this.#store.append({ id: world.id, epoch, sequence, entries: batch })
    this.#options.onWritten(sentAt)
    const beginning = beginningIn(batch)
    this.#tail = beginning === undefined ? this.#tail + batch.length : batch.length
    if (beginning === undefined) return
    this.#beginning = beginning
    // If this fails, the batches before the beginning stay and are ignored.
    if (sequence > 1 || epoch > 1) void this.#store.cut(world.id, epoch, sequence).catch(() => undefined)
  }
}
