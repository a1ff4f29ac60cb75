import leven from 'leven'

/** Returns the most similar name, if any is similar: `threads.totl` → `threads.total`. */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  return similarNames(text, names)[0]
}

/**
 * Returns `; did you mean "x"?` with up to four names: the most similar ones, or else those that contain the text. Empty
 * if there are none. `total` → `; did you mean "threads.total" or "messages.total"?`
 */
export function didYouMean(text: unknown, names: Iterable<string>): string {
  // In a program without types, it may be anything.
  const given = String(text)
  // In a long list, a typo is hard to find.
  const known = [...new Set(names)].slice(0, searchLimit)
  const similar = similarNames(given, known)
  const found = similar.length > 0 ? similar : containing(given, known)
  const quoted = found.slice(0, 4).map((name) => `"${name}"`)
  const last = quoted.pop()
  if (last === undefined) return ''
  return `; did you mean ${quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`}?`
}

/** The maximum number of names that are listed when none is similar. */
const listLimit = 20
/** The maximum number of names that are searched for similar ones. */
const searchLimit = 10_000

/** Returns what {@link didYouMean} does, or else the known names followed by `end`: `; expected one of a, b.` */
export function expectedOneOf(text: unknown, known: Iterable<string>, end = ''): string {
  const names = [...known]
  return didYouMean(text, names) || `${choicesOf(names)}${end}`
}

/** Returns `; expected one of a, b`, shortened if there are many names. */
export function choicesOf(names: readonly string[]): string {
  if (names.length === 0) return '; there are none'
  return `; expected ${names.length === 1 ? '' : 'one of '}${listOf(names)}`
}

/** Joins words: `a, b or c`. */
export function orJoin(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

/** Returns a text with a capital as its first letter. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Truncates a text to `length` characters; the last of them is then `…`. */
export function truncate(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

/** Lists names in one line; if there are many, the first few and the number of the others. */
export function listOf(known: Iterable<string>): string {
  const names = [...new Set(known)]
  if (names.length === 0) return 'none'
  const further = names.length - listLimit
  const shown = further < 2 ? names : names.slice(0, listLimit)
  return `${shown.map(shorten).join(', ')}${further < 2 ? '' : ` and ${further} more`}`
}

/**
 * The maximum length of a text that is compared with names: longer texts are not typos, and slow to compare.
 */
const comparedLength = 200

/** Returns the names with the fewest differing letters, if any is similar. */
export function similarNames(text: string, names: Iterable<string>): string[] {
  if (text.length > comparedLength) return []
  let nearest: string[] = []
  // Up to a third of the letters may differ in a typo, or one in a text of three letters or fewer.
  let minimum = text.length < 4 ? 1 : Math.max(2, Math.floor(text.length / 3))
  for (const name of names) {
    const distance = distanceOf(text, name)
    if (distance > minimum) continue
    nearest = distance < minimum ? [name] : [...nearest, name]
    minimum = distance
  }
  return nearest
}

/** Returns how many letters differ. The part before the first dot may be missing, but then fewer may differ. */
function distanceOf(text: string, name: string): number {
  const whole = editDistance(text, name)
  const ending = editDistance(text, name.slice(name.indexOf('.') + 1))
  return ending <= Math.max(1, text.length / 3) ? Math.min(whole, ending) : whole
}

function editDistance(text: string, name: string): number {
  const maxDistance = Math.max(2, Math.floor(text.length / 3)) + 1
  return leven(text.toLowerCase(), name.toLowerCase(), { maxDistance })
}

function containing(text: string, names: readonly string[]): string[] {
  const part = text.toLowerCase()
  return part.length < 3 ? [] : names.filter((name) => name.toLowerCase().includes(part))
}

/** Formats a number of things: `1 request`, `3 deliveries`, `12,345 threads`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : several}`
}

/** Formats a number of bytes: `12 bytes`, `48.2 kB`, `1.5 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e3) return counted(bytes, 'byte')
  return bytes < 1e6 ? `${Number((bytes / 1e3).toFixed(1))} kB` : `${Number((bytes / 1e6).toFixed(1))} MB`
}

/** Groups the digits of a whole number by thousands: `12,345`. */
export function grouped(number: number | string, separator = ','): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, separator)
}

/** Returns the index of the end of the line that contains `start`, before its line break. */
export function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

/** Quotes a word of a shell command. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** Formats the words of a command as input for a shell, in one line: a word is quoted if it needs that. */
export function formatCommand(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}

function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  if (!/\p{Cc}/u.test(word)) return shellQuoted(word)
  // A comment or a table cannot contain line breaks, and a terminal takes others for controls.
  const escaped = word.replaceAll('\\', '\\\\').replace(/\p{Cc}/gu, octalOf)
  return `"$(printf '%b' ${shellQuoted(escaped)})"`
}

function octalOf(character: string): string {
  const bytes = [...new TextEncoder().encode(character)]
  return bytes.map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')
}

/** Shortens a text to one line of at most 40 characters, for messages that quote user input. */
export function shorten(text: string): string {
  const line = text
    .slice(0, 1000)
    .trim()
    .replace(/[\s\p{C}]+/gu, ' ')
  const letters = [...line]
  return letters.length <= 40 ? line : `${letters.slice(0, 39).join('')}…`
}

/**
 * Creates a function that returns whether a text matches a pattern, in which `*` matches any characters. It
 * runs in linear time: each part of the pattern matches at its first occurrence, without backtracking.
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

/** Decodes the percent-encoding of a text; returns the text unchanged if the encoding is malformed. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Escapes a text for HTML, also within attributes. */
export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

/** Returns whether a content type is textual; a missing one counts as textual. */
export function isText(contentType: string | undefined): boolean {
  return contentType === undefined || /^text\/|json|xml|javascript|x-www-form-urlencoded/i.test(contentType)
}

const shownUnits = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 }

/** Formats a duration for people, without milliseconds from a second on: `1h30m`, `2m5s`, `250ms`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return milliseconds === 0 ? '0s' : `${milliseconds}ms`
  let left = milliseconds
  const parts = Object.entries(shownUnits).map(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? '' : `${count}${unit}`
  })
  return parts.join('')
}
