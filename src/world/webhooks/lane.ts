/** Something to be done; settled when it is over. It does not fail. */
export type Errand = () => Promise<void>

/** Does errands in the order in which they come, so many of them at a time. */
export class Lane {
  readonly #width: number
  readonly #onIdle: () => void
  readonly #waiting: Errand[] = []
  #underway = 0
  #next = 0

  /** `onIdle` is told each time that nothing is left to do. */
  constructor(width: number, onIdle: () => void = () => undefined) {
    this.#width = width
    this.#onIdle = onIdle
  }

  /** Does an errand as soon as there is room, at once where there is; settled when it is over. */
  run(errand: Errand): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(async () => {
        await errand()
        resolve()
      })
      this.#go()
    })
  }

  #go(): void {
    while (this.#underway < this.#width && this.#next < this.#waiting.length) {
      const errand = this.#waiting[this.#next++] as Errand
      // Taken off many at a time: one by one, each would cost the length of the queue.
      if (this.#next === 1000) {
        this.#waiting.splice(0, this.#next)
        this.#next = 0
      }
      this.#underway++
      void errand().then(() => {
        this.#underway--
        this.#go()
        if (this.#underway === 0) this.#onIdle()
      })
    }
  }
}

/** Lanes of one width, by name, for as long as there is something to do in them. */
export class Lanes {
  readonly #width: number
  readonly #byName = new Map<string, Lane>()

  constructor(width: number) {
    this.#width = width
  }

  /** Does an errand in the lane of that name, as soon as there is room; settled when it is over. */
  run(name: string, errand: Errand): Promise<void> {
    const known = this.#byName.get(name)
    if (known) return known.run(errand)
    const lane = new Lane(this.#width, () => this.#byName.delete(name))
    this.#byName.set(name, lane)
    return lane.run(errand)
  }
}
