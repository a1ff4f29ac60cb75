import leven from 'leven'

/** The name most like the one given, when one is like it: `threads.totl` → `threads.total`. */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  return misspelt(given, names)[0]
}

/**
 * The names that may have been meant, at most four: those most like the one given, or else those with it in
 * them. `total` → `threads.total`, `messages.total`.
 */
export function nearestNames(given: string, names: Iterable<string>): string[] {
  const known = [...new Set(names)]
  const likely = misspelt(given, known)
  const others = likely.length > 0 ? likely : containing(given, known)
  return others.slice(0, 4)
}

/** `; did you mean "x"?` when names are like the one given, else nothing. */
export function didYouMean(given: string, names: Iterable<string>): string {
  const quoted = nearestNames(given, names).map((name) => `"${name}"`)
  const last = quoted.pop()
  if (last === undefined) return ''
  return `; did you mean ${quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`}?`
}

/** So many names are listed where none is similar to the one given. */
const mostListed = 8
/** So many names are searched for similar ones. */
const mostSearched = 10_000

/** Returns `; did you mean "refund"?`, or the names there are with a text behind them: `; there is a, b.` */
export function nearestOf(given: string, known: Iterable<string>, end = ''): string {
  const names = [...known].slice(0, mostSearched)
  return didYouMean(given, names) || `; there is ${listOf(names)}${end}`
}

/** Returns a text with at most so many characters: of a longer one the beginning, and `…`. */
export function truncate(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

/** Names in one line; of many, the first few. */
export function listOf(known: Iterable<string>): string {
  const names = [...new Set(known)]
  if (names.length === 0) return 'none'
  const further = names.length - mostListed
  const shown = further < 2 ? names : names.slice(0, mostListed)
  return `${shown.map(shorten).join(', ')}${further < 2 ? '' : ` and ${further} more`}`
}

/** The longest text that is compared with names: nobody misspelt a longer one, and comparing it takes long. */
const longestName = 200

/** Names with the fewest letters wrong. */
function misspelt(given: string, names: Iterable<string>): string[] {
  if (given.length > longestName) return []
  let nearest: string[] = []
  // A third of the letters wrong is a typo; more is another word, and of three letters or fewer one is much.
  let least = given.length < 4 ? 1 : Math.max(2, Math.floor(given.length / 3))
  for (const name of names) {
    const distance = distanceOf(given, name)
    if (distance > least) continue
    nearest = distance < least ? [name] : [...nearest, name]
    least = distance
  }
  return nearest
}

/** How many letters are wrong; what stands before a dot may be left out, but then less may be wrong. */
function distanceOf(given: string, name: string): number {
  const whole = lettersWrong(given, name)
  const ending = lettersWrong(given, name.slice(name.indexOf('.') + 1))
  return ending <= Math.max(1, given.length / 3) ? Math.min(whole, ending) : whole
}

function lettersWrong(given: string, name: string): number {
  const maxDistance = Math.max(2, Math.floor(given.length / 3)) + 1
  return leven(given.toLowerCase(), name.toLowerCase(), { maxDistance })
}

function containing(given: string, names: readonly string[]): string[] {
  const part = given.toLowerCase()
  return part.length < 3 ? [] : names.filter((name) => name.toLowerCase().includes(part))
}

/** A number of things: `1 request`, `3 deliveries`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

/** Returns a text in one line, of at most 40 characters, for messages that show what somebody wrote. */
export function shorten(text: string): string {
  const line = text
    .slice(0, 1000)
    .trim()
    .replace(/[\s\p{C}]+/gu, ' ')
  const letters = [...line]
  return letters.length <= 40 ? line : `${letters.slice(0, 39).join('')}…`
}
