/** What stands where a key or a token was. */
export const mask = '***'

/** Ends of names, in lower case and without anything between their words. */
const secretName =
  /(authorization|cookies?|credentials?|passw(or)?d|secret(key)?|(^x?|auth|access|refresh|id|bearer|session|security|control)token|(api|access|auth|private)keys?)$/

/** Whether what goes by that name is a key or a token: `Authorization`, `api_key`, `authToken`, … */
export function isSecretName(name: string): boolean {
  return secretName.test(name.toLowerCase().replace(/[^a-z0-9]/g, ''))
}

/** Whether a parameter of that name, in a query, carries a key or a token. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || name.toLowerCase() === 'key'
}

/** Whether a value is none, or only says whether there is one, as that of `has_auth_token`. */
export function isNoSecret(value: string): boolean {
  return /^(true|false|null)?$/.test(value)
}

const scheme = /^\s*(Bearer|Basic|Digest|Token|ApiKey)\s+/i

/** `Bearer test-key` → `Bearer ***`; anything without a scheme is masked whole. */
export function maskCredentials(value: string): string {
  const name = scheme.exec(value)?.[1]
  return name === undefined ? mask : `${name} ${mask}`
}

/** The key in the value of a header that carries one, without the scheme. */
export function credentialsIn(value: string): string {
  return value.replace(scheme, '').trim()
}
