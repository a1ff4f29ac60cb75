import { BlockList, isIP, isIPv6 } from 'node:net'
import { bracketed } from '../address.js'
import { ServerError } from '../server-error.js'
import { isLoopback } from './loopback.js'

/** Where a request is about to go: a host as its URL names it, without brackets, and a port. */
export interface Destination {
  readonly host: string
  readonly port: number
}

/** Something that deliveries may go to besides this machine. */
interface Rule {
  /** A name, or an address. */
  readonly host: string
  /** Any when it is left out. */
  readonly port: number | undefined
  /** Whether it is the address a request would go to, whatever name led there. */
  readonly isAt: (address: string) => boolean
}

/** Where deliveries may go: to this machine, and wherever the user lets them. */
export class Destinations {
  readonly #rules: readonly Rule[]

  /** `allowed` are of the form `HOST` or `HOST:PORT`, an IPv6 address in brackets. @throws ServerError `unknown-host` */
  constructor(allowed: readonly string[] = []) {
    this.#rules = allowed.map(parseRule)
  }

  /** Whether a name leads wherever it leads with the user's consent. */
  allowsName({ host, port }: Destination): boolean {
    const name = withoutDot(host)
    return this.#rules.some((rule) => rule.host === name && opens(rule, port))
  }

  /** Whether a request to a destination may be sent to one of its addresses. */
  allows(destination: Destination, address: string): boolean {
    if (isLoopback(address) || this.allowsName(destination)) return true
    return this.#rules.some((rule) => rule.isAt(address) && opens(rule, destination.port))
  }
}

/** What lets deliveries go to a destination, as the flag has it. */
export function ruleFor({ host, port }: Destination): string {
  return `${bracketed(host)}:${port}`
}

const form = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i

function parseRule(text: string): Rule {
  const [, written, port] = form.exec(text) ?? []
  const known = written !== undefined && URL.canParse(`http://${written}`)
  if (!known || (port !== undefined && !isPort(Number(port)))) throw malformed(text)
  const host = withoutDot(new URL(`http://${written}`).hostname.replace(/^\[|\]$/g, ''))
  return { host, port: port === undefined ? undefined : Number(port), isAt: comparison(host) }
}

function malformed(text: string): ServerError {
  const example = isIPv6(text)
    ? `an IPv6 address goes in brackets: [${text}] or [${text}]:8080`
    : 'write a host with or without a port, such as hooks.example.com:8080, 192.0.2.7 or [2001:db8::7]'
  return new ServerError('unknown-host', `"${text}" is nothing that deliveries could go to; ${example}.`)
}

/** Tells whether an address is the one that a host is, if it is one, in whatever spelling. */
function comparison(host: string): (address: string) => boolean {
  if (isIP(host) === 0) return () => false
  const list = new BlockList()
  list.addAddress(host, familyOf(host))
  return (address) => list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

function opens(rule: Rule, port: number): boolean {
  return rule.port === undefined || rule.port === port
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535
}

/** A name that ends in a dot is the same name. */
function withoutDot(host: string): string {
  return host.replace(/\.$/, '')
}
