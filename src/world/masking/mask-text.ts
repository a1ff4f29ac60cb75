import {
  isHarmless,
  isSecretName,
  isSecretParameter,
  mask,
  maskCredentials,
  secretShapes,
} from './secrets.js'

/** Masks secrets in any text by name and by format: JSON, JSON within strings of JSON, URLs, forms, headers, logs. */
export function maskText(text: string): string {
  if (!hint.test(text)) return text
  if (isForm(text)) return maskUrl(text)
  const masked = maskElements(maskFormParts(maskUrlsIn(maskPairs(text.replace(cookies, `$1${mask}`)))))
  return maskArguments(maskCredentialsAfterScheme(masked)).replace(secretShapes, mask)
}

/** Occurs in every text with a secret; a text without a match is not examined further. */
const hint =
  /[=@]|:\\?\/|\\u00|eyJ|_|-|token|key|secret|pass|pw|pin|tok|dsn|auth|cookie|credential|session|sid|jwt|otp|csrf|xsrf|bearer|basic|AKIA|ASIA|AIza|SG\.|hv[sb]\.|ATATT|\d:AA/i

/** Masks the user, the password and the secret parameters of a URL, a path or a query. */
export function maskUrl(url: string): string {
  return maskParameters(maskUser(url)).replace(secretShapes, mask)
}

