/** Something that is under way, which an advance waits for until its patience is over. */
interface Held {
  /** When patience ends, on the wall. */
  readonly until: number
  patient: boolean
}

/**
 * What is under way outside of the clock's own tasks, such as a request to a receiver. Time that is moved on waits
 * for it, but not for ever: what takes longer than its patience goes on while time does.
 */
export class Underway {
  readonly #held = new Set<Held>()
  #waiting: { readonly promise: Promise<void>; readonly end: () => void } | undefined
  #alarm: { readonly at: number; readonly timer: ReturnType<typeof setTimeout> } | undefined

  /** Begins something; `patience` is in milliseconds of wall time. Gives back how to tell that it is over. */
  hold(patience: number): () => void {
    const held = { until: Date.now() + patience, patient: true }
    this.#held.add(held)
    return () => {
      if (this.#held.delete(held)) this.#check()
    }
  }

  /** Settled once nothing is under way that has patience left; undefined where that is so already. */
  quiet(): Promise<void> | undefined {
    const soonest = this.#soonest()
    if (soonest === undefined) return undefined
    this.#waiting ??= createWaiting()
    this.#arm(soonest)
    return this.#waiting.promise
  }

  /** Forgets everything; who waits goes on. */
  end(): void {
    this.#held.clear()
    this.#check()
  }

  #check(): void {
    if (!this.#waiting) return
    const soonest = this.#soonest()
    if (soonest !== undefined) {
      this.#arm(soonest)
      return
    }
    clearTimeout(this.#alarm?.timer)
    this.#alarm = undefined
    this.#waiting.end()
    this.#waiting = undefined
  }

  #arm(soonest: number): void {
    if (this.#alarm && this.#alarm.at <= soonest) return
    clearTimeout(this.#alarm?.timer)
    const ring = (): void => {
      this.#alarm = undefined
      this.#check()
    }
    this.#alarm = { at: soonest, timer: setTimeout(ring, Math.max(1, soonest - Date.now())) }
  }

  /** The end of patience that comes first, of what still has some. */
  #soonest(): number | undefined {
    const now = Date.now()
    let soonest: number | undefined
    for (const held of this.#held) {
      if (held.until <= now) held.patient = false
      if (held.patient && (soonest === undefined || held.until < soonest)) soonest = held.until
    }
    return soonest
  }
}

function createWaiting(): { promise: Promise<void>; end: () => void } {
  let end = (): void => undefined
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  return { promise, end }
}
