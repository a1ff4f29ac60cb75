import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import type { Destination, Destinations } from './destinations.js'
import { blocked, unconnected, unknownName } from './failure.js'
import { addressesOf, type LookUp } from './look-up.js'
import type { Sockets } from './sockets.js'

/** What connections are made with. */
export interface ConnectorParts {
  readonly destinations: Destinations
  readonly lookUp: LookUp
  readonly sockets: Sockets
}

/**
 * What connects to receivers: a name is looked up once, and of its addresses, those that deliveries may go to are tried
 * one after another. What it connects to is always an address, so nothing looks the name up again.
 */
export function createConnector(parts: ConnectorParts): buildConnector.connector {
  return (wanted, callback) => {
    connect(wanted, parts).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    )
  }
}

/** @throws OutletError */
async function connect(
  { hostname, protocol, port }: buildConnector.Options,
  { destinations, lookUp, sockets }: ConnectorParts,
): Promise<Socket> {
  const secure = protocol === 'https:'
  const destination = { host: hostname, port: port ? Number(port) : secure ? 443 : 80 }
  const failures: Error[] = []
  for (const address of await allowedAddresses(destination, destinations, lookUp)) {
    try {
      return await sockets.connect({ destination, address, secure })
    } catch (error) {
      failures.push(error as Error)
    }
  }
  throw unconnected(destination, failures[0] as Error)
}

/** At least one. @throws OutletError */
async function allowedAddresses(
  destination: Destination,
  destinations: Destinations,
  lookUp: LookUp,
): Promise<readonly string[]> {
  const found = await addressesOf(destination.host, lookUp).catch((error) => {
    // Whether a name is known elsewhere is nothing that what happens here may depend on.
    throw destinations.allowsName(destination) ? unknownName(destination, error) : blocked(destination)
  })
  const allowed = found.filter((address) => destinations.allows(destination, address))
  if (allowed.length === 0) throw blocked(destination)
  return allowed
}
