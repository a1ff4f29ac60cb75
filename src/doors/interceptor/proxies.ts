import { directTo } from '../../base/proxies.js'

/**
 * Lets the clients of this process send requests for a simulated address without the proxy that the environment names, since
 * they are intercepted on the way. Returns a function that ends this.
 */
export function bypassProxies(baseUrl: string): () => void {
  if (!URL.canParse(baseUrl)) return () => undefined
  const { env } = process
  const before = { no_proxy: env['no_proxy'], NO_PROXY: env['NO_PROXY'] }
  const { hostname } = new URL(baseUrl)
  const set = directTo([hostname], env)
  Object.assign(env, set)
  return () => {
    for (const [name, value] of Object.entries(before)) {
      // Another may have been set since.
      if (set[name] === undefined || env[name] !== set[name]) continue
      if (value === undefined) delete env[name]
      else env[name] = value
    }
  }
}
