/** A number of runs in which something held, out of some. */
export interface Share {
  readonly held: number
  readonly of: number
}

/**
 * Returns the chance of so few successes as in `few`, or fewer, if both shares came from the same rate: the one-sided exact test
 * of Fisher, by the hypergeometric distribution.
 */
export function chanceOfSoFew(few: Share, other: Share): number {
  const all = few.of + other.of
  const held = few.held + other.held
  const least = Math.max(0, held - other.of)
  const whole = logChoose(all, few.of)
  let chance = 0
  for (let count = least; count <= few.held; count++) {
    chance += Math.exp(logChoose(held, count) + logChoose(all - held, few.of - count) - whole)
  }
  return Math.min(1, chance)
}

/** Returns the logarithm of the number of ways to choose some of several things. */
function logChoose(several: number, some: number): number {
  let sum = 0
  for (let index = 1; index <= some; index++) sum += Math.log((several - some + index) / index)
  return sum
}
