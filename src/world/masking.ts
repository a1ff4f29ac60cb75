/** What stands where a secret was. */
const mask = '***'

const secretHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-auth-token',
])

/** Headers with keys and tokens masked; the authentication scheme stays readable. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeaders.has(name.toLowerCase()) ? maskCredentials(value) : value,
    ]),
  )
}

/** `Bearer test-key` → `Bearer ***`; anything without a scheme is masked whole. */
function maskCredentials(value: string): string {
  const scheme = /^(Bearer|Basic|Digest)\s/i.exec(value)?.[1]
  return scheme === undefined ? mask : `${scheme} ${mask}`
}

/** A body with the values of `auth_token` masked, cut after so many characters. */
export function maskBody(body: string | null, characters: number): string | null {
  if (body === null) return null
  const masked = body.replace(/("auth_token"\s*:\s*)"(?:[^"\\]|\\.)+"/g, `$1"${mask}"`)
  return masked.length > characters ? `${masked.slice(0, characters)}…` : masked
}

/** A command or the like with every `auth_token` in it masked. */
export function maskSecrets<Content extends object>(content: Content): Content {
  if (!('auth_token' in content) || content.auth_token === null) return content
  return { ...content, auth_token: mask }
}
