/** Something to do at an instant; it may not move its own clock on, since it would wait for itself. */
export type Task = () => void | Promise<void>

/** A task with the instant at which it is due. */
interface Scheduled {
  readonly at: number
  readonly task: Task
}

/** What there is to do at instants to come: in order, one thing at a time, and nothing any more once it has ended. */
export class Agenda {
  readonly #entries: Scheduled[] = []
  #latestTurn: Promise<void> | undefined
  #endTask: (() => void) | undefined
  #ended = false
  #calling = false

  /** The instant of what comes next; undefined where there is nothing to do. */
  get next(): number | undefined {
    return this.#entries[0]?.at
  }

  /** Whether a task is just being called: whoever asks then is that task. */
  get calling(): boolean {
    return this.#calling
  }

  /** Whether it has ended. */
  get ended(): boolean {
    return this.#ended
  }

  /** Has something done at an instant, after what is to be done then already; gives back how to call it off. */
  add(at: number, task: Task): () => void {
    const entries = this.#entries
    const entry = { at, task }
    const before = entries.findIndex((other) => other.at > at)
    entries.splice(before < 0 ? entries.length : before, 0, entry)
    return () => {
      const place = entries.indexOf(entry)
      if (place >= 0) entries.splice(place, 1)
    }
  }

  /** Begins a run once those begun before have ended, at once where there is none; not when it has ended by then. */
  async takeTurn(run: () => Promise<void>): Promise<void> {
    const before = this.#latestTurn
    let pass = (): void => undefined
    const turn = new Promise<void>((resolve) => {
      pass = resolve
    })
    this.#latestTurn = turn
    try {
      if (before) await before
      if (!this.#ended) await run()
    } finally {
      pass()
      if (this.#latestTurn === turn) this.#latestTurn = undefined
    }
  }

  /**
   * Does what is due by an instant, also what is added on the way; `arrive` is told each instant before, and `quiet`
   * is waited for before time goes on. A task that fails ends the run, and what comes after it stays. False where the
   * agenda ended meanwhile.
   */
  async runUntil(
    target: number,
    arrive: (instant: number) => void,
    quiet: () => Promise<void> | undefined = () => undefined,
  ): Promise<boolean> {
    const entries = this.#entries
    for (;;) {
      for (let waiting = quiet(); waiting && !this.#ended; waiting = quiet()) await waiting
      if (this.#ended) return false
      const next = entries[0]
      if (!next || next.at > target) return true
      entries.shift()
      arrive(next.at)
      await this.#perform(next.task)
      if (this.#ended) return false
    }
  }

  /** Forgets everything; who waits for a task or for a turn goes on at once. */
  end(): void {
    this.#ended = true
    this.#entries.length = 0
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
