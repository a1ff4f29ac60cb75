import { once as onceEmitted } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net'
import { once } from '../../base/once.js'
import { checkOptions, type OptionNames } from '../../base/options.js'
import { uniqueMark } from '../../service/time/wall-time.js'
import type { AttemptCause, AttemptError, Delivery, DeliveryRecord } from '../../service/webhooks/delivery.js'
import type { ObservedWorld } from '../../service/webhooks/dispatcher.js'
import type { Receiver } from '../../service/webhooks/transport.js'
import type { InferredScenario, NamedScenario } from '../../story/read/define-scenario.js'
import type { ToolOptions } from '../mcp/tool.js'
import { Tools } from '../mcp/tools.js'
import { logDefect, openSimulator } from '../simulator/create-simulator.js'
import { type SimulatorOptions, type SimulatorSetup, simulatorOptions } from '../simulator/options.js'
import type { Simulator } from '../simulator/simulator.js'
import { Connections } from './connections.js'
import { AgentAccess, type AgentControls, createGuard, parseHost } from './guards.js'
import { bracketed, isLoopback, NetworkTransport } from './network-transport.js'
import { type AnsweredRequest, createRequestListener } from './request-listener.js'
import { explainListenError, ServerError } from './server-error.js'

/** A finished attempt to deliver an event. */
export interface DeliveryTry {
  readonly event: Delivery['event']['type']
  /** The receiver's URL, with keys and tokens masked. */
  readonly url: string
  /** Counts from 1 within its delivery. */
  readonly number: number
  readonly cause: AttemptCause
  /** Null if there was no response. */
  readonly status: number | null
  readonly error: AttemptError | null
  /** In milliseconds of the world's time. */
  readonly durationMs: number
}

/** Options of a server. `clock` is `real` by default. */
export interface ServerOptions extends Omit<SimulatorOptions, 'baseUrl'> {
  /** 4280 by default; 0 chooses a free port. */
  readonly port?: number | undefined
  /** The address to listen on. The default, `127.0.0.1`, can only be reached from this machine. */
  readonly host?: string | undefined
  /**
   * Names that the `Host` header of a request may contain, in addition to `host` and the names of this machine. `.example.com`
   * is this name and all below it.
   */
  readonly allowHosts?: readonly string[] | undefined
  /**
   * The bearer token that requests to `/_sim` need. By default they need none, unless other machines can reach the server:
   * then they need a random one, that of the {@link RunningServer}.
   */
  readonly controlToken?: string | undefined
  /** Which operations are tools at `/mcp`. */
  readonly mcp?: ToolOptions | undefined
  /**
   * What programs may do with the control API that do not have `controlToken`, such as an agent that is judged. With it,
   * they get a token of their own, `RunningServer.agentToken`. Everything by default. @internal
   */
  readonly agentControls?: AgentControls | undefined
  /** Called after every response. */
  readonly onAnswer?: ((request: AnsweredRequest) => void) | undefined
  /**
   * Allowed targets of deliveries in addition to this machine: a name, an IPv4 address, or an IPv6 address in brackets.
   * With a port, only that port is allowed. @example ['hooks.example.com:8080', '192.0.2.7', '[2001:db8::7]']
   */
  readonly allowDeliveriesTo?: readonly string[] | undefined
  /**
   * Receives the deliveries that no receiver of `sim.webhooks.on` takes. If it returns nothing, the delivery is captured.
   * If unset, deliveries are sent to their URLs.
   */
  readonly receiver?: Receiver | undefined
  /** Called after every attempt to deliver an event. */
  readonly onDeliveryTry?: ((tried: DeliveryTry) => void) | undefined
}

/** Options of a server, with those that only this package sets. */
interface ServerSetup
  extends ServerOptions,
    Pick<SimulatorSetup, 'defaultStart' | 'state' | 'initialState' | 'trace'> {
  /** The ports of this machine that receive deliveries instead of those in their URLs, by the latter. */
  readonly deliveryPorts?: ReadonlyMap<number, number> | undefined
  /** Called with the connection of each request, and what handles that, which it calls. */
  readonly aroundRequest?: ((socket: Socket, handle: () => void) => void) | undefined
}

const serverOptions: OptionNames<ServerOptions> = {
  ...simulatorOptions,
  port: 'public',
  host: 'public',
  allowHosts: 'public',
  controlToken: 'public',
  mcp: 'public',
  agentControls: 'public',
  onAnswer: 'public',
  allowDeliveriesTo: 'public',
  onDeliveryTry: 'public',
}

