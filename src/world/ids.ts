import { type IdKind, idPrefixes } from '../model/index.js'
import { hashText } from './random.js'

export type { IdKind } from '../model/index.js'

/** No vowels, so that no id spells a word. */
const alphabet = '0123456789bcdfghjklmnpqrstvwxyz'

/**
 * Returns the id for a path, e.g. `thrd_4kz0mvb82xq1d7rt`: opaque (78 bits), and the same for the same seed and path on
 * every machine.
 */
export function idOf(kind: IdKind, seed: number, path: string): string {
  // Built from all character codes at once: a string that grows by letters takes five times the memory.
  const prefix = `${idPrefixes[kind]}_`
  const units: number[] = []
  for (let index = 0; index < prefix.length; index++) units.push(prefix.charCodeAt(index))
  for (const word of hashText(`${kind} ${path}`, seed)) {
    let left = word
    for (let digit = 0; digit < 4; digit++) {
      units.push(alphabet.charCodeAt(left % 31))
      left = Math.floor(left / 31)
    }
  }
  return String.fromCharCode(...units)
}

/** How many ids of each kind were assigned. */
export type IdCounts = { [Kind in IdKind]?: number | undefined }

/** Assigns ids to what a world creates itself, in order; the same commands get the same ids. */
export class IdSource {
  readonly #seed: number
  readonly counts: IdCounts

  constructor(seed: number, counts: IdCounts = {}) {
    this.#seed = seed
    this.counts = { ...counts }
  }

  next(kind: IdKind): string {
    const count = (this.counts[kind] ?? 0) + 1
    this.counts[kind] = count
    return idOf(kind, this.#seed, `world/${count}`)
  }
}
