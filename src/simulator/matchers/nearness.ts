import type { Mismatch } from '../matching.js'

/**
 * How far something is from what was meant: each value that differs counts 1, or less where the texts are
 * alike; another operation, or another event, counts for more than any other value.
 */
export function distanceOf(mismatches: readonly Mismatch[]): number {
  return mismatches.reduce((sum, { name, wanted, found }) => {
    return sum + (isKind(name) ? 10 : 1 - likeness(wanted, found) / 2)
  }, 0)
}

function isKind(name: string): boolean {
  return name === 'operation' || name === 'event'
}

/** The things nearest to what was meant, the nearest first; of equally near ones, the first given. */
export function nearest<T extends { readonly mismatches: readonly Mismatch[] }>(things: readonly T[]): T[] {
  return things
    .map((thing) => ({ thing, distance: distanceOf(thing.mismatches) }))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ thing }) => thing)
}

/** From 0 to 1: the share of pairs of neighbouring letters that two texts have in common. */
function likeness(a: unknown, b: unknown): number {
  if (typeof a !== 'string' || typeof b !== 'string') return 0
  const [pairs, others] = [pairsOf(a), pairsOf(b)]
  if (pairs.size + others.size === 0) return 0
  const common = [...pairs].filter((pair) => others.has(pair)).length
  return (2 * common) / (pairs.size + others.size)
}

function pairsOf(text: string): Set<string> {
  const letters = [...text.slice(0, 200).toLowerCase()]
  return new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`))
}
