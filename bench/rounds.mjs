import { Bench } from 'tinybench'

/**
 * Measures candidates in turns, round after round, so that a noisy machine is noisy for all of them; the first
 * rounds only warm up. Gives what each measured, by candidate: `{ours: [12, 13], theirs: [20, 19]}`.
 */
export async function inTurns(candidates, { rounds, warmUp = 0, progress }) {
  const names = Object.keys(candidates)
  const measured = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 1 - warmUp; round <= rounds; round++) {
    const place = round > 0 ? `round ${round} of ${rounds}` : 'warming up'
    for (const index of names.keys()) {
      // Another one begins each round: whoever always comes last has a tenth less.
      const name = names.at((index + round) % names.length)
      progress(`${place}: ${name}`)
      const value = await candidates[name]()
      if (round > 0) measured[name].push(value)
    }
  }
  return measured
}

/** The middle of some numbers; of an even count, halfway between the two in the middle. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** What several rounds gave, as one figure: `{median, least, most, unit}`. */
export function figureOf(numbers, unit) {
  return { median: median(numbers), least: Math.min(...numbers), most: Math.max(...numbers), unit }
}

/** How many times the others some numbers are, round by round: what disturbed a round disturbed both. */
export function ratioOf(numbers, others) {
  return figureOf(
    numbers.map((number, round) => number / others[round]),
    '×',
  )
}

/** The figure with the largest median. */
export function largestOf(figures) {
  return figures.reduce((largest, figure) => (figure.median > largest.median ? figure : largest))
}

/**
 * The median time of a call in microseconds, of so many calls that tinybench makes one after another. What is done
 * `before` each of them is not timed. Warming up is the first rounds' business (rounds.mjs).
 */
export async function timeOf(call, { calls, before }) {
  const bench = new Bench({ iterations: calls, time: 0, warmup: false, throws: true })
  bench.add('call', call, before && { beforeEach: before })
  const [task] = await bench.run()
  return task.result.latency.p50 * 1000
}
