import type { Guard } from './guard.js'
import type { HostNames } from './host.js'

/**
 * Brings the target of a request into the form `/path?query` as URLs are normalized, so that all that follows
 * sees the same path; refuses targets that would lead elsewhere. Runs after the guard of the `Host` header.
 */
export function createTargetGuard(names: HostNames): Guard {
  return (request) => {
    const url = parseTarget(request.url ?? '', request.headers.host ?? '')
    if (!url) {
      const message = 'The request target must be a path such as /api/v1/webhooks.'
      return { status: 400, code: 'invalid_target', message }
    }
    const rejection = names.reject(url.hostname)
    if (rejection) return rejection
    request.headers.host = url.host
    request.url = `${url.pathname}${url.search}`
    return undefined
  }
}

/** The URL of a target in origin form (`/path`) or absolute form (`http://host/path`). */
function parseTarget(target: string, host: string): URL | undefined {
  const whole = target.startsWith('/') ? `http://${host}${target}` : target
  if (!/^http:\/\//i.test(whole) || !URL.canParse(whole)) return undefined
  const url = new URL(whole)
  const credentials = url.username !== '' || url.password !== ''
  // A path that begins with two slashes would be read as the name of another host.
  return credentials || url.pathname.startsWith('//') ? undefined : url
}
