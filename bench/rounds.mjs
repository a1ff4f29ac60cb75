import { Bench } from 'tinybench'

/**
 * Measures candidates in turns, round after round, so that noise on the machine affects all of them; the first rounds
 * only warm up. Returns the values by candidate: `{ours: [12, 13], theirs: [20, 19]}`.
 */
export async function inTurns(candidates, { rounds, warmUp = 0, progress }) {
  const names = Object.keys(candidates)
  const measured = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 1 - warmUp; round <= rounds; round++) {
    const place = round > 0 ? `round ${round} of ${rounds}` : 'warming up'
    for (const index of names.keys()) {
      // Each round begins with another candidate: one that is always last is measured a tenth too low.
      const name = names.at((index + round) % names.length)
      progress(`${place}: ${name}`)
      const value = await candidates[name]()
      if (round > 0) measured[name].push(value)
    }
  }
  return measured
}

/** Returns the median of numbers. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Summarizes the values of several rounds as a figure: `{median, least, most, unit}`. */
export function figureOf(numbers, unit) {
  return { median: median(numbers), least: Math.min(...numbers), most: Math.max(...numbers), unit }
}

/** Returns the ratio of numbers to others, round by round: a disturbance in a round affects both. */
export function ratioOf(numbers, others) {
  return figureOf(
    numbers.map((number, round) => number / others[round]),
    '×',
  )
}

/** Returns the figure with the largest median. */
export function largestOf(figures) {
  return figures.reduce((largest, figure) => (figure.median > largest.median ? figure : largest))
}

/**
 * Returns the median time of a call in microseconds, over `calls` calls that tinybench makes one after another. `before`
 * runs before each call and is not timed. There is no warm-up here: the first rounds do that (see `inTurns`).
 */
export async function timeOf(call, { calls, before }) {
  const bench = new Bench({ iterations: calls, time: 0, warmup: false, throws: true })
  bench.add('call', call, before && { beforeEach: before })
  const [task] = await bench.run()
  return task.result.latency.p50 * 1000
}
