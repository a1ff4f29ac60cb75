import type { ReadLog } from './log-store.js'

/**
 * A log is a list of batches, each a JSON list of entries. A whole world that is too long for one batch is written in
 * several, each with a mark before it; batches of later changes may come between them. It counts once its last one is
 * written. The last one of a world that was restored says that the changes between do not count: they were made to the
 * world that it replaces.
 */
const marks = { first: '<', further: '|', last: '>', replacing: '^' } as const

/** Returns a batch with its mark among those of a whole world. */
export function marked(mark: keyof typeof marks, batch: string): string {
  return marks[mark] + batch
}

function isMarked(batch: string): boolean {
  return !batch.startsWith('[')
}

/**
 * Returns the length of the whole world in a batch that restarts its log by itself, so that the batches before it no
 * longer count; undefined for any other batch.
 */
export function beginningIn(batch: string): number | undefined {
  const type = /^\[\{"type":"(begin|snapshot)"/.exec(batch)?.[1]
  if (type === undefined) return undefined
  return type === 'begin' ? 0 : batch.length
}

/** A whole world whose last batch was not read yet. */
interface OpenWhole<Position> {
  readonly first: Position
  /** The length of its batches so far, and of those between them. */
  length: number
  between: number
  /** The first and the last batch between them. */
  start: Position | undefined
  end: Position | undefined
  problem: string | undefined
}

/** Finds out which batches of a log count; keeps none of them. */
export class LogScan<Position> {
  /** The first damage among what counts. */
  #problem: string | undefined
  /** The batches of the whole world with which the log starts, if it has several. */
  #whole: { readonly first: Position; readonly last: Position } | undefined
  /** The first and the last other batch that count; undefined as long as there are none. */
  #start: Position | undefined
  #end: Position | undefined
  #open: OpenWhole<Position> | undefined
  #length = 0
  #beginning = 0

  /** Adds the next batch. */
  add(batch: string, position: Position): void {
    if (batch.startsWith(marks.first)) {
      const none = { start: undefined, end: undefined, problem: undefined }
      this.#open = { first: position, length: 0, between: 0, ...none }
    }
    if (isMarked(batch)) this.#addMarked(batch, position)
    else this.#addPlain(batch, position)
  }

  /** Notes damage after the batches so far. */
  damaged(problem: string): void {
    this.#problem ??= problem
    if (this.#open) this.#open.problem ??= problem
  }

  #addPlain(batch: string, position: Position): void {
    const beginning = beginningIn(batch)
    if (beginning !== undefined) {
      this.#restart(beginning)
      this.#open = undefined
    }
    const open = this.#open
    if (this.#problem === undefined) {
      this.#start ??= position
      this.#end = position
      this.#length += batch.length
    }
    if (open && open.problem === undefined) {
      open.start ??= position
      open.end = position
      open.between += batch.length
    }
  }

  #addMarked(batch: string, position: Position): void {
    const open = this.#open
    if (!open) return
    open.length += batch.length
    const replaces = batch.startsWith(marks.replacing)
    if (!replaces && !batch.startsWith(marks.last)) return
    this.#open = undefined
    this.#restart(open.length)
    this.#whole = { first: open.first, last: position }
    this.#problem = open.problem
    this.#length = open.length
    if (replaces) return
    this.#start = open.start
    this.#end = open.end
    this.#length += open.between
  }

  #restart(beginning: number): void {
    this.#start = undefined
    this.#end = undefined
    this.#whole = undefined
    this.#problem = undefined
    this.#length = 0
    this.#beginning = beginning
  }

  /** Returns what counts; `range` reads the batches between two positions, both included, again. */
  log(range: (first: Position, last: Position) => AsyncIterable<string>): ReadLog {
    const [whole, start, end] = [this.#whole, this.#start, this.#end]
    async function* batches(): AsyncGenerator<string> {
      if (whole) {
        for await (const batch of range(whole.first, whole.last)) if (isMarked(batch)) yield batch.slice(1)
      }
      if (start === undefined || end === undefined) return
      for await (const batch of range(start, end)) if (!isMarked(batch)) yield batch
    }
    const [problem, length, beginning] = [this.#problem, this.#length, this.#beginning]
    return { batches, length, beginning, problem }
  }
}
