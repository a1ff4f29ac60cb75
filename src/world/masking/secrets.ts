/** Shorter secrets are masked only in fields meant for secrets. */
const shortest = 4

/**
 * Shorter secrets are masked only in URLs and headers, and there only as a whole word: elsewhere they may be a word of a
 * mail, or an agent's handle.
 */
export const unmistakable = 8

/** An escaped visible character of a URL or of JSON; a text without one contains secrets only unescaped. */
const codedCharacter = /%[2-9a-f][0-9a-f]|\\u[0-9a-f]{4}/i

/** Matches a fork's key, with any of its characters percent-encoded, even repeatedly, or escaped as in JSON. */
const character = String.raw`(?:[0-9a-z_]|%(?:25)*[0-9a-f]{2}|\\u00[0-9a-f]{2})`
const forkKey = new RegExp(`${[...'sim_'].map(waysToWrite).join('')}${character}{16}`, 'gi')

/** Matches a subscription's signing secret, likewise. */
const secretCharacter = String.raw`(?:[0-9a-z+/]|\\/|%(?:25)*[0-9a-f]{2}|\\u00[0-9a-f]{2})`
const webhookSecret = new RegExp(`${[...'whsec_'].map(waysToWrite).join('')}${secretCharacter}{32}`, 'gi')

/** Masks known secrets in texts in any encoding, and the keys that the simulator itself creates. */
export class KnownSecrets {
  readonly #patterns = new Map<string, RegExp>()

  /** Masks the secrets that are long enough to be unmistakable. */
  maskText(text: string, secrets: Iterable<string>): string {
    return this.#mask(text, secrets, unmistakable)
  }

  /** Masks all secrets in a URL or a similarly short text. */
  maskAddress(text: string, secrets: Iterable<string>): string {
    return this.#mask(text, secrets, shortest)
  }

