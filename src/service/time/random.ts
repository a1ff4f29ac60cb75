import { type IdKind, idPrefixes } from '../model/rows.js'
import { lastInstant, nextTick } from './time.js'

/**
 * Seeded randomness: every value comes from a stream named by a path, so no value depends on how many others were drawn
 * before it.
 */

/** 128 bits of hash as four unsigned 32-bit words. */
type Hash = readonly [number, number, number, number]

/** Hashes a text with the public-domain cyrb/murmur family: fast and well mixed, not for secrets. */
export function hashText(text: string, seed = 0): Hash {
  let [a, b, c, d] = [0x9e3779b9 ^ seed, 0x243f6a88 ^ seed, 0xb7e15162 ^ seed, 0xdeadbeef ^ seed]
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    a = b ^ Math.imul(a ^ unit, 597399067)
    b = c ^ Math.imul(b ^ unit, 2869860233)
    c = d ^ Math.imul(c ^ unit, 951274213)
    d = a ^ Math.imul(d ^ unit, 2716044179)
  }
  a = Math.imul(c ^ (a >>> 18), 597399067)
  b = Math.imul(d ^ (b >>> 22), 2869860233)
  c = Math.imul(a ^ (c >>> 17), 951274213)
  d = Math.imul(b ^ (d >>> 19), 2716044179)
  // Only the first word mixes in all others; if each did, any three would determine the fourth.
  return [(a ^ b ^ c ^ d) >>> 0, b >>> 0, c >>> 0, d >>> 0]
}

/** Formats a hash, or any 32-bit words, as hexadecimal digits. */
export function hexOf(words: readonly number[]): string {
  return words.map((word) => word.toString(16).padStart(8, '0')).join('')
}

/** Returns JSON with the keys of every object sorted. */
export function canonicalJson(content: unknown): string {
  return JSON.stringify(content, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** Mixes a number into a 32-bit one: the sort key of a seeded shuffle. */
export function mixNumber(value: number, seed: number): number {
  let mixed = (value ^ Math.imul(seed | 0, 0x9e3779b1)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

/** A stream of random values; the same seed and path give the same values on every machine. */
export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** An integer from `minimum` to `maximum`, both included. */
  integer(minimum: number, maximum: number): number
  /** True with the given probability (0 never, 1 always). */
  chance(probability: number): boolean
  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T
  /** Returns an item with a probability proportional to its weight. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T
}

/** Creates the random stream of a path, e.g. `createRandom(7, 'identities/support/generate/12')`. */
export function createRandom(seed: number, path: string): Random {
  let [a, b, c, d] = hashText(path, seed)
  const next = (): number => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 4294967296
  }
  // The first outputs of this generator still correlate with the seed.
  for (let round = 0; round < 6; round++) next()
  return {
    next,
    integer: (minimum, maximum) => minimum + Math.floor(next() * (maximum - minimum + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => pickAt(items, next()),
    weighted: (items) => pickWeighted(items, next()),
  }
}

function pickAt<T>(items: readonly T[], position: number): T {
  if (items.length === 0) throw new RangeError('Cannot pick from an empty list.')
  return items[Math.floor(position * items.length)] as T
}

function pickWeighted<T extends { readonly weight: number }>(items: readonly T[], position: number): T {
  let left = position * items.reduce((sum, item) => sum + item.weight, 0)
  for (const item of items) {
    left -= item.weight
    if (left < 0) return item
  }
  return pickAt(items, 0.999999)
}

/** No vowels, so that no id spells a word. */
const alphabet = '0123456789bcdfghjklmnpqrstvwxyz'

/**
 * Returns the id for a path, e.g. `thrd_4kz0mvb82xq1d7rt`: opaque (78 bits), and the same for the same seed and path on
 * every machine.
 */
export function idOf(kind: IdKind, seed: number, path: string): string {
  // Built from all character codes in one call: a string that grows letter by letter takes five times the
  // memory.
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

/** How many ids of each kind were assigned, and the latest instant at which a message was created. */
export type IdCounts = { [Kind in IdKind | 'instant']?: number | undefined }

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

  /**
   * Returns when the next message is created: later than every message before it, also while the clock stands, so that
   * sorting by time gives the order in which they came. Only messages of its own thread may be dated in the future; it comes
   * after `latest`, the last of them, by at least the rest of a `tick`, within which timestamps look the same.
   */
  nextInstant(now: number, latest: number | undefined, tick = 1): number {
    const own = Math.max(now, (this.counts.instant ?? Number.NEGATIVE_INFINITY) + 1)
    const free = latest === undefined ? own : Math.max(own, nextTick(latest, tick))
    if (free > own + 1) return Math.min(free, lastInstant)
    this.counts.instant = free
    return free
  }
}
