import { connect } from 'node:net'
import type { Simulator } from '../simulator/simulator.js'

/** Where somebody on this machine receives deliveries. */
export interface LocalReceiver {
  readonly host: string
  readonly port: number
}

/** The receivers on this machine that a story's subscriptions name, each once. */
export function localReceivers({ webhooks }: Simulator): LocalReceiver[] {
  const found = new Map<string, LocalReceiver>()
  for (const { url } of webhooks.list()) {
    const { hostname, port, protocol, host } = new URL(url)
    const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
    if (!isLocal) continue
    found.set(host, {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
    })
  }
  return [...found.values()]
}

/** Whether somebody takes connections there. */
export function isListening({ host, port }: LocalReceiver): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const end = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
