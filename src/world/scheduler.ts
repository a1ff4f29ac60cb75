import { type Pause, startPause, turnsOfOthers } from './wall-time.js'

/** Something to do at an instant; it may not move its own clock on, since it would wait for itself. */
export type Task = () => void | Promise<void>

interface ScheduledTask {
  readonly at: number
  readonly task: Task
}

/** Runs tasks at their instants: in order, one at a time, and none any more once it has ended. */
export class Scheduler {
  readonly #queue: ScheduledTask[] = []
  #latestTurn: Promise<void> | undefined
  #endTask: (() => void) | undefined
  #ended = false
  #calling = false

  /** The instant of the next task; undefined where there is none. */
  get next(): number | undefined {
    return this.#queue[0]?.at
  }

  /** Whether a task is just being called: whoever asks then is that task. */
  get calling(): boolean {
    return this.#calling
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Adds a task at an instant, after those that are due then already; returns a function that cancels it. */
  add(at: number, task: Task): () => void {
    const queue = this.#queue
    const scheduled = { at, task }
    const before = queue.findIndex((other) => other.at > at)
    queue.splice(before < 0 ? queue.length : before, 0, scheduled)
    return () => {
      const place = queue.indexOf(scheduled)
      if (place >= 0) queue.splice(place, 1)
    }
  }

  /** Begins a run once those begun before have ended, at once where there is none; not when it has ended by then. */
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
   * Runs what is due by an instant, also what is added on the way. `arrive` is called with each instant before its
   * tasks, and `quiet` is awaited before time goes on. A task that fails ends the run, and what comes after it stays.
   * Returns false where the scheduler ended meanwhile.
   */
  async runUntil(
    target: number,
    arrive: (instant: number) => void,
    quiet: () => Promise<void> | undefined = () => undefined,
  ): Promise<boolean> {
    const turn = turnsOfOthers()
    for (;;) {
      for (let waiting = quiet(); waiting && !this.#ended; waiting = quiet()) await waiting
      const ofOthers = turn()
      if (ofOthers) await ofOthers
      if (this.#ended) return false
      const next = this.#queue[0]
      if (!next || next.at > target) return true
      this.#queue.shift()
      arrive(next.at)
      await this.#perform(next.task)
      if (this.#ended) return false
    }
  }

  /** Drops every task; whoever waits for one, or for a turn, goes on at once. */
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
 * Work outside of a scheduler's own tasks, such as a request to a receiver. An advance waits for it before time goes
 * on, but no longer than its time limit: after that it goes on while time does.
 */
export class WorkInFlight {
  /** When the limit of each ends, on the machine's monotonic clock. */
  readonly #held = new Set<{ readonly until: number }>()
  #pause: Pause | undefined

  /** Begins some work; the limit is in milliseconds of wall time. Returns a function that ends it. */
  hold(limit: number): () => void {
    const held = { until: performance.now() + limit }
    this.#held.add(held)
    return () => {
      if (this.#held.delete(held)) this.#pause?.end()
    }
  }

  /** Resolves once something has ended or run out of time, for the caller to ask again; undefined where all is quiet. */
  quiet(): Promise<void> | undefined {
    const now = performance.now()
    for (const held of this.#held) if (held.until <= now) this.#held.delete(held)
    if (this.#held.size === 0) return undefined
    const latest = Math.max(...[...this.#held].map(({ until }) => until))
    this.#pause = startPause(Math.ceil(latest - now))
    return this.#pause.over
  }

  /** Forgets all work; whoever waits goes on. */
  end(): void {
    this.#held.clear()
    this.#pause?.end()
  }
}
