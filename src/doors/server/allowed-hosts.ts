import { BlockList, isIP, isIPv6 } from 'node:net'

/** The hosts that requests may name. */
export interface AllowedHosts {
  /** Returns whether a name in lower case, or an IPv6 address in brackets, is allowed. */
  has(name: string): boolean
  /** What is allowed, for people. */
  readonly names: readonly string[]
}

/** Returns whether an allowed host is a pattern: `.example.com`, which is also each name below it, or `10.0.0.0/8`. */
export function isHostPattern(host: string): boolean {
  return host.startsWith('.') || /^[^/]+\/\d+$/.test(host)
}

/** Returns a pattern of hosts in the form in which it is compared; undefined if it is malformed. */
export function parseHostPattern(pattern: string): string | undefined {
  if (pattern.startsWith('.')) return /^(\.[a-z0-9_-]+)+$/i.test(pattern) ? pattern.toLowerCase() : undefined
  const [address = '', bits = '', ...further] = pattern.split('/')
  const most = isIPv6(address) ? 128 : 32
  const isRange = isIP(address) !== 0 && /^\d+$/.test(bits) && Number(bits) <= most && further.length === 0
  return isRange ? pattern.toLowerCase() : undefined
}

/** Creates the list of allowed hosts from names and patterns that have been parsed. */
export function createAllowedHosts(allowed: readonly string[]): AllowedHosts {
  const names = new Set(allowed)
  const suffixes = allowed.filter((name) => name.startsWith('.'))
  const ranges = new BlockList()
  for (const range of allowed.filter((name) => name.includes('/'))) {
    const [address = '', bits] = range.split('/')
    ranges.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return {
    names: [...names],
    has(name) {
      if (names.has(name) || suffixes.some((suffix) => `.${name}`.endsWith(suffix))) return true
      const address = name.replace(/^\[(.+)\]$/, '$1')
      return isIP(address) !== 0 && ranges.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
    },
  }
}
