import { createServer, type Server } from 'node:http'
import { promisify } from 'node:util'
import { once } from '../contract/once.js'
import { createSimulator, logDefect, type SimulatorOptions } from '../simulator/create-simulator.js'
import type { Simulator } from '../simulator/simulator.js'
import type { Receiver } from '../world/index.js'
import { type Address, bracketed, listenOn } from './address.js'
import { Connections } from './connections.js'
import { type AnsweredRequest, createDoor } from './door.js'
import { createHostGuard, HostNames, parseHost } from './guards/host.js'
import { guardMethod } from './guards/method.js'
import { removePassMark } from './guards/pass-mark.js'
import { createTargetGuard } from './guards/target.js'
import { createInside } from './inside.js'
import { type DeliveryTry, DeliveryWatch } from './outlet/delivery-watch.js'
import { NetworkOutlet } from './outlet/network-outlet.js'
import { ServerError } from './server-error.js'

/** How a server is started. `clock` is `real` when it is left out. */
export interface ServerOptions
  extends Omit<SimulatorOptions, 'baseUrl' | 'carrier' | 'outlet' | 'onDelivery' | 'address'> {
  /** 4280 when it is left out; 0 takes a free one. */
  readonly port?: number | undefined
  /** The address to listen on: `127.0.0.1`, which only this machine reaches, when it is left out. */
  readonly host?: string | undefined
  /** Names, besides `host` and those of this machine, that requests may have in their `Host`. */
  readonly allowHosts?: readonly string[] | undefined
  /** What requests to `/_sim` must bring as a bearer token; without one, only this machine may ask there. */
  readonly controlToken?: string | undefined
  /** Told of every request once it has been answered. */
  readonly onAnswer?: ((request: AnsweredRequest) => void) | undefined
  /**
   * Where deliveries may go besides this machine: a name, an IPv4 address or an IPv6 address in brackets, with a port
   * where it is to be that one only. @example ['hooks.example.com:8080', '192.0.2.7', '[2001:db8::7]']
   */
  readonly allowDeliveriesTo?: readonly string[] | undefined
  /**
   * Takes the deliveries that no receiver of `sim.webhooks.on` takes; what it gives nothing for is captured. Without
   * one, they are sent to their URLs.
   */
  readonly receiver?: Receiver | undefined
  /** Told of every attempt to deliver an event once it has ended. */
  readonly onDeliveryTry?: ((tried: DeliveryTry) => void) | undefined
}

/** A simulator that answers over HTTP. */
export interface RunningServer {
  /** The base URL of the service, e.g. `http://127.0.0.1:4280`. */
  readonly url: string
  /** The base URL of the control API, e.g. `http://127.0.0.1:4280/_sim`. */
  readonly controlUrl: string
  readonly simulator: Simulator
  /**
   * Stops listening, ends every connection and lets go of the simulator; a second call waits for the first. Deliveries
   * that are not over are interrupted, whatever their receivers do; `simulator.deliveries` still shows them.
   */
  close(): Promise<void>
  /** How many deliveries were not over when it was closed; 0 before. */
  readonly interrupted: number
}

/**
 * Loads a scenario and serves it over HTTP until `close()`.
 * @throws ServerError, ScenarioError, ReadingError, ClockError
 * @example const server = await startServer({ scenario: 'support-desk', port: 0 })
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 4280 } = options
  const names = new HostNames([host, ...(options.allowHosts ?? [])].map(checkedName))
  const outlet = new NetworkOutlet({ allowed: options.allowDeliveriesTo })
  const watch = new DeliveryWatch(options.onDeliveryTry)
  // Long, because a timer that was late would end a connection on which the next request has arrived already.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 300_000 })
  const connections = new Connections(server)
  const listen = once(() => listenOn(server, host, port))
  try {
    const simulator = await createServed(options, { outlet, watch, listen })
    // Nothing but promises that are settled lies between listening and the door: no request comes before it.
    const address = await listen()
    openDoor(server, { connections, names, simulator, address, options })
    const closing = createClosing({ server, connections, simulator, outlet, watch })
    return {
      url: address.url,
      controlUrl: `${address.url}/_sim`,
      simulator,
      close: closing.close,
      get interrupted() {
        return closing.interrupted()
      },
    }
  } catch (error) {
    server.close()
    connections.end()
    throw error
  }
}

/** The simulator of a server, which listens by the time its story begins: deliveries say where the service is. */
function createServed(
  options: ServerOptions,
  parts: {
    readonly outlet: NetworkOutlet
    readonly watch: DeliveryWatch
    listen(): Promise<Address>
  },
): Promise<Simulator> {
  const { clock = 'real', receiver } = options
  const { outlet, watch, listen } = parts
  return createSimulator({
    ...options,
    clock,
    baseUrl: '*',
    carrier: 'server',
    outlet: receiver ? undefined : outlet,
    onDelivery: watch.see,
    address: async () => (await listen()).url,
  })
}

function openDoor(
  server: Server,
  parts: {
    readonly connections: Connections
    readonly names: HostNames
    readonly simulator: Simulator
    readonly address: Address
    readonly options: ServerOptions
  },
): void {
  const { connections, names, simulator, address, options } = parts
  const { controlToken: token, onDefect = logDefect, onAnswer } = options
  const inside = createInside({ simulator, onDefect, loopback: address.loopback, token })
  const guards = [guardMethod, createHostGuard(names), createTargetGuard(names), removePassMark]
  const door = createDoor({ guards, connections, inside, onAnswer, masker: simulator.masker })
  server.on('request', door)
  // An expectation nobody knows may be ignored; left to itself, the server would answer without a body.
  server.on('checkExpectation', door)
}

function checkedName(host: string): string {
  const name = parseHost(bracketed(host))
  if (name !== undefined) return name
  throw new ServerError(
    'unknown-host',
    `"${host}" is no host name or address, such as mailbox.test or 0.0.0.0.`,
  )
}

/** What closing a server ends. */
interface Running {
  readonly server: Server
  readonly connections: Connections
  readonly simulator: Simulator
  readonly outlet: NetworkOutlet
  readonly watch: DeliveryWatch
}

/** How a server is closed, once, and what that put an end to. */
interface Closing {
  close(): Promise<void>
  interrupted(): number
}

function createClosing(running: Running): Closing {
  let closed: Promise<void> | undefined
  let before = running.watch.interrupted
  return {
    close() {
      before = closed ? before : running.watch.interrupted
      closed ??= close(running)
      return closed
    },
    interrupted: () => (closed ? running.watch.interrupted - before : 0),
  }
}

async function close({ server, connections, simulator, outlet }: Running): Promise<void> {
  const stopped = promisify(server.close.bind(server))()
  connections.end()
  simulator.close()
  await Promise.all([stopped, outlet.close()])
}
