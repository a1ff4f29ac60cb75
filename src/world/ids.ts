import { hashText } from './random.js'

/** What an id begins with, by model. @see interface 2 */
const prefixes = {
  organization: 'org',
  identity: 'ident',
  thread: 'thrd',
  message: 'msg',
  attachment: 'att',
  webhook: 'whk',
} as const

/** What has an id. */
export type IdKind = keyof typeof prefixes

/** No vowels, so that no id spells a word. */
const alphabet = '0123456789bcdfghjklmnpqrstvwxyz'

/**
 * The id of the thing at a path, e.g. `thrd_4kz0mvb82xq1d7rt`: the same for the same seed and path on every
 * machine, and opaque (78 bits of it).
 */
export function idOf(kind: IdKind, seed: number, path: string): string {
  // Joined from its letters in one go: a string added to letter by letter takes five times the memory.
  const prefix = `${prefixes[kind]}_`
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

/** Hands out the ids of what a world creates itself, in order; the same commands get the same ids. */
export class IdSource {
  readonly #seed: number
  readonly #counts = new Map<IdKind, number>()

  constructor(seed: number) {
    this.#seed = seed
  }

  /** The next id of a kind. */
  next(kind: IdKind): string {
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    return idOf(kind, this.#seed, `world/${count}`)
  }

  /** Begins again with the first. */
  reset(): void {
    this.#counts.clear()
  }
}
