import type { GapId, Readings } from '../contract/gaps.js'
import { withChoices } from '../world/index.js'

/** Readings that differ from others in one gap, made once for each. */
export class Alternatives {
  readonly #known = new WeakMap<Readings, Map<string, Readings>>()

  /** The readings with another reading of one gap. */
  of(readings: Readings, gap: GapId, reading: string): Readings {
    let known = this.#known.get(readings)
    if (!known) {
      known = new Map()
      this.#known.set(readings, known)
    }
    const choice = `${gap}=${reading}`
    let other = known.get(choice)
    if (!other) {
      other = withChoices(readings, { [gap]: reading })
      known.set(choice, other)
    }
    return other
  }
}
