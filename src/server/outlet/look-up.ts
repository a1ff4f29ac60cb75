import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

/** Gives the addresses of a name, the preferred first; fails where there are none. */
export type LookUp = (name: string) => Promise<readonly string[]>

/** Asks this machine, and whomever it asks in its turn. */
export const lookUp: LookUp = async (name) => {
  const found = await lookup(name, { all: true })
  return found.map(({ address }) => address)
}

/** Every machine calls itself so; by which of its addresses, receivers differ. @see RFC 6761, 6.3 */
const ownNames = /^(?:.+\.)?localhost\.?$/i

/** The addresses of a host as a URL names it: its own, this machine's, or those that are looked up. */
export async function addressesOf(host: string, look: LookUp): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  return ownNames.test(host) ? ['127.0.0.1', '::1'] : look(host)
}
