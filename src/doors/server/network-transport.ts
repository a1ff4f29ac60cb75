import { lookup } from 'node:dns/promises'
import { BlockList, connect, isIP, isIPv6, type Socket } from 'node:net'
import type * as TLS from 'node:tls'
import type { Agent, buildConnector } from 'undici'
import type { ReceiverAnswer } from '../../service/webhooks/delivery.js'
import {
  type DeliveryTransport,
  type OutgoingRequest,
  readAnswer,
  TransportError,
} from '../../service/webhooks/transport.js'
import { ServerError } from './server-error.js'

/** Options of a network transport. */
export interface NetworkTransportOptions {
  /** Allowed targets in addition to this machine: `HOST` or `HOST:PORT`. */
  readonly allowed?: readonly string[] | undefined
  /** The ports of this machine that are used instead of others. */
  readonly ports?: ReadonlyMap<number, number> | undefined
  /** Resolves names; by default with the resolver of this machine. */
  readonly lookUp?: LookUp | undefined
}

/**
 * The maximum number of connections to one receiver: a world uses at most ten, and worlds must not wait for
 * each other.
 */
const maxConnections = 128

/** How long an idle connection is kept, in milliseconds: shorter than receivers commonly keep it. */
const keepAlive = 1000

/**
 * Sends deliveries over the network, to this machine and to allowed targets: each request exactly once, without following
 * redirects.
 */
export class NetworkTransport implements DeliveryTransport {
  readonly #rules: readonly Rule[]
  readonly #lookUp: LookUp
  readonly #ports: ReadonlyMap<number, number>
  readonly #sockets = new Set<Socket>()
  #agent: Promise<Agent> | undefined
  #closed = false

  /** @throws ServerError `unknown-host` */
  constructor({ allowed = [], ports = new Map(), lookUp = systemLookUp }: NetworkTransportOptions = {}) {
    this.#rules = allowed.map(parseRule)
    this.#lookUp = lookUp
    this.#ports = ports
  }

  async ready(): Promise<void> {
    if (!this.#closed) await this.#load()
  }

  /** @throws TransportError */
  async send(
    { url, headers, body }: OutgoingRequest,
    signal: AbortSignal,
    onSent?: () => void,
  ): Promise<ReceiverAnswer> {
    if (this.#closed) throw new TransportError('broken-off', 'The server was closed.')
    try {
      const agent = await this.#load()
      const { origin, pathname, search } = new URL(url)
      const bytes = Buffer.from(body)
      const answer = await agent.request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers: { ...headers, 'content-length': String(bytes.length) },
        // Its types do not know iterators.
        body: bodyOf(bytes, onSent) as never,
        signal,
      })
      return await readAnswer({
        status: answer.statusCode,
        headers: Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
        ),
        body: withPlainErrors(answer.body),
      })
    } catch (error) {
      throw toTransportError(error)
    }
  }

  /** Ends every connection, including requests in flight; later requests fail. */
  async close(): Promise<void> {
    this.#closed = true
    for (const socket of this.#sockets) socket.destroy()
    const agent = await this.#agent
    await agent?.destroy()
  }

  /** Loads undici with the first delivery: most servers have no subscriptions. */
  #load(): Promise<Agent> {
    // Node's own undici must be loaded first: otherwise the package makes itself the dispatcher of every `fetch`.
    void globalThis.Headers
    this.#agent ??= import('undici').then(({ Agent }) => {
      return new Agent({
        connect: (options, callback) => {
          this.#connect(options).then(
            (socket) => callback(null, socket),
            (error) => callback(error, null),
          )
        },
        connections: maxConnections,
        keepAliveTimeout: keepAlive,
        keepAliveMaxTimeout: keepAlive,
        // Attempts have their own timeouts.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
    })
    return this.#agent
  }

  /** Resolves the host once, then tries its allowed addresses one after another. @throws TransportError */
  async #connect({ hostname, protocol, port }: buildConnector.Options): Promise<Socket> {
    // Loaded when needed, since loading it takes a while.
    const tls = protocol === 'https:' ? await import('node:tls') : undefined
    const target = { host: hostname, port: port ? Number(port) : tls ? 443 : 80 }
    const failures: Error[] = []
    for (const address of await this.#allowedAddresses(target)) {
      try {
        return await this.#open(target, address, tls)
      } catch (error) {
        failures.push(error as Error)
      }
    }
    throw unconnected(target, failures[0] as Error)
  }

  /** Returns at least one address. @throws TransportError */
  async #allowedAddresses(target: Target): Promise<readonly string[]> {
    const rules = this.#rules.filter(({ port }) => port === undefined || port === target.port)
    const isNamed = rules.some(({ host }) => host === withoutDot(target.host))
    const found = await resolveHost(target.host, this.#lookUp).catch((error) => {
      // The outcome must not depend on whether this machine can resolve the name.
      const unknown = `No address is known for ${target.host} (${error.code}).`
      throw isNamed ? new TransportError('unreachable', unknown) : blocked(target)
    })
    const allowed = found.filter((address) => {
      if (isNamed || isLoopback(address)) return true
      return rules.some(({ addresses }) => addresses.check(address, familyOf(address)))
    })
    if (allowed.length === 0) throw blocked(target)
    return allowed
  }

  #open({ host, port }: Target, address: string, tls: typeof TLS | undefined): Promise<Socket> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error('the server is closed'))
      const actual = isLoopback(address) ? this.#ports.get(port) : undefined
      const where = { host: address, port: actual ?? port, noDelay: true }
      const servername = isIP(host) === 0 ? host : ''
      const socket = tls ? tls.connect({ ...where, servername }) : connect(where)
      this.#sockets.add(socket)
      socket.once(tls ? 'secureConnect' : 'connect', () => resolve(socket))
      // Not `once`: undici adds its own listener only later, and an unhandled error ends the process.
      socket.on('error', reject)
      socket.once('close', () => {
        this.#sockets.delete(socket)
        reject(new Error('the connection was closed'))
      })
    })
  }
}

