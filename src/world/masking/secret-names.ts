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
const secretParameters = new Set(['auth', 'assertion', 'code', 'key', 'sas', 'sig', 'signature', 'ticket'])

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
  return /(signature|hmac)(v?\d+|sha\d+)?$/.test(bare(name))
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Whether a value is no secret under any name: none, a flag such as that of `has_auth_token`, or masked already. */
export function isHarmless(value: string): boolean {
  return /^(true|false|null|undefined|masked|included|\*\*\*)?$/.test(value)
}

/** Secrets that show by their shape, whatever stands around them. Each begins where no word goes on, so all are linear. */
export const secretShapes = new RegExp(
  [
    // JSON Web Tokens
    String.raw`(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(\.[\w-]*)?`,
    // keys of well-known services
    String.raw`(?<![\w-])(sk|pk|rk)_(live|test)_\w{8,}`,
    String.raw`(?<![\w-])(gh[pousr]_|github_pat_|glpat-|npm_|xox[abeoprs]-|hv[sb]\.)[\w-]{10,}`,
    String.raw`(?<![\w-])(AKIA|ASIA)[0-9A-Z]{16}(?!\w)`,
    String.raw`(?<![\w-])(sk-|AIza|SG\.)[\w.-]{20,}`,
    String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]{0,30}PRIVATE KEY-----|$)`,
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
