/** The farthest a timer of the platform reaches, in milliseconds. */
export const longestTimer = 2_147_483_647

/** A wait that is on. */
interface Wait {
  /** Milliseconds of the clock's time that were left when its timer was last set. */
  left: number
  /** When that was, on the wall. */
  since: number
  timer: ReturnType<typeof setTimeout> | undefined
  readonly over: () => void
  /** Whether it leaves the process free to end. */
  readonly background: boolean
}

/** Waits for durations of a clock, which goes as fast as the wall's until it is told another speed. */
export class Waits {
  readonly #waits = new Set<Wait>()
  #speed = 1

  /** Waits for a duration, no longer than until the signal says so; `background` waits keep no process alive. */
  begin(duration: number, signal?: AbortSignal, background = false): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(wait.timer)
        this.#waits.delete(wait)
        // A signal may live as long as the program; what it is to tell must not pile up on it.
        signal?.removeEventListener('abort', over)
        resolve()
      }
      const wait: Wait = { left: duration, since: Date.now(), timer: undefined, over, background }
      signal?.addEventListener('abort', over, { once: true })
      this.#waits.add(wait)
      this.#set(wait)
    })
  }

  /** Has what is left of every wait pass at another speed. */
  setSpeed(speed: number): void {
    const before = this.#speed
    this.#speed = speed
    for (const wait of this.#waits) {
      wait.left -= passed(wait) * before
      this.#set(wait)
    }
  }

  /** Takes a duration off every wait, as the clock is moved on by it. */
  skip(duration: number): void {
    for (const wait of this.#waits) {
      wait.left -= passed(wait) * this.#speed + duration
      this.#set(wait)
    }
  }

  /** Ends every wait. */
  end(): void {
    for (const { over } of this.#waits) over()
  }

  #set(wait: Wait): void {
    clearTimeout(wait.timer)
    wait.since = Date.now()
    if (wait.left <= 0) {
      wait.over()
      return
    }
    const whole = wait.left / this.#speed
    const delay = Math.min(longestTimer, whole)
    wait.timer = setTimeout(() => {
      wait.left = whole > delay ? wait.left - delay * this.#speed : 0
      this.#set(wait)
    }, delay)
    if (wait.background) (wait.timer as { unref?: () => void }).unref?.()
  }
}

/** Milliseconds since a wait's timer was set; the wall may have been put back meanwhile. */
function passed({ since }: Wait): number {
  return Math.max(0, Date.now() - since)
}