/** Yields a body in one piece, and tells when it was written. */
async function* bodyOf(bytes: Uint8Array, onSent?: () => void): AsyncGenerator<Uint8Array> {
  yield bytes
  onSent?.()
}

/** Iterates over a body and explains an error in it like the other errors. */
async function* withPlainErrors(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw new Error(causeOf(error as Error))
  }
}

type SystemError = Error & { readonly code?: string }

/** Returns the error for a target that is not allowed; its message names the flag that allows it. */
function blocked(target: Target): TransportError {
  const where = ruleFor(target)
  const message = `Deliveries go only to loopback addresses such as 127.0.0.1, and ${where} is not one; --allow-delivery-to ${where} allows it.`
  return new TransportError('blocked', message)
}

/** Returns the error for a connection that failed. */
function unconnected(target: Target, error: SystemError): TransportError {
  const where = ruleFor(target)
  if (error.code === 'ECONNREFUSED') return new TransportError('unreachable', `Nothing listens at ${where}.`)
  return new TransportError('unreachable', `No connection to ${where}: ${causeOf(error)}.`)
}

/** Converts the error of a request on an open connection; returns a defect unchanged. */
function toTransportError(error: unknown): unknown {
  if (error instanceof TransportError) return error
  const { code, name } = error as SystemError
  if (name === 'AbortError') return new TransportError('broken-off', 'The request was aborted.')
  if (code === undefined && name !== 'HTTPParserError') return error
  return new TransportError('broken-off', `No response: ${causeOf(error as SystemError)}.`)
}

/** What went wrong with a connection, by the code, or else the name, and the message of its error. */
const causes: readonly (readonly [RegExp, string])[] = [
  [/^ERR_TLS_CERT_ALTNAME_INVALID/, 'the certificate is for another name'],
  [
    /^(CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_VERIFY)/,
    'the certificate is not trusted; NODE_EXTRA_CA_CERTS=FILE adds trusted ones',
  ],
  [/^(EPROTO|ERR_SSL_)/, 'it does not speak TLS; should its URL begin with http:?'],
  [/^(HPE_|HTTPParserError|ERR_ASSERTION)/, 'the receiver did not send valid HTTP'],
  [
    /^UND_ERR_SOCKET bad (response|upgrade)$/,
    'the receiver responded with 100 or 101, which the request does not ask for',
  ],
  [/^UND_ERR_HEADERS_OVERFLOW/, 'the receiver sent more than 16 KiB of headers'],
  [/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)/, 'the receiver closed the connection'],
]

/** Explains a connection error as part of a sentence. */
function causeOf({ code, name, message }: SystemError): string {
  return causes.find(([known]) => known.test(`${code ?? name} ${message}`))?.[1] ?? message
}

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
  /** Knows the host in any notation, if it is an address. */
  readonly addresses: BlockList
}

/** Returns the value of `--allow-delivery-to` that allows deliveries to a target. */
function ruleFor({ host, port }: Target): string {
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
  const addresses = new BlockList()
  if (isIP(host) !== 0) addresses.addAddress(host, familyOf(host))
  return { host, port, addresses }
}

function malformedRule(text: string): ServerError {
  const example = isIPv6(text)
    ? `an IPv6 address goes in brackets: [${text}] or [${text}]:8080`
    : 'write a host with or without a port, such as hooks.example.com:8080, 192.0.2.7 or [2001:db8::7]'
  return new ServerError('unknown-host', `"${text}" is not a valid delivery target; ${example}.`)
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
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
async function systemLookUp(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}

/** Names of this machine. They resolve to both loopback addresses: a receiver may listen on either. @see RFC 6761, 6.3 */
const localNames = /^(?:.+\.)?localhost\.?$/i

/** Returns the addresses of a host: the host itself if it is an address, the loopback addresses, or those looked up. */
async function resolveHost(host: string, lookUp: LookUp): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  return localNames.test(host) ? ['127.0.0.1', '::1'] : lookUp(host)
}