/** A simulator that is served over HTTP. */
export interface RunningServer {
  /** The base URL of the service, e.g. `http://127.0.0.1:4280`. */
  readonly url: string
  /** The base URL of the control API, e.g. `http://127.0.0.1:4280/_sim`. */
  readonly controlUrl: string
  /** The URL at which the operations are tools of the Model Context Protocol, e.g. `http://127.0.0.1:4280/mcp`. */
  readonly mcpUrl: string
  /** The bearer token that requests to the control API need; undefined if they need none. */
  readonly controlToken: string | undefined
  /** What an agent that is judged may do with the control API; undefined if none is. @internal */
  readonly agentAccess: Pick<AgentAccess, 'token' | 'refused' | 'end'> | undefined
  readonly simulator: Simulator
  /** Listens at another free port, too; returns the base URL of the service there, and that port. @internal */
  openPort(): Promise<{ readonly url: string; readonly port: number }>
  /**
   * Stops listening, ends every connection and closes the simulator; a second call waits for the first.
   * Unfinished deliveries are interrupted without waiting for their receivers; `simulator.deliveries` still
   * shows them. With `drain`, requests that have arrived get their responses first, for at most `drain`
   * milliseconds.
   */
  close(options?: { readonly drain?: number | undefined }): Promise<void>
  /** The number of deliveries that were interrupted by `close()`; 0 before. */
  readonly interrupted: number
  /** The number of requests in progress, without event streams. @internal */
  readonly answering: number
}

/**
 * Loads a scenario and serves it over HTTP until `close()`.
 * @throws ServerError, ScenarioError, WorldError; TypeError for an unknown option or tool
 * @example const server = await startServer({ scenario: 'support-desk', port: 0 })
 */
export async function startServer<const Name extends string = string>(
  options: ServerOptions & InferredScenario<Name> & NamedScenario<Name> = {},
): Promise<RunningServer> {
  checkOptions('startServer', options, serverOptions)
  if (options.mcp) checkOptions('startServer: mcp', options.mcp, { tools: 'public' })
  return openServer(options)
}

/** Starts a server with options that the caller has validated, since it accepts additional ones. */
export async function openServer(options: ServerSetup): Promise<RunningServer> {
  if (options.controlToken !== undefined && !/^[!-~]+$/.test(options.controlToken)) {
    throw new TypeError(
      'startServer: controlToken must have at least one character, only ASCII and no spaces.',
    )
  }
  const { port = 4280, clock = 'real', receiver, onDefect = logDefect } = options
  // In a URL, an IPv6 address has brackets.
  const host = (options.host ?? '127.0.0.1').replace(/^\[(.+)\]$/, '$1')
  const guard = createGuard([checkHost(host), ...(options.allowHosts ?? []).map(checkAllowed)])
  const transport = new NetworkTransport({ allowed: options.allowDeliveriesTo, ports: options.deliveryPorts })
  const reporter = createAttemptReporter(options.onDeliveryTry)
  // Long, because a timer that fires late could end a connection on which the next request has already arrived.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 300_000 })
  const connections = new Connections(server)
  const listen = once(() =>
    listenOn(server, { host, port, named: options.allowHosts?.find((one) => !one.startsWith('.')) }),
  )
  // Requests that arrive while persistent state is being read wait until it has been read.
  const early: Parameters<RequestListener>[] = []
  let handle: RequestListener = (...exchange) => void early.push(exchange)
  // An unknown `Expect` header may be ignored; by default, Node would respond with 417 without a body.
  for (const event of ['request', 'checkExpectation'])
    server.on(event, (...exchange: Parameters<RequestListener>) => handle(...exchange))
  try {
    const simulator = await openSimulator({
      ...options,
      clock,
      baseUrl: '*',
      carrier: 'server',
      transport: receiver ? undefined : transport,
      onDelivery: reporter.onDelivery,
      // The server listens before the timeline begins, because deliveries contain the address of the service.
      address: async () => (await listen()).linkUrl,
    })
    // Refuses a wrong choice before the first client comes.
    if (options.mcp?.tools) new Tools(simulator.service, options.mcp)
    const address = await listen()
    // Other machines do not know a token that nobody has chosen.
    const controlToken = options.controlToken ?? (address.loopback ? undefined : uniqueMark())
    const agent = options.agentControls && new AgentAccess(options.agentControls)
    const listener = createRequestListener({
      simulator,
      guard,
      connections,
      onAnswer: options.onAnswer,
      onDefect,
      token: controlToken,
      agent,
      toolOptions: options.mcp ?? {},
    })
    const { aroundRequest } = options
    handle = aroundRequest
      ? (request, response) => aroundRequest(request.socket, () => listener(request, response))
      : listener
    for (const exchange of early.splice(0)) handle(...exchange)
    const further: NetServer[] = []
    const openPort: RunningServer['openPort'] = async () => {
      const other = createNetServer((socket) => server.emit('connection', socket))
      further.push(other)
      await onceEmitted(other.listen(0, host), 'listening')
      const { port } = other.address() as AddressInfo
      return { url: `http://${clientHost(host)}:${port}`, port }
    }
    let interruptedBefore: number | undefined
    const closeAll = async (drain: number): Promise<void> => {
      interruptedBefore = reporter.interrupted
      const stopped = onceEmitted(server, 'close')
      if (drain > 0) await connections.drain(drain)
      server.close()
      for (const other of further) other.close()
      server.closeAllConnections()
      await options.state?.close()
      simulator.close()
      await Promise.all([stopped, transport.close()])
    }
    let closing: Promise<void> | undefined
    const close: RunningServer['close'] = ({ drain = 0 } = {}) => {
      closing ??= closeAll(drain)
      return closing
    }
    return {
      url: address.url,
      controlUrl: `${address.url}/_sim`,
      mcpUrl: `${address.url}/mcp`,
      controlToken,
      agentAccess: agent,
      simulator,
      openPort,
      close,
      get answering() {
        return connections.answering
      },
      get interrupted() {
        return interruptedBefore === undefined ? 0 : reporter.interrupted - interruptedBefore
      },
    }
  } catch (error) {
    server.close()
    server.closeAllConnections()
    await options.state?.close()
    throw error
  }
}

