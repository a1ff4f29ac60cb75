/**
 * Creates a function that returns whether a text matches a pattern, in which `*` matches any characters. It runs in
 * linear time: each part of the pattern matches at its first occurrence, without backtracking.
 */
export function wildcard(pattern: string): (text: string) => boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return (text) => text === first
  return (text) => {
    if (!text.startsWith(first)) return false
    let from = first.length
    for (const part of others) {
      const at = text.indexOf(part, from)
      if (at < 0) return false
      from = at + part.length
    }
    return text.length - last.length >= from && text.endsWith(last)
  }
}

/** Creates a function that returns whether mail to an address bounces: whether a pattern matches it, ignoring case. */
export function bouncesBy(patterns: readonly string[]): (address: string) => boolean {
  const fits = patterns.map((pattern) => wildcard(pattern.toLowerCase()))
  return (address) => fits.some((matches) => matches(address.toLowerCase()))
}
