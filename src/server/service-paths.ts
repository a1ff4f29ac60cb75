/**
 * Whether a request goes to the simulated service: the middleware reads the whole body, of whatever size, of one that
 * none of the handlers takes, and gets no such. `target` is a path, with or without its query.
 */
export function belongsToService(method: string, target: string): boolean {
  if (/^\/api\/v1(?:[/?]|$)/.test(target)) return true
  return target.startsWith('/attachments/') && (method === 'GET' || method === 'HEAD')
}
