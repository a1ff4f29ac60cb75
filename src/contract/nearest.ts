import leven from 'leven'

/** The name most like the one given, when one is like it: `threads.totl` → `threads.total`. */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined
  // A third of the letters wrong is a typo; more is another word.
  let least = Math.max(2, Math.floor(given.length / 3)) + 1
  for (const name of names) {
    const distance = leven(given.toLowerCase(), name.toLowerCase(), { maxDistance: least })
    if (distance < least) {
      nearest = name
      least = distance
    }
  }
  return nearest
}

/** `, did you mean "x"?` when a name is like the one given, else nothing. */
export function didYouMean(given: string, names: Iterable<string>): string {
  const nearest = nearestName(given, names)
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`
}
