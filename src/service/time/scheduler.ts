import { createYielder, type Pause, platform, startPause } from './wall-time.js'

/** A scheduled function; it must not advance its own clock, because it would wait for itself. */
export type Task = () => void | Promise<void>

interface ScheduledTask {
  readonly at: number
  /** Its place among all tasks that were ever added. */
  readonly number: number
  readonly task: Task
}

/** Returns the place of a task in an ordered queue: thousands of deliveries may wait to be sent again. */
function placeOf(queue: readonly ScheduledTask[], { at, number }: ScheduledTask): number {
  let [low, high] = [0, queue.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = queue[middle] as ScheduledTask
    if (other.at < at || (other.at === at && other.number < number)) low = middle + 1
    else high = middle
  }
  return low
}

/** Runs tasks at their instants, in order and one at a time, until it ends. */
export class Scheduler {
  /** In order of their instants; those of one instant in the order in which they were added. */
  readonly #queue: ScheduledTask[] = []
  #added = 0
  #latestTurn: Promise<void> | undefined
  #endTask: (() => void) | undefined
  #ended = false
  #calling = false

  /** The instant of the next task; undefined if there is none. */
  get next(): number | undefined {
    return this.#queue[0]?.at
  }

  /** Whether a task is being called, so that a synchronous caller must be that task. */
  get calling(): boolean {
    return this.#calling
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Adds a task at an instant, after others of that instant; returns a function that cancels it. */
  add(at: number, task: Task): () => void {
    const queue = this.#queue
    const scheduled = { at, number: this.#added++, task }
    queue.splice(placeOf(queue, scheduled), 0, scheduled)
    return () => {
      const index = placeOf(queue, scheduled)
      if (queue[index] === scheduled) queue.splice(index, 1)
    }
  }

  /**
   * Starts a run after all earlier runs, or immediately if there are none; skips it if the scheduler has
   * ended by then.
   */
  takeTurn(run: () => Promise<void>): Promise<void> {
    const begin = async (): Promise<void> => {
      if (!this.#ended) await run()
    }
    const turn = this.#latestTurn ? this.#latestTurn.then(begin) : begin()
    const pass = (): void => {
      if (this.#latestTurn === over) this.#latestTurn = undefined
    }
    const over = turn.then(pass, pass)
    this.#latestTurn = over
    return over.then(() => turn)
  }

  /**
   * Runs the tasks due by an instant, including those added on the way. Calls `arrive` with each instant before its
   * tasks, and awaits `quiet` before time moves on. A failed task ends the run; later tasks stay scheduled.
   * Resolves to false if the scheduler ended meanwhile.
   */
  async runUntil(
    target: number,
    arrive: (instant: number) => void,
    quiet: () => Promise<void> | undefined = () => undefined,
  ): Promise<boolean> {
    const yieldIfDue = createYielder()
    for (;;) {
      for (let waiting = quiet(); waiting && !this.#ended; waiting = quiet()) await waiting
      const due = yieldIfDue()
      if (due) await due
      if (this.#ended) return false
      const next = this.#queue[0]
      if (!next || next.at > target) return true
      this.#queue.shift()
      arrive(next.at)
      await this.#perform(next.task)
      if (this.#ended) return false
    }
  }

  /** Drops every task and resolves all pending runs. */
  end(): void {
    this.#ended = true
    this.#queue.length = 0
    this.#endTask?.()
  }

  #perform(task: Task): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#endTask = resolve
      Promise.resolve(this.#call(task)).then(resolve, reject)
    })
  }

  #call(task: Task): void | Promise<void> {
    this.#calling = true
    try {
      return task()
    } finally {
      this.#calling = false
    }
  }
}

/**
 * Tracks work outside of a scheduler's tasks, such as requests to receivers. An advance waits for such work before time
 * moves on, but no longer than the work's limit; after that, time moves on meanwhile.
 */
export class WorkInFlight {
  /** When each limit expires, on the machine's monotonic clock. */
  readonly #held = new Set<{ readonly until: number }>()
  #pause: Pause | undefined

  /** Whether there is work that was begun and has not ended. */
  get any(): boolean {
    return this.#held.size > 0
  }

  /** Begins some work; the limit is in milliseconds of wall time. Returns a function that ends it. */
  hold(limit: number): () => void {
    const held = { until: platform.now() + limit }
    this.#held.add(held)
    return () => {
      if (this.#held.delete(held)) this.#pause?.end()
    }
  }

  /** Returns a promise to await before asking again; undefined if no work is in flight. */
  quiet(): Promise<void> | undefined {
    const now = platform.now()
    for (const held of this.#held) if (held.until <= now) this.#held.delete(held)
    if (this.#held.size === 0) return undefined
    const latest = Math.max(...[...this.#held].map(({ until }) => until))
    this.#pause = startPause(Math.ceil(latest - now))
    return this.#pause.over
  }

  /** Drops all work and resolves the pending wait. */
  end(): void {
    this.#held.clear()
    this.#pause?.end()
  }
}
