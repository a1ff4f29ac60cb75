import { isNoSecret, isSecretName, mask } from './secret-names.js'

/** The end of a name that may be a secret one. From its quote it looks back, since quotes are soon found. */
const hint =
  /"\s*:(?<=(?:token|keys?|secret|passw(?:or)?d|authorization|cookies?|credentials?)[^a-z0-9"]*"\s*:)/i

/** Whether the search is worth while; a name may also be written with escapes. */
function mayHoldSecrets(text: string): boolean {
  return text.includes('\\u00') || hint.test(text)
}

/**
 * JSON with the values of secret names masked, however deep, also where it stands in a string of other JSON.
 * All else stays as it was written, and what is broken or cut off is taken as far as it goes.
 */
export function maskJson(text: string): string {
  if (!mayHoldSecrets(text)) return text
  let masked = ''
  let done = 0
  let at = text.indexOf('"')
  while (at >= 0) {
    const end = endOfString(text, at)
    const value = startOfValue(text, end)
    let next = end
    const found = value === undefined ? nestedSecret(text, at, end) : namedSecret(text, at, end, value)
    if (found) {
      masked += text.slice(done, found.start) + found.instead
      done = found.end
      next = found.end
    }
    at = text.indexOf('"', next)
  }
  return masked + text.slice(done)
}

/** A piece of a text that must not be shown, and what is shown instead. */
interface Secret {
  readonly start: number
  readonly end: number
  readonly instead: string
}

/** The value that a secret name has. */
function namedSecret(text: string, name: number, nameEnd: number, value: number): Secret | undefined {
  const written = text.slice(name, nameEnd)
  if (!isSecretName(unquoted(written) ?? written)) return undefined
  const end = endOfValue(text, value)
  const shown = text.slice(value, end)
  const harmless = isNoSecret(shown) || shown === '""'
  return { start: value, end, instead: harmless ? shown : `"${mask}"` }
}

/** A string with other JSON in it that holds secrets. */
function nestedSecret(text: string, start: number, end: number): Secret | undefined {
  const written = text.slice(start, end)
  if (!written.includes('\\"') || !mayHoldSecrets(written)) return undefined
  const inside = unquoted(written)
  if (inside === undefined) return undefined
  const masked = maskJson(inside)
  return masked === inside ? undefined : { start, end, instead: JSON.stringify(masked) }
}

/** The place after the string that begins at a quote; the text's end where it is cut off. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return end + 1
  }
  return text.length
}

/** Where the value begins whose name ends here; undefined where it is no name. */
function startOfValue(text: string, end: number): number | undefined {
  const colon = /\s*:\s*/y
  colon.lastIndex = end
  return colon.test(text) ? colon.lastIndex : undefined
}

/** The place after the value that begins here. */
function endOfValue(text: string, start: number): number {
  const first = text[start] ?? ''
  if (first === '"') return endOfString(text, start)
  if (first !== '{' && first !== '[') {
    const rest = /[^\s,}\]]*/y
    rest.lastIndex = start
    rest.test(text)
    return rest.lastIndex
  }
  let depth = 0
  for (let at = start; at < text.length; ) {
    const character = text[at]
    if (character === '{' || character === '[') depth++
    if ((character === '}' || character === ']') && --depth === 0) return at + 1
    at = character === '"' ? endOfString(text, at) : at + 1
  }
  return text.length
}

/** What a string stands for, also one that is cut off; undefined where it is broken otherwise. */
function unquoted(written: string): string | undefined {
  const closed = `${written.replace(/(?:\\(?:u[0-9a-f]{0,3})?)?$/i, '')}"`
  for (const attempt of [written, closed]) {
    try {
      return JSON.parse(attempt) as string
    } catch {}
  }
  return undefined
}
