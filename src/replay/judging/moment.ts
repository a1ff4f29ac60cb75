import type { OperationName } from '../../contract/operations.js'
import type { Mark } from '../../world/index.js'

/** A point of a story: its time, in milliseconds since the epoch, and its place in the order of what happened. */
export interface Moment {
  readonly at: number
  readonly seq: number
}

/** Whether something came once another thing had happened: later in the order, and no earlier in time. */
export function isAfter(moment: Moment, mark: Moment): boolean {
  return moment.seq > mark.seq && moment.at >= mark.at
}

/** Whether something came before another thing happened: earlier in the order, or in time. */
export function isBefore(moment: Moment, mark: Moment): boolean {
  return moment.seq < mark.seq || (moment.seq > mark.seq && moment.at < mark.at)
}

/** The moments of a story that expectations are timed by: when each thing first happened. */
export class StoryMoments {
  /** When the story began, in milliseconds since the epoch. */
  readonly start: number
  readonly #operations = new Map<OperationName, Moment>()
  readonly #entries: Moment[] = []
  readonly #expectations = new Map<number, Moment>()

  constructor(start: number) {
    this.start = start
  }

  /** When something first happened; undefined where it has not. */
  of(mark: Mark): Moment | undefined {
    switch (mark.kind) {
      case 'operation':
        return this.#operations.get(mark.operation)
      case 'entry':
        return this.#entries[mark.entry]
      case 'expectation':
        return this.#expectations.get(mark.expectation)
    }
  }

  /** Notes a request of an operation. */
  noteOperation(operation: OperationName, moment: Moment): void {
    if (!this.#operations.has(operation)) this.#operations.set(operation, moment)
  }

  /** Notes that the next entry of the timeline happened. */
  noteEntry(moment: Moment): void {
    this.#entries.push(moment)
  }

  /** Notes that the expectation at a place in the file came true. */
  noteExpectation(index: number, moment: Moment): void {
    if (!this.#expectations.has(index)) this.#expectations.set(index, moment)
  }
}
