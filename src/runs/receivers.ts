import { connect } from 'node:net'

/** A place on this machine that receives deliveries. */
export interface LocalReceiver {
  readonly host: string
  readonly port: number
}

/** Returns the receivers on this machine that subscriptions name, each once. */
export function localReceivers(subscriptions: Iterable<{ readonly url: string }>): LocalReceiver[] {
  const found = new Map<string, LocalReceiver>()
  for (const { url } of subscriptions) {
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

/** Returns whether something accepts connections there. */
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
