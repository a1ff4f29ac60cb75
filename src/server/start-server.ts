import { createServer, type Server } from 'node:http'
import { promisify } from 'node:util'
import { createSimulator, logDefect, type SimulatorOptions } from '../simulator/create-simulator.js'
import type { Simulator } from '../simulator/simulator.js'
import { type Address, bracketed, listenOn } from './address.js'
import { createApp } from './app.js'
import { Connections } from './connections.js'
import { createControl } from './control/control.js'
import { type AnsweredRequest, createDoor } from './door.js'
import { createHostGuard, HostNames, parseHost } from './guards/host.js'
import { guardMethod } from './guards/method.js'
import { removePassMark } from './guards/pass-mark.js'
import { createTargetGuard } from './guards/target.js'
import { ServerError } from './server-error.js'

/** How a server is started. `clock` is `real` when it is left out. */
export interface ServerOptions extends Omit<SimulatorOptions, 'baseUrl' | 'carrier'> {
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
}

/** A simulator that answers over HTTP. */
export interface RunningServer {
  /** The base URL of the service, e.g. `http://127.0.0.1:4280`. */
  readonly url: string
  /** The base URL of the control API, e.g. `http://127.0.0.1:4280/_sim`. */
  readonly controlUrl: string
  readonly simulator: Simulator
  /** Stops listening, ends every connection and lets go of the simulator; a second call waits for the first. */
  close(): Promise<void>
}

/**
 * Loads a scenario and serves it over HTTP until `close()`.
 * @throws ServerError, ScenarioError, ReadingError, ClockError
 * @example const server = await startServer({ scenario: 'support-desk', port: 0 })
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 4280, clock = 'real' } = options
  const names = new HostNames([host, ...(options.allowHosts ?? [])].map(checkedName))
  const simulator = await createSimulator({ ...options, clock, baseUrl: '*', carrier: 'server' })
  // Long, because a timer that was late would end a connection on which the next request has arrived already.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 300_000 })
  const connections = new Connections(server)
  try {
    const address = await listenOn(server, host, port)
    openDoor(server, { connections, names, simulator, address, options })
    const close = closeOnce(server, connections, simulator)
    return { url: address.url, controlUrl: `${address.url}/_sim`, simulator, close }
  } catch (error) {
    simulator.close()
    throw error
  }
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
  const control = createControl({ simulator, loopback: address.loopback, token })
  const inside = createApp({ handlers: simulator.handlers, control, onDefect })
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

function closeOnce(server: Server, connections: Connections, simulator: Simulator): () => Promise<void> {
  let closed: Promise<void> | undefined
  return () => {
    closed ??= close()
    return closed
  }

  async function close(): Promise<void> {
    const stopped = promisify(server.close.bind(server))()
    connections.end()
    await stopped
    simulator.close()
  }
}
