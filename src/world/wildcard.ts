/**
 * Returns a function that tells whether a text fits a pattern, in which `*` stands for any characters. It takes time in
 * proportion to the text: each part of the pattern is taken where it first comes, so nothing is ever tried again.
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

/** Returns a function that tells whether mail to an address comes back: it fits one of the patterns, in any case. */
export function bouncesBy(patterns: readonly string[]): (address: string) => boolean {
  const fits = patterns.map((pattern) => wildcard(pattern.toLowerCase()))
  return (address) => fits.some((matches) => matches(address.toLowerCase()))
}