  #mask(text: string, secrets: Iterable<string>, least: number): string {
    const long = [...new Set(secrets)].filter((secret) => secret.length >= least)
    // The longest first, since a secret may begin with another one.
    const ordered = long.length > 1 ? long.toSorted((a, b) => b.length - a.length) : long
    const coded = codedCharacter.test(text)
    let masked = text
    for (const secret of ordered) {
      const escaped = /["\\/]/.test(secret) && text.includes('\\')
      if (coded || escaped || masked.includes(secret)) masked = masked.replace(this.#patternOf(secret), mask)
    }
    if (coded || masked.includes('sim_')) masked = masked.replace(forkKey, mask)
    return coded || masked.includes('whsec_') ? masked.replace(webhookSecret, mask) : masked
  }

  #patternOf(secret: string): RegExp {
    const known = this.#patterns.get(secret)
    if (known) return known
    const written = [...secret].map(waysToWrite).join('')
    const source = secret.length < unmistakable ? `(?<![0-9A-Za-z])${written}(?![0-9A-Za-z])` : written
    const pattern = new RegExp(source, 'g')
    // Clients may send any number of unknown keys.
    if (this.#patterns.size >= 100) this.#patterns.clear()
    this.#patterns.set(secret, pattern)
    return pattern
  }
}

/** Returns a pattern for a character as it is, percent-encoded, even repeatedly, or escaped as in JSON. */
function waysToWrite(character: string): string {
  const encoded = [...new TextEncoder().encode(character)].map((byte) => `%(?:25)*${hex(byte, 2)}`).join('')
  const escaped = Array.from(
    { length: character.length },
    (_, unit) => `\\\\u${hex(character.charCodeAt(unit), 4)}`,
  ).join('')
  const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
  const short = /["\\/]/.test(character) ? [`\\\\${plain}`] : []
  return `(?:${[...short, plain, encoded, escaped].join('|')})`
}

/** Returns a pattern for a number in hexadecimal digits of either case. */
function hex(number: number, digits: number): string {
  const text = number.toString(16).padStart(digits, '0')
  return text.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

/** Replaces a secret. */
export const mask = '***'

/**
 * Suffixes of names of secrets, in lower case without separators, for headers, JSON fields, parameters, options and
 * environment variables. A token for the next page is not a secret.
 */
const secretName = new RegExp(
  `(${[
    'authorization',
    'cookies?',
    'credentials?',
    'passw(or)?d',
    'passphrase',
    'passcode',
    'pwd',
    'secrets?',
    'secretid',
    'authkey',
    '(api|access|private|secret|signing|encryption|subscription|functions?|master|shared|service|account|client|license)keys?(id)?',
    '(?<!page|next|prev|previous|continuation|cursor|sync|delta|start)token',
    '(access|auth|api|bearer|refresh|session)tokens',
    'jwt',
    'csrf',
    'xsrf',
    'session(id|key)?',
    '(^|connect|php|j)(sid|sessid)',
    'otp',
    '(connection|conn)(string|str)',
    '(auth|authorization)code',
    '(jwt|client|saml)assertion',
    '(?<!by|com|tres|over|under|boarding)pass',
    '^(auth|bearer|pw|dsn|pin|tok)',
  ].join('|')})$`,
)

/** Names of secrets in a query or a form that mean something harmless elsewhere. */
const secretParameters = new Set([
  ...['auth', 'assertion', 'code', 'codeverifier', 'key', 'oauthverifier', 'samlresponse', 'sas', 'ticket'],
])

/** Returns whether a field, a header or an option of that name holds a secret: `Authorization`, `api_key`, `authToken`, … */
export function isSecretName(name: string): boolean {
  return secretName.test(bare(name))
}

/** Returns whether a parameter of that name holds a secret, in a query or a form. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || secretParameters.has(bare(name)) || isSignature(name)
}

/** Returns whether a header of that name holds a secret, including signatures of requests. */
export function isSecretHeader(name: string): boolean {
  return isSecretName(name) || isSignature(name)
}

function isSignature(name: string): boolean {
  return /(sig|signature|hmac)(v?\d+|sha\d+)?$/.test(bare(name))
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Returns whether a value is not a secret under any name: empty, a flag as in `has_auth_token`, or masked already. */
export function isHarmless(value: string): boolean {
  return /^(true|false|null|undefined|masked|included|\*\*\*)?$/.test(value)
}

/** Where a key may begin: not within a word, except after a percent-encoded character. */
const begins = String.raw`(?:(?<![\w-])|(?<=%[\da-fA-F]{2}))`

/** Secrets with a recognizable format. Each pattern starts at a word boundary, which keeps matching linear. */
export const secretShapes = new RegExp(
  [
    // JSON Web Tokens
    String.raw`${begins}eyJ[\w-]{8,}\.[\w-]{8,}(\.[\w-]*)?`,
    // keys of well-known services
    String.raw`${begins}(sk|pk|rk)_(live|test)_\w{8,}`,
    String.raw`${begins}(gh[pousr]_|github_pat_|glpat-|npm_|pypi-|xox[abeoprs]-|xapp-|hv[sb]\.|hf_|lin_api_)[\w-]{10,}`,
    String.raw`${begins}(do[opr]_v1_|shp(?:at|ca|pa|ss)_|sq0[a-z]{3}-|gl(?:sa|c)_|sntry[su]_|NRAK-|HRKU-|PMAK-)[\w-]{10,}`,
    String.raw`${begins}(AKIA|ASIA)[0-9A-Z]{16}(?!\w)`,
    String.raw`${begins}(sk-|AIza|SG\.|ATATT3)[\w.-]{20,}`,
    // Telegram bot tokens
    String.raw`${begins}\d{8,10}:AA[\w-]{20,}`,
    String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY( BLOCK)?-----[\s\S]*?(-----END [A-Z ]{0,30}PRIVATE KEY( BLOCK)?-----|$)`,
    // webhook URLs that need no further key
    String.raw`(?<=\bhooks\.slack\.com/services/)[\w/]{10,}`,
    String.raw`(?<=\bdiscord(app)?\.com/api/webhooks/)\d+/[\w-]{10,}`,
  ].join('|'),
  'g',
)

const scheme = /^\s*(Bearer|Basic|Digest|Token|ApiKey)\s+/i

/** Masks credentials: `Bearer test-key` becomes `Bearer ***`; a value without a scheme is masked entirely. */
export function maskCredentials(value: string): string {
  const name = scheme.exec(value)?.[1]
  return name === undefined ? mask : `${name} ${mask}`
}

/** Returns the secret in the value of a header, without the scheme. */
export function credentialsIn(value: string): string {
  return value.replace(scheme, '').trim()
}
