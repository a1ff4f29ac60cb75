/** Secrets shorter than this are looked for nowhere but in the fields made for them. */
const shortest = 4

/**
 * Secrets shorter than this are looked for in addresses only, and there only as a word of their own: they might as
 * well be a word of a mail, or an agent's handle.
 */
export const unmistakable = 8

/** A visible character as URLs or JSON may write it: a text without any holds secrets only as they are. */
const codedCharacter = /%[2-9a-f][0-9a-f]|\\u[0-9a-f]{4}/i

/** Looks like a fork's key, whichever of its characters are percent-encoded or escaped as in JSON. */
const character = String.raw`(?:[0-9a-z_]|%[0-9a-f]{2}|\\u00[0-9a-f]{2})`
const forkKey = new RegExp(`${[...'sim_'].map(waysToWrite).join('')}${character}{16}`, 'gi')

/** Looks like a subscription's signing secret, likewise. */
const secretCharacter = String.raw`(?:[0-9a-z+/]|\\/|%[0-9a-f]{2}|\\u00[0-9a-f]{2})`
const webhookSecret = new RegExp(`${[...'whsec_'].map(waysToWrite).join('')}${secretCharacter}{32}`, 'gi')

/** Takes known secrets out of texts, however they are written there, and the keys that the simulator itself makes. */
export class KnownSecrets {
  readonly #patterns = new Map<string, RegExp>()

  /** Text without any of the secrets that cannot be mistaken for something else. */
  maskText(text: string, secrets: Iterable<string>): string {
    return this.#mask(text, secrets, unmistakable)
  }

  /** An address, or something as short, without any of the secrets. */
  maskAddress(text: string, secrets: Iterable<string>): string {
    return this.#mask(text, secrets, shortest)
  }

  #mask(text: string, secrets: Iterable<string>, least: number): string {
    const long = [...new Set(secrets)].filter((secret) => secret.length >= least)
    // The longest first: a secret may begin with another.
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
    // Clients may bring any number of keys that nobody listed.
    if (this.#patterns.size >= 100) this.#patterns.clear()
    this.#patterns.set(secret, pattern)
    return pattern
  }
}

/** A pattern for one character as it is, percent-encoded as in a URL, or escaped as in JSON. */
function waysToWrite(character: string): string {
  const encoded = [...new TextEncoder().encode(character)].map((byte) => `%${hex(byte, 2)}`).join('')
  const escaped = Array.from(
    { length: character.length },
    (_, unit) => `\\\\u${hex(character.charCodeAt(unit), 4)}`,
  ).join('')
  const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
  const short = /["\\/]/.test(character) ? [`\\\\${plain}`] : []
  return `(?:${[...short, plain, encoded, escaped].join('|')})`
}

/** A number in hexadecimal digits, as a pattern for either case. */
function hex(number: number, digits: number): string {
  const text = number.toString(16).padStart(digits, '0')
  return text.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

/** Stands where a secret was. */
export const mask = '***'

/**
 * The names of secrets, as the ends of names in lower case without separators: headers, JSON fields, parameters,
 * options and environment variables alike. A token that only leads to the next page is none.
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

/** Names that carry a secret in the query of a URL or in a form, and mean something harmless elsewhere. */
const secretParameters = new Set([
  ...['auth', 'assertion', 'code', 'codeverifier', 'key', 'oauthverifier', 'samlresponse', 'sas', 'ticket'],
])

/** Whether a field, a header or an option of that name carries a secret: `Authorization`, `api_key`, `authToken`, … */
export function isSecretName(name: string): boolean {
  return secretName.test(bare(name))
}

/** Whether a parameter of that name carries a secret, in a query or a form. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || secretParameters.has(bare(name)) || isSignature(name)
}

/** Whether a header of that name carries a secret: as in a field, or what signs the request. */
export function isSecretHeader(name: string): boolean {
  return isSecretName(name) || isSignature(name)
}

function isSignature(name: string): boolean {
  return /(sig|signature|hmac)(v?\d+|sha\d+)?$/.test(bare(name))
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Whether a value is no secret under any name: none, a flag such as that of `has_auth_token`, or masked already. */
export function isHarmless(value: string): boolean {
  return /^(true|false|null|undefined|masked|included|\*\*\*)?$/.test(value)
}

/** Where a key may begin: not within a word, but behind a percent-encoded character. */
const begins = String.raw`(?:(?<![\w-])|(?<=%[\da-fA-F]{2}))`

/** Secrets that show by their shape, whatever stands around them. Each begins where no word goes on, so all are linear. */
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
    // of Telegram
    String.raw`${begins}\d{8,10}:AA[\w-]{20,}`,
    String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY( BLOCK)?-----[\s\S]*?(-----END [A-Z ]{0,30}PRIVATE KEY( BLOCK)?-----|$)`,
    // addresses that whoever knows them may post to
    String.raw`(?<=\bhooks\.slack\.com/services/)[\w/]{10,}`,
    String.raw`(?<=\bdiscord(app)?\.com/api/webhooks/)\d+/[\w-]{10,}`,
  ].join('|'),
  'g',
)

const scheme = /^\s*(Bearer|Basic|Digest|Token|ApiKey)\s+/i

/** `Bearer test-key` → `Bearer ***`; anything without a scheme is masked whole. */
export function maskCredentials(value: string): string {
  const name = scheme.exec(value)?.[1]
  return name === undefined ? mask : `${name} ${mask}`
}

/** The secret in the value of a header that carries one, without the scheme. */
export function credentialsIn(value: string): string {
  return value.replace(scheme, '').trim()
}
