/**
 * Whether mail to an address comes back: what a list of patterns says, in which `*` stands for any characters and
 * upper case for lower.
 */
export function bouncesBy(patterns: readonly string[]): (address: string) => boolean {
  const split = patterns.map((pattern) => pattern.toLowerCase().split('*'))
  return (address) => split.some((parts) => fits(address.toLowerCase(), parts))
}

/**
 * Whether a text is made of these parts with anything between them. Each part is taken where it first comes, so the
 * time it takes does not grow with the ways there are to fit many parts in.
 */
function fits(text: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const part of others) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
