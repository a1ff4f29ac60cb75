/** The middle of some numbers. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

/** The median time of one call, in microseconds. */
export async function timeOf(call, times) {
  const taken = []
  for (let i = 0; i < times; i++) {
    const before = performance.now()
    await call()
    taken.push(performance.now() - before)
  }
  return median(taken) * 1000
}

/**
 * Medians of several candidates measured in turns, round after round, so that a noisy machine is noisy for
 * all of them; the first rounds only warm up.
 */
export async function interleave(candidates, { rounds, warmUp = 2 }) {
  const results = new Map(Object.keys(candidates).map((name) => [name, []]))
  for (let round = 0; round < rounds + warmUp; round++) {
    for (const [name, measure] of Object.entries(candidates)) {
      const value = await measure()
      if (round >= warmUp) results.get(name).push(value)
    }
  }
  return Object.fromEntries([...results].map(([name, values]) => [name, describe(values)]))
}

function describe(values) {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) }
}

/** Rows as a Markdown table. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** `163 µs (151–190)`. */
export function microseconds({ median: middle, least, most }) {
  return `${middle.toFixed(0)} µs (${least.toFixed(0)}–${most.toFixed(0)})`
}
