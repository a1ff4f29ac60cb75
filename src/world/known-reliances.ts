import { type GapId, readingsOf } from '../contract/gaps.js'

/** That something would have come out otherwise under another reading. */
export interface Reliance {
  readonly gap: GapId
  /** The reading in force. */
  readonly reading: string
  /** The readings under which it would have come out otherwise. */
  readonly instead: readonly string[]
}

/** Reliances as they come up again and again: equal ones are one and the same, so that keeping many costs little. */
export class KnownReliances {
  readonly #byGap = new Map<GapId, Map<string, Map<number, Reliance>>>()

  /** The reliance on a gap under a reading; `instead` has a bit for each other reading, by its place among all. */
  get(gap: GapId, reading: string, instead: number): Reliance {
    const byBits = inner(inner(this.#byGap, gap), reading)
    let reliance = byBits.get(instead)
    if (!reliance) {
      const others = readingsOf(gap).filter((_, place) => (instead & (1 << place)) !== 0)
      reliance = { gap, reading, instead: others.map(({ name }) => name) }
      byBits.set(instead, reliance)
    }
    return reliance
  }
}

function inner<Key, InnerKey, Value>(maps: Map<Key, Map<InnerKey, Value>>, key: Key): Map<InnerKey, Value> {
  let map = maps.get(key)
  if (!map) {
    map = new Map()
    maps.set(key, map)
  }
  return map
}
