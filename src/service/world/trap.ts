/** The origin that stands for that of the server in hostile mail: it is known only when a story is played. */
const trapOrigin = 'http://trap.invalid'

/** What stands for the id of the world that gets the mail. */
const ownWorld = '?box=own'

/** Returns the address that an attack asks an agent to open, before a world has the mail. */
export function trapOf(attack: string): string {
  return `${trapOrigin}/trap/${encodeURIComponent(attack)}${ownWorld}`
}

/** Returns a value of JSON in which the addresses of traps, in files as well, are those of a world. */
export function withTrapIn<Part>(
  part: Part,
  { id, base }: { readonly id: string; readonly base: string },
): Part {
  const placed = (text: string): string => {
    return text.replaceAll(trapOrigin, base).replaceAll(ownWorld, `?box=${id}`)
  }
  return JSON.parse(JSON.stringify(part), (key, value: unknown) => {
    if (typeof value !== 'string') return value
    // Byte by byte, since a file need not be text.
    if (key !== 'content') return placed(value)
    return Buffer.from(placed(Buffer.from(value, 'base64').toString('latin1')), 'latin1').toString('base64')
  })
}

/** Returns the id of the world whose trap a request without a key opens. */
export function trappedWorld(path: string, search: string): string | undefined {
  return path.startsWith('/trap/') ? /[?&]box=(\w+)/.exec(search)?.[1] : undefined
}
