/**
 * Names for the parts of a scenario that have none of their own, so that every generated value hangs on what
 * the part is, not on where it stands: the same name twice gets a number.
 */
export function nameParts<Part>(parts: readonly Part[], nameOf: (part: Part) => string): [string, Part][] {
  const counts = new Map<string, number>()
  return parts.map((part) => {
    const name = nameOf(part)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return [count === 1 ? name : `${name}#${count}`, part]
  })
}
