import type { ReadLog } from './log-store.js'

/**
 * Returns the length of the whole world in a batch that restarts its log, so that the batches before it no longer count;
 * undefined for any other batch.
 */
export function beginningIn(batch: string): number | undefined {
  return batch.startsWith('[{"type":"start"') ? batch.length : undefined
}

/** Finds out which batches of a log count; keeps none of them. */
export class LogScan<Position> {
  /** The first damage among what counts. */
  #problem: string | undefined
  /** The first and the last batch that count; undefined as long as there are none. */
  #start: Position | undefined
  #end: Position | undefined
  #length = 0
  #beginning = 0

  /** Adds the next batch. */
  add(batch: string, position: Position): void {
    const beginning = beginningIn(batch)
    if (beginning !== undefined) {
      this.#start = undefined
      this.#problem = undefined
      this.#length = 0
      this.#beginning = beginning
    }
    if (this.#problem !== undefined) return
    this.#start ??= position
    this.#end = position
    this.#length += batch.length
  }

  /** Notes damage after the batches so far. */
  damaged(problem: string): void {
    this.#problem ??= problem
  }

  /** Returns what counts; `range` reads the batches between two positions, both included, again. */
  log(range: (first: Position, last: Position) => AsyncIterable<string>): ReadLog {
    const [start, end] = [this.#start, this.#end]
    async function* batches(): AsyncGenerator<string> {
      if (start !== undefined && end !== undefined) yield* range(start, end)
    }
    return { batches, length: this.#length, beginning: this.#beginning, problem: this.#problem }
  }
}
