/** A wait that can be ended. */
export interface Pause {
  /** Settled when the time is over, or when the wait was ended. */
  readonly over: Promise<void>
  end(): void
}

/** Waits some milliseconds of wall time. */
export function startPause(milliseconds: number): Pause {
  let end = (): void => undefined
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    end = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  return { over, end }
}

/** Starts measuring wall time; returns a function that returns the milliseconds since then. */
export function stopwatch(): () => number {
  const started = performance.now()
  return () => performance.now() - started
}

/**
 * Lets the event loop turn once, so that sockets and signals are served in the midst of long work. No timer:
 * a test that replaces timers must not wait for ever.
 */
export function breathe(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}

/** Milliseconds of the wall after which long work lets sockets and signals be served. */
const longestStretch = 25

/**
 * Returns a function for long work to call between its steps: now and then, it gives the event loop's turn to wait for.
 * @example const turn = turnsOfOthers(); for (const step of steps) { perform(step); await turn() }
 */
export function turnsOfOthers(): () => Promise<void> | undefined {
  let stretch = stopwatch()
  return () => {
    if (stretch() <= longestStretch) return undefined
    return breathe().then(() => {
      stretch = stopwatch()
    })
  }
}

/** Returns a text nothing else has, on any machine: for marks on what is outside of every simulated world. */
export function uniqueMark(): string {
  return globalThis.crypto.randomUUID()
}

/** Returns the machine's time, in milliseconds since the epoch: for what is about the world outside of the simulator. */
export function wallTime(): number {
  return Date.now()
}

/** The farthest a timer of the platform reaches, in milliseconds. */
export const longestTimer = 2_147_483_647

interface Wait {
  /** When it is over, in milliseconds that have passed for these timers. */
  readonly due: number
  readonly end: () => void
  /** Whether it leaves the process free to end. */
  readonly background: boolean
  handle: ReturnType<typeof setTimeout> | undefined
}

/** Waits for durations of a clock, which runs as fast as the machine's until it gets another speed. */
export class Timers {
  readonly #waits = new Set<Wait>()
  #speed = 1
  /** How much had passed when the speed was last set or time was skipped, and when that was. */
  #passed = 0
  #since = performance.now()

  /** Waits for a duration, or until the signal aborts; a `background` wait keeps no process alive. */
  wait(duration: number, signal?: AbortSignal, background = false): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(wait.handle)
        this.#waits.delete(wait)
        // A signal may live as long as the program; its listeners must not pile up.
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const wait: Wait = { due: this.#now() + duration, handle: undefined, end, background }
      signal?.addEventListener('abort', end, { once: true })
      this.#waits.add(wait)
      this.#arm(wait)
    })
  }

  /** Lets what is left of every wait pass at another speed. */
  setSpeed(speed: number): void {
    this.#restart(0, speed)
  }

  skip(duration: number): void {
    this.#restart(duration, this.#speed)
  }

  end(): void {
    for (const { end } of this.#waits) end()
  }

  #now(): number {
    return this.#passed + (performance.now() - this.#since) * this.#speed
  }

  #restart(skipped: number, speed: number): void {
    this.#passed = this.#now() + skipped
    this.#since = performance.now()
    this.#speed = speed
    for (const wait of this.#waits) this.#arm(wait)
  }

  #arm(wait: Wait): void {
    clearTimeout(wait.handle)
    const left = (wait.due - this.#now()) / this.#speed
    if (left <= 0) {
      wait.end()
      return
    }
    const next = left > longestTimer ? () => this.#arm(wait) : wait.end
    wait.handle = setTimeout(next, Math.min(longestTimer, left))
    if (wait.background) (wait.handle as { unref?: () => void }).unref?.()
  }
}
