import { type IdKind, idPrefixes } from '../model/index.js'
import { hashText } from './random.js'

export type { IdKind } from '../model/index.js'

/** No vowels, so that no id spells a word. */
const alphabet = '0123456789bcdfghjklmnpqrstvwxyz'

/**
 * The id of the thing at a path, e.g. `thrd_4kz0mvb82xq1d7rt`: the same for the same seed and path on every
 * machine, and opaque (78 bits of it).
 */
export function idOf(kind: IdKind, seed: number, path: string): string {
  // Joined from its letters in one go: a string added to letter by letter takes five times the memory.
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

/** The id a world of that seed hands out as its n-th of a kind; it counts from 1. */
function handedOut(kind: IdKind, seed: number, n: number): string {
  return idOf(kind, seed, `world/${n}`)
}

/** Hands out the ids of what a world creates itself, in order; the same commands get the same ids. */
export class IdSource {
  readonly #seed: number
  readonly #counts: Map<IdKind, number>

  /** `counts` says how many of each kind have been handed out already. */
  constructor(seed: number, counts: ReadonlyMap<IdKind, number> = new Map()) {
    this.#seed = seed
    this.#counts = new Map(counts)
  }

  get counts(): ReadonlyMap<IdKind, number> {
    return this.#counts
  }

  next(kind: IdKind): string {
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    return handedOut(kind, this.#seed, count)
  }
}
