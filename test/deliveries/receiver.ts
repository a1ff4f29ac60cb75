import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as it reached a receiver. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Answers a request; a response that it does not end hangs. */
export type Behaviour = (response: ServerResponse, received: Received) => void

/** A receiver of deliveries on its own port. */
export interface Receiver {
  /** e.g. `http://127.0.0.1:41234` */
  readonly origin: string
  /** Everything it received, in order of arrival. */
  readonly received: readonly Received[]
  /** The number of connections ever made. */
  connections(): number
  /** How many connections are open. */
  open(): number
}

/** Answers with a status, and with text where there is some. */
export function answering(status: number, headers: Record<string, string> = {}, text = ''): Behaviour {
  return (response) => void response.writeHead(status, headers).end(text)
}

/** Never answers. */
export const hanging: Behaviour = () => undefined

/** Begins a long answer and never ends it. */
export const hangingInBody: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'text/plain' }).write('It begins')
}

/** Closes the connection instead of answering. */
export const closing: Behaviour = (response) => void response.socket?.destroy()

/** Begins an answer of a declared length and closes the connection once the beginning is sent. */
export const closingInBody: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '4000' })
  response.write('It begins', () => response.socket?.end())
}

/** Answers 200 with a number of bytes; the client may disconnect early. */
export function answeringAtLength(bytes: number): Behaviour {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.alloc(bytes, 'x'))
  }
}

/** Starts a receiver with a behaviour for each path until the test ends. */
export async function startReceiver(
  behaviours: Readonly<Record<string, Behaviour>>,
  host = '127.0.0.1',
): Promise<Receiver> {
  const received: Received[] = []
  const server = createHttpServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const one = { method, path, headers, body: Buffer.concat(chunks).toString() }
    received.push(one)
    const behaviour = behaviours[path]
    if (!behaviour) throw new Error(`The receiver does nothing at ${path}.`)
    behaviour(response, one)
  })
  return { ...(await listen(server, host)), received }
}

/** Starts a TCP server that handles each connection, or ignores it, until the test ends. */
export async function startListener(
  take: (socket: Socket) => void = (socket) => void socket.resume(),
  host = '127.0.0.1',
): Promise<Omit<Receiver, 'received'>> {
  return listen(createTcpServer(take), host)
}

/** Returns an origin without a listener. */
export async function nowhere(): Promise<string> {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

async function listen(server: Server, host: string): Promise<Omit<Receiver, 'received'>> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket.on('error', () => undefined).once('close', () => sockets.delete(socket)))
  })
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return { origin: `http://${name}:${port}`, connections: () => connections, open: () => sockets.size }
}
