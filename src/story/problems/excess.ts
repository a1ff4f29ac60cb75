import type { Path } from '../../base/mistake.js'
import { grouped } from '../../base/text.js'

/** How deeply the lists and maps of a scenario may be nested. */
export const maxNesting = 100
/** The total number of values that may be repeated, for example by the aliases of a file. */
const maxRepeated = 1_000_000

interface Excess {
  readonly path: Path
  readonly message: string
}

interface Extent {
  readonly size: number
  readonly height: number
}

/** Returns the first part of a value that contains itself, is nested too deeply, or repeats too much. */
export function excessIn(value: unknown): Excess | undefined {
  const known = new Map<object, Extent>()
  const around = new Set<object>()
  let repeated = 0
  let excess: Excess | undefined
  const extentOf = (part: unknown, path: Path): Extent => {
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part) || excess) {
      return { size: 1, height: 1 }
    }
    const before = known.get(part)
    repeated += before?.size ?? 0
    if (around.has(part)) excess = { path, message: 'a value contains itself' }
    else if (path.length + (before?.height ?? 1) > maxNesting) {
      excess = { path, message: `lists and maps are nested more than ${maxNesting} deep here` }
    } else if (repeated > maxRepeated) {
      excess = { path, message: `aliases repeat more than ${grouped(maxRepeated)} values up to here` }
    }
    if (before || excess) return before ?? { size: 1, height: 1 }
    around.add(part)
    let [size, height] = [1, 0]
    for (const [key, child] of Object.entries(part)) {
      const inside = extentOf(child, [...path, Array.isArray(part) ? Number(key) : key])
      size += inside.size
      height = Math.max(height, inside.height)
    }
    around.delete(part)
    const extent = { size, height: height + 1 }
    known.set(part, extent)
    return extent
  }
  extentOf(value, [])
  return excess
}