/** Creates the listener that reports finished attempts and counts interrupted deliveries in every world. */
function createAttemptReporter(onTry: ServerOptions['onDeliveryTry']) {
  const reported = new WeakSet<object>()
  const reporter = {
    interrupted: 0,
    onDelivery({ state }: DeliveryRecord, { masker }: ObservedWorld): void {
      if (state.status === 'interrupted') reporter.interrupted++
      for (const [index, attempt] of onTry ? state.attempts.entries() : []) {
        const { cause, answer, error, duration_ms } = attempt
        if (duration_ms === null || reported.has(attempt)) continue
        reported.add(attempt)
        onTry?.({
          event: state.event.type,
          url: masker.url(state.url),
          number: index + 1,
          cause,
          status: answer?.status ?? null,
          error: error && { ...error, message: masker.text(error.message) },
          durationMs: duration_ms,
        })
      }
    },
  }
  return reporter
}

function checkHost(host: string): string {
  const name = parseHost(bracketed(host))
  if (name !== undefined) return name
  throw new ServerError(
    'unknown-host',
    `"${host}" is not a host name or address, such as mailbox.test or 0.0.0.0; leave out http:// and the path.`,
  )
}

/** Checks an allowed host, before which a dot stands for all names below it. */
function checkAllowed(allowed: string): string {
  return allowed.startsWith('.') ? `.${checkHost(allowed.slice(1))}` : checkHost(allowed)
}

/** The address on which a server listens. */
interface Address {
  /** The base URL for clients on this machine, e.g. `http://127.0.0.1:4280`. */
  readonly url: string
  /** The base URL of links in deliveries. */
  readonly linkUrl: string
  /** Whether only this machine can reach it. */
  readonly loopback: boolean
}

/** Where a server listens. */
interface ListenOptions {
  readonly host: string
  readonly port: number
  /** The name by which other machines know it, perhaps with a port; links have it if the server listens on every address. */
  readonly named: string | undefined
}

/** Starts listening; resolves to the address. @throws ServerError */
function listenOn(server: Server, { host, port, named }: ListenOptions): Promise<Address> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(explainListenError(error, host, port))
    server.once('error', fail)
    server.listen({ host, port }, () => {
      server.off('error', fail)
      const bound = server.address() as AddressInfo
      const url = `http://${clientHost(host)}:${bound.port}`
      const linkUrl = named !== undefined && isEveryAddress(host) ? urlOf(named, bound.port) : url
      resolve({ url, linkUrl, loopback: isLoopback(bound.address) })
    })
  })
}

/** Returns the base URL of a host, whose own port takes precedence, since it may be forwarded. */
function urlOf(named: string, port: number): string {
  return /:\d+$/.test(named) && bracketed(named) === named
    ? `http://${named}`
    : `http://${bracketed(named)}:${port}`
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** Returns the host that clients on this machine use: a loopback address in place of a wildcard address. */
function clientHost(host: string): string {
  if (!isEveryAddress(host)) return bracketed(host)
  return host === '::' ? '[::1]' : '127.0.0.1'
}