/** `name=value` in a URL or a form; in other texts only after `?`, `&` or `#`. */
const parameter = /(^|[?&;#]\s*)([^=?&;#\s]+)=([^&;#\s]*)/g
const parameterInText = /([?&#]|&amp;)([^=?&;#\s"'<>\\]+)=([^&;#\s"'<>\\]*)/g

function maskParameters(text: string, pattern = parameter): string {
  if (!text.includes('=')) return text
  return text.replace(pattern, (whole, before: string, name: string, value: string) => {
    if (isSecretParameter(decoded(name)) && !isHarmless(value)) return `${before}${name}=${mask}`
    const inside = /[%+]/.test(value) ? decoded(value.replaceAll('+', ' ')) : value
    const masked = inside === value ? value : maskText(maskUrl(inside))
    return masked === inside ? whole : `${before}${name}=${encodeURIComponent(masked)}`
  })
}

/** The rest of a URL from `://` on, anywhere in a text. */
const restOfUrl = /:\/\/(?<=\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s"'<>`\\]+/gi

/** A parameter of a URL that is itself a parameter of another URL. */
const encodedParameter = /(%3f|%26|%23)([\w.-]{1,60})(%3d)((?:(?!%26|%23)[\w.~%+-])+)/gi

function maskUrlsIn(text: string): string {
  const masked = text.includes('://') ? text.replace(restOfUrl, (rest) => maskUrl(rest)) : text
  return maskParameters(masked, parameterInText).replace(
    encodedParameter,
    (whole, before: string, name: string, equals: string) => {
      return isSecretParameter(name) ? `${before}${name}${equals}${mask}` : whole
    },
  )
}

function maskUser(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*)?:\/\/[^/?#\s]*@/i, (_, name = '') => `${name}://${mask}@`)
}

/** `Content-Disposition: form-data; name="password"`, an empty line, and the content of the part. */
const formPart =
  /(\bname="([^"\r\n]{1,100})"[^\r\n]{0,200}(?:\r?\n[^\r\n]{1,200}){0,5}(?:\r?\n){2})([^\r\n]+)/g

function maskFormParts(text: string): string {
  if (!text.includes(' name="')) return text
  return text.replace(formPart, (whole, before: string, name: string) => {
    return isSecretParameter(name) ? `${before}${mask}` : whole
  })
}

/** `<password>…</password>`, in any namespace. */
const element = /<((?:[\w.-]{1,80}:)?([\w.-]{1,80}))((?:\s[^<>]*)?>)([^<]+)(?=<\/\1\s*>)/g

function maskElements(text: string): string {
  if (!text.includes('</')) return text
  return text.replace(element, (whole, tag: string, name: string, rest: string, value: string) => {
    return isSecretName(name) && !isHarmless(value.trim()) ? `<${tag}${rest}${mask}` : whole
  })
}

/** Masks `Bearer abc-123`, unless a plain word follows. */
function maskCredentialsAfterScheme(text: string): string {
  return text.replace(/\b(Bearer|Basic) +([\w.~+/=-]{6,})/gi, (whole, scheme: string, value: string) => {
    return looksLikeKey(value) ? `${scheme} ${mask}` : whole
  })
}

/** `--password abc`, `curl -u ann:abc`, and `login ann password abc` of a .netrc. */
const option = /(?<![\w-])--([\w-]{1,60}) +(["']?)((?!-)[^\s"'\\]+)/g
const user = /((?<![\w-])(?:-u|--user)[ =]["']?[^\s:"'\\]{1,100}:)[^\s"'\\]+/g
const netrc = /(\blogin \S{1,100}\s{1,10}password )[^\s"'\\]+/g

/** `Cookie: a=b; c=d`, where each value may be a secret. */
const cookies = /\b((?:set-)?cookie: *)(?=[^\s=;]{1,100}=)[^\r\n"'<>\\]+/gi

function maskArguments(text: string): string {
  const masked = text.includes('--')
    ? text.replace(option, (whole, name: string, quote: string, value: string) => {
        return isSecretName(name) && looksLikeKey(value) ? `--${name} ${quote}${mask}` : whole
      })
    : text
  return masked.replace(user, `$1${mask}`).replace(netrc, `$1${mask}`)
}

/** Returns whether a text looks like a key rather than a word: digits, or capitals or separators inside. */
function looksLikeKey(text: string): boolean {
  return /\d|[a-z][A-Z]|\w[-_.~+/=]\w/.test(text)
}

/** A string in double quotes, possibly truncated, or a word. */
const tokens = /"(?:[^"\\]|\\[\s\S])*"?|[A-Za-z_][\w-]*/g
const separators = /['"`]?\]?\s*(=>|[:=])\s*/y

/**
 * Masks the values of secret names in JSON and similar texts: `"auth_token": "…"`, `api_key='…'`,
 * `Authorization: Bearer …`. The rest stays unchanged. One pass: each character is read at most three times.
 */
function maskPairs(text: string): string {
  // A copy with its own position, since the content of strings is masked recursively.
  const token = new RegExp(tokens)
  const separator = new RegExp(separators)
  let masked = ''
  let done = 0
  const replace = (start: number, end: number, instead: string): void => {
    masked += text.slice(done, start) + instead
    done = end
    token.lastIndex = end
  }
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [written] = found
    const end = found.index + written.length
    const isString = written.startsWith('"')
    separator.lastIndex = end
    const between = separator.exec(text)
    const name = isString ? stringIn(written) : written
    const secret = between !== null && name.length < 200 && isSecretName(name)
    const value = secret && valueAt(text, separator.lastIndex, isString || between[1] === '=')
    if (value) {
      replace(value.start, value.end, value.instead)
    } else if (isString) {
      // The content of a string may be JSON again, or any other text.
      const escaped = written.includes('\\')
      const instead = escaped ? maskText(name) : maskPairs(name)
      if (instead !== name)
        replace(found.index, end, escaped ? JSON.stringify(instead) : written.replace(name, () => instead))
    }
  }
  return masked + text.slice(done)
}

interface Masked {
  readonly start: number
  readonly end: number
  readonly instead: string
}

/** Returns the position of a secret name's value and its replacement; undefined if there is nothing to mask. */
function valueAt(text: string, start: number, certain: boolean): Masked | undefined {
  const first = text[start] ?? ''
  if (first === '{' || first === '[') return { start, end: endOfStructure(text, start), instead: `"${mask}"` }
  const quoted = /"(?:[^"\\]|\\[\s\S])*"?|'[^'\n]*'?|`[^`]*`?/y
  quoted.lastIndex = start
  const [string] = quoted.exec(text) ?? []
  if (string !== undefined) {
    const shown = stringIn(string)
    const quote = string[0]
    return isHarmless(shown)
      ? undefined
      : { start, end: start + string.length, instead: `${quote}${maskCredentials(shown)}${quote}` }
  }
  // `Digest username="ann", response="…"`
  const list =
    /(Digest|Hawk|MAC|OAuth|Signature|[A-Z\d]{1,9}-HMAC-SHA256) +[\w-]{1,60}=(?:\\?"[^"\\]*\\?"|[^\s,"\\]+)(?:, *[\w-]{1,60}=(?:\\?"[^"\\]*\\?"|[^\s,"\\]+))*/iy
  list.lastIndex = start
  const [parameters = '', kind] = list.exec(text) ?? []
  if (parameters !== '') return { start, end: start + parameters.length, instead: `${kind} ${mask}` }
  const bare = /((?:Bearer|Basic|Digest|Token|ApiKey) +)?[^\s&;,"'<>`)}\]]+/iy
  bare.lastIndex = start
  const [value = '', scheme] = bare.exec(text) ?? []
  if (isHarmless(value) || !(certain || scheme || (value.length >= 6 && looksLikeKey(value))))
    return undefined
  // A number or a word of JSON is replaced by a JSON string.
  const instead =
    certain && !scheme && text[start - 1] !== '=' && /^[\d-]/.test(value) ? `"${mask}"` : undefined
  return { start, end: start + value.length, instead: instead ?? maskCredentials(value) }
}

/** Returns the index after the list or object that begins here; the end of a truncated text. */
function endOfStructure(text: string, start: number): number {
  const part = /"(?:[^"\\]|\\[\s\S])*"?|[[{]|[\]}]/g
  part.lastIndex = start
  let depth = 0
  for (let found = part.exec(text); found; found = part.exec(text)) {
    if (found[0] === '{' || found[0] === '[') depth++
    else if (found[0] === '}' || found[0] === ']') depth--
    if (depth === 0) return part.lastIndex
  }
  return text.length
}

/** Returns the content of a string in quotes, even if it is truncated or has invalid escapes. */
function stringIn(written: string): string {
  const quote = written[0] as string
  const inside = written.length > 1 && written.endsWith(quote) ? written.slice(1, -1) : written.slice(1)
  if (!inside.includes('\\')) return inside
  try {
    return JSON.parse(`"${inside}"`) as string
  } catch {
    return inside.replace(/\\u([0-9a-f]{4})|\\(.)/gi, (_, hex?: string, character = '') => {
      return hex === undefined ? character : String.fromCharCode(Number.parseInt(hex, 16))
    })
  }
}

function isForm(text: string): boolean {
  return /^[^\s={}"&]+=[^\s"]*$/.test(text)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
