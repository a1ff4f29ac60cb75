import { givenUp } from '../../service/model/errors.js'
import type { World } from '../../service/world/world.js'
import type { LogStore } from './log-store.js'

/** The length of a log, in characters, from which the present state may replace it. */
const leastLength = 65_536

/** What a writer needs besides its world. */
export interface WriterOptions {
  readonly store: LogStore
  readonly epoch: number
  /** The length of the log so far, in characters. */
  readonly length: number
  /** Called when a line was refused, or when it is unknown whether it was written. */
  onLost(): void
}

/** Writes the log of a world that this process owns, one line at a time: what changes meanwhile is in the next line. */
export class LogWriter {
  readonly world: World
  readonly #options: WriterOptions
  #lost = false
  #sequence = 0
  #length: number
  /** The length at which it is worth a look whether the present state is shorter than half of the log. */
  #look = leastLength
  #inFlight: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(world: World, options: WriterOptions) {
    this.world = world
    this.#options = options
    this.#length = options.length
  }

  /** Schedules a line with the world's new changes after the one in flight. */
  changed(): void {
    if (this.#next) return
    this.#next = Promise.resolve(this.#inFlight).then(() => this.#write())
    // `settled` reports the failure to whoever waits; an unobserved one must not end the process.
    this.#next.catch(() => undefined)
  }

  /**
   * Resolves when all changes so far are durable, and in a shared store, when this process is known to own the world still;
   * undefined if there is nothing to wait for.
   */
  settled(): Promise<void> | undefined {
    if (this.#lost) return Promise.reject(givenUp(this.world.id))
    if (this.#options.store.isShared) this.changed()
    return this.#next ?? this.#inFlight
  }

  /** Writes what is left of the changes, and nothing after that. */
  async finish(): Promise<void> {
    try {
      // Others may come while the last ones are being written.
      while (this.world.output?.changed || this.#next || this.#inFlight) await this.settled()
    } finally {
      this.#lost = true
    }
  }

  /**
   * Stops writing: another process owns the world, the world is deleted, or the log cannot be written. Resolves when the
   * line in flight, if any, has ended.
   */
  async abandon(): Promise<void> {
    this.#lost = true
    await this.#inFlight?.catch(() => undefined)
  }

  async #write(): Promise<void> {
    const written = this.#next
    this.#inFlight = written
    this.#next = undefined
    const { world } = this
    const { store, epoch, onLost } = this.#options
    try {
      if (this.#lost) throw givenUp(world.id)
      const entries = world.takeOutput()
      if (entries.length > 0) await this.#append(JSON.stringify(entries), entries[0]?.type === 'start')
      else if (store.isShared) await store.confirm(world.id, epoch)
    } catch (error) {
      if (!this.#lost) onLost()
      throw error
    } finally {
      if (this.#inFlight === written) this.#inFlight = undefined
    }
  }

  async #append(line: string, isStart: boolean): Promise<void> {
    const whole = isStart ? line : this.#shorter(this.#length + line.length)
    const text = whole ?? line
    const { store, epoch } = this.#options
    const position = { id: this.world.id, epoch, sequence: ++this.#sequence }
    await store.append({ ...position, text, isWhole: whole !== undefined })
    this.#length = whole === undefined ? this.#length + text.length : text.length
  }

  /** Returns the line of the present state if it is shorter than half of a log of that length. */
  #shorter(length: number): string | undefined {
    if (length < this.#look) return undefined
    const whole = JSON.stringify([this.world.writeStart()])
    this.#look = Math.max(leastLength, 2 * whole.length + 1)
    return length >= this.#look ? whole : undefined
  }
}
