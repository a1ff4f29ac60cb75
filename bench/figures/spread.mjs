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
