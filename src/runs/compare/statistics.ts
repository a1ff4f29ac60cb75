/** How many pairs of trials became worse and better. */
export interface Flips {
  readonly worse: number
  readonly better: number
}

/**
 * Returns the chance that pairs flip at least as unevenly in one of the directions if both results are equally good: the
 * exact test of McNemar, which is a sign test of the pairs that flipped; two-sided.
 */
export function signTest({ worse, better }: Flips): number {
  const flips = BigInt(worse + better)
  let [ways, sum] = [1n, 0n]
  for (let count = 0n; count <= Math.min(worse, better); count++) {
    sum += ways
    ways = (ways * (flips - count)) / (count + 1n)
  }
  // Both directions, of 2 ** flips ways in all.
  return Math.min(1, Number((sum << 54n) >> flips) / 2 ** 53)
}

/** Returns the chances of several tests, corrected for their number after Holm, in the same order. */
export function holm(chances: readonly number[]): number[] {
  const order = chances.map((_, index) => index).sort((a, b) => (chances[a] ?? 0) - (chances[b] ?? 0))
  const corrected: number[] = []
  let least = 0
  for (const [rank, index] of order.entries()) {
    least = Math.max(least, Math.min(1, (chances[index] ?? 0) * (chances.length - rank)))
    corrected[index] = least
  }
  return corrected
}

/** The quantiles of the normal distribution for a two-sided test at 5 %, and for a power of 80 %. */
const [significant, powerful] = [1.959963984540054, 0.8416212335729143]

/**
 * Returns how many pairs of trials show a rate that falls by `drop` in four of five cases, at a level of 5 %, if the trials
 * of a pair fail independently. Undefined if the rate cannot fall that far.
 * @see Connor, Sample size for testing differences in proportions for the paired-sample design, Biometrics 43 (1987)
 */
export function trialsToSee(drop: number, rate: number): number | undefined {
  const after = rate - drop
  if (after < 0) return undefined
  const discordant = rate * (1 - after) + after * (1 - rate)
  const spread = significant * Math.sqrt(discordant) + powerful * Math.sqrt(discordant - drop ** 2)
  return Math.ceil((spread / drop) ** 2)
}
