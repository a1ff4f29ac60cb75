type Variables = Readonly<Record<string, string | undefined>>

const proxyNames = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [name, name.toUpperCase()])

/**
 * Returns the variables by which programs that use the proxy of an environment send requests to these hosts directly; none if
 * the environment names no proxy.
 */
export function directTo(hosts: readonly string[], environment: Variables): Record<string, string> {
  if (!proxyNames.some((name) => environment[name])) return {}
  const { no_proxy, NO_PROXY } = environment
  const known = (no_proxy || NO_PROXY || '').split(',').map((host) => host.trim())
  const all = [...new Set([...known, ...hosts])].filter((host) => host !== '').join(',')
  // Programs read either.
  return { no_proxy: all, NO_PROXY: all }
}
