/**
 * Measures candidates in turns, round after round, so that a noisy machine is noisy for all of them; the first
 * rounds only warm up. Gives what each measured, by candidate: `{ours: [12, 13], theirs: [20, 19]}`.
 */
export async function inTurns(candidates, { rounds, warmUp = 0, progress }) {
  const measured = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]))
  for (let round = 1 - warmUp; round <= rounds; round++) {
    const place = round > 0 ? `round ${round} of ${rounds}` : 'warming up'
    for (const [name, measure] of Object.entries(candidates)) {
      progress(`${place}: ${name}`)
      const value = await measure()
      if (round > 0) measured[name].push(value)
    }
  }
  return measured
}
