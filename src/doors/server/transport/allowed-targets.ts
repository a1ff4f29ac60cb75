import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { ServerError } from '../server-error.js'

/** The host and port of a URL; the host has no brackets. */
export interface Target {
  readonly host: string
  readonly port: number
}

/** A rule that allows deliveries to a host other than this machine. */
interface Rule {
  /** A name, or an address. */
  readonly host: string
  /** If unset, any port is allowed. */
  readonly port: number | undefined
  /** Returns whether an address equals the host, in any notation; false if the host is a name. */
  readonly matchesAddress: (address: string) => boolean
}

/** The targets that deliveries may be sent to: this machine, and those that the user allows. */
export class AllowedTargets {
  readonly #rules: readonly Rule[]

  /** Parses `allowed`: each is `HOST` or `HOST:PORT`, an IPv6 address in brackets. @throws ServerError `unknown-host` */
  constructor(allowed: readonly string[] = []) {
    this.#rules = allowed.map(parseRule)
  }

  /** Returns whether a name is allowed, regardless of its addresses. */
  allowsName({ host, port }: Target): boolean {
    const name = withoutDot(host)
    return this.#rules.some((rule) => rule.host === name && matchesPort(rule, port))
  }

  /** Returns whether a request to a target may be sent to one of its addresses. */
  allows(target: Target, address: string): boolean {
    if (isLoopback(address) || this.allowsName(target)) return true
    return this.#rules.some((rule) => rule.matchesAddress(address) && matchesPort(rule, target.port))
  }
}

/** Returns the value of `--allow-delivery-to` that allows deliveries to a target. */
export function ruleFor({ host, port }: Target): string {
  return `${bracketed(host)}:${port}`
}

/** Returns a host in the form used in URLs: an IPv6 address gets brackets. */
export function bracketed(host: string): string {
  // isIPv6 compiles a large pattern when it is first called; most servers never need it.
  return host.includes(':') && isIPv6(host) ? `[${host}]` : host
}

const ruleForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i

function parseRule(text: string): Rule {
  const [, written, portText] = ruleForm.exec(text) ?? []
  const port = portText === undefined ? undefined : Number(portText)
  const isKnown = written !== undefined && URL.canParse(`http://${written}`)
  if (!isKnown || (port !== undefined && (port < 1 || port > 65_535))) throw malformedRule(text)
  const host = withoutDot(new URL(`http://${written}`).hostname.replace(/^\[|\]$/g, ''))
  return { host, port, matchesAddress: addressMatcher(host) }
}

function malformedRule(text: string): ServerError {
  const example = isIPv6(text)
    ? `an IPv6 address goes in brackets: [${text}] or [${text}]:8080`
    : 'write a host with or without a port, such as hooks.example.com:8080, 192.0.2.7 or [2001:db8::7]'
  return new ServerError('unknown-host', `"${text}" is not a valid delivery target; ${example}.`)
}

function addressMatcher(host: string): (address: string) => boolean {
  if (isIP(host) === 0) return () => false
  const list = new BlockList()
  list.addAddress(host, familyOf(host))
  return (address) => list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

function matchesPort(rule: Rule, port: number): boolean {
  return rule.port === undefined || rule.port === port
}

/** Removes the dot at the end of a fully qualified name: it is the same name. */
function withoutDot(host: string): string {
  return host.replace(/\.$/, '')
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Returns whether an IP address, in any notation, is a loopback address. */
export function isLoopback(address: string): boolean {
  return loopback.check(address, familyOf(address))
}

/** Returns the addresses of a name, the preferred one first; rejects if there are none. */
export type LookUp = (name: string) => Promise<readonly string[]>

/** Resolves a name with the resolver of this machine. */
export const systemLookUp: LookUp = async (name) => {
  const found = await lookup(name, { all: true })
  return found.map(({ address }) => address)
}

/** Names of this machine. They resolve to both loopback addresses: a receiver may listen on either. @see RFC 6761, 6.3 */
const localNames = /^(?:.+\.)?localhost\.?$/i

/** Returns the addresses of a host: the host itself if it is an address, the loopback addresses, or those looked up. */
export async function resolveHost(host: string, lookUp: LookUp): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  return localNames.test(host) ? ['127.0.0.1', '::1'] : lookUp(host)
}
