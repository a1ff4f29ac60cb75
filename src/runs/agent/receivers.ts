import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { stopwatch, Timers, withinLimit } from '../../service/time/wall-time.js'
import type { World } from '../../service/world/world.js'
import { type ClientVariables, portPlaceholder } from './client-environment.js'

/** A place on this machine that receives deliveries. */
export interface LocalReceiver {
  readonly host: string
  readonly port: number
}

/** The ports that receive deliveries instead of those in their URLs, by the latter. */
export type DeliveryPorts = ReadonlyMap<number, number>

/** Returns the receivers on this machine that subscriptions name, each once. */
export function localReceivers(
  subscriptions: Iterable<{ readonly url: string }>,
  ports: DeliveryPorts = new Map(),
): LocalReceiver[] {
  const found = new Map<string, LocalReceiver>()
  for (const { url } of subscriptions) {
    const { hostname, port, protocol, host } = new URL(url)
    const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
    if (!isLocal) continue
    const named = Number(port) || (protocol === 'https:' ? 443 : 80)
    found.set(host, { host: hostname.replace(/^\[|\]$/g, ''), port: ports.get(named) ?? named })
  }
  return [...found.values()]
}

/** Returns whether something accepts connections there. */
export async function isListening({ host, port }: LocalReceiver): Promise<boolean> {
  const socket = connect({ host, port })
  const connected = await once(socket, 'connect').catch(() => undefined)
  socket.destroy()
  return connected !== undefined
}

/** Returns the ports for which variables have a placeholder, such as `{port:8787}`: an agent listens at another one there. */
export function toldPorts(variables: ClientVariables = {}): number[] {
  const found = Object.values(variables).flatMap((text) => [...text.matchAll(portPlaceholder)])
  return [...new Set(found.map(([, port]) => Number(port)))]
}

/** Returns a free port for each of some ports. */
export async function freePorts(ports: readonly number[]): Promise<DeliveryPorts> {
  const servers = ports.map((port) => ({ port, server: createServer().listen(0, '127.0.0.1') }))
  // All at once, so that no two are the same.
  await Promise.all(servers.map(({ server }) => once(server, 'listening')))
  const found = servers.map(({ port, server }) => [port, (server.address() as AddressInfo).port] as const)
  await Promise.all(servers.map(({ server }) => once(server.close(), 'close')))
  return new Map(found)
}

/** Returns a URL of this machine with the port at which it is reached. */
export function withPorts(url: string | undefined, ports: DeliveryPorts): string | undefined {
  const [receiver] = url === undefined ? [] : localReceivers([{ url }])
  const port = ports.get(receiver?.port ?? 0)
  return url === undefined || port === undefined
    ? url
    : Object.assign(new URL(url), { port: String(port) }).href
}

/** Returns how long to wait for the URL of an agent, in milliseconds of wall time. */
export function longestStart({ patience }: World): number {
  return 2 * patience
}

/** Milliseconds between two looks whether it responds. */
const pollInterval = 50

/** Waits until the URL of an agent responds with any status, if there is one; returns whether it did within some milliseconds. */
export async function waitForUrl(
  url: string | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<boolean> {
  const elapsed = stopwatch()
  const timers = new Timers()
  while (url !== undefined && !signal.aborted) {
    const options = { redirect: 'manual', headers: { connection: 'close' } } as const
    const asking = withinLimit(5_000, signal, (late) => fetch(url, { ...options, signal: late }))
    const answer = await asking.catch(() => undefined)
    await answer?.body?.cancel()
    if (answer) return true
    if (elapsed() >= limit) return false
    await timers.wait(pollInterval, signal)
  }
  return true
}
