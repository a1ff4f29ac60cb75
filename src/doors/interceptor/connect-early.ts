import type * as http from 'node:http'
import { Agent, type ClientRequest } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import type { MswServer } from '../../service/requests/index.js'
import { isForService } from '../../service/requests/request-handler.js'
import { yieldToEventLoop } from '../../service/time/index.js'

/** Tells whether the service of one that listens answers at a URL. */
type IsIntercepted = (url: string) => boolean

type RequestOptions = Pick<http.RequestOptions, 'port' | 'createConnection'>

/** MSW's agent of a request; it connects a request that it passes on as the client's own agent does, if there is one. */
interface MswAgent {
  customAgent?: unknown
}

/** The method of an agent that gives a request its socket; every client and proxy agent relies on it, yet Node's types lack it. */
interface AddRequest {
  (request: ClientRequest, options: RequestOptions, ...more: unknown[]): void
  /** If this replaces the platform's method: that one, and all that listen. */
  [replacing]?: { readonly original: AddRequest; readonly listening: Set<IsIntercepted> }
}

/** Shared by all copies of this package in a process, so that one replacement is enough, whoever stops first. */
const replacing: unique symbol = Symbol.for('agent-mailbox-sim.replacing')

/** What a socket announces once it has a connection, in this order. */
const connected = ['lookup', 'connect', 'ready', 'secureConnect']

/**
 * Connects the sockets of requests to the service as soon as they are created, and answers `Expect: 100-continue`. MSW connects
 * one only when the response begins, until which the time-outs of a client do not start. Returns a function that stops this.
 */
export function connectEarly({ listHandlers }: Pick<MswServer, 'listHandlers'>): () => void {
  const queue = Agent.prototype as unknown as { addRequest: AddRequest }
  if (!queue.addRequest[replacing]) queue.addRequest = replacementOf(queue.addRequest)
  const replacement = queue.addRequest
  const { original, listening } = replacement[replacing] as NonNullable<AddRequest[typeof replacing]>
  const isIntercepted: IsIntercepted = (url) => isForService(listHandlers(), url)
  listening.add(isIntercepted)
  return () => {
    listening.delete(isIntercepted)
    // Another library may have replaced it since.
    if (listening.size === 0 && queue.addRequest === replacement) queue.addRequest = original
  }
}

function replacementOf(original: AddRequest): AddRequest {
  const listening = new Set<IsIntercepted>()
  const addRequest: AddRequest = function (this: MswAgent, request, options, ...more) {
    const { createConnection } = options
    // Without an agent, Node connects by this option, which MSW leaves out.
    if ('customAgent' in this && createConnection)
      this.customAgent ??= Object.assign(new Agent(), { createConnection })
    const host = isIPv6(request.host) ? `[${request.host}]` : request.host
    const url = `${request.protocol}//${host}:${options.port ?? ''}${request.path}`
    const isIntercepted = URL.canParse(url) && [...listening].some((matches) => matches(url))
    if (isIntercepted) request.once('socket', (socket) => void connect(request, socket))
    return original.call(this, request, options, ...more)
  }
  return Object.assign(addRequest, { [replacing]: { original, listening } })
}

async function connect(request: ClientRequest, socket: Socket): Promise<void> {
  // Not one of MSW's, such as that of a client that kept `http.request` from before.
  if (!('passthrough' in socket)) return
  // As with a real socket, whoever got it can listen first.
  const connection = yieldToEventLoop()
  confirmWrites(socket, connection)
  await connection
  if (socket.destroyed || !socket.connecting) return
  Object.assign(socket, { connecting: false })
  socket.emit('lookup', null, '127.0.0.1', 4, request.host)
  socket.emit('connect')
  socket.emit('ready')
  if (request.protocol === 'https:') socket.emit('secureConnect')
  announceOnce(socket)
  if (/^100-continue$/i.test(String(request.getHeader('expect')))) request.emit('continue')
}

/** Confirms what is written once there is a connection, since clients wait for the response from then on; MSW does it with the response. */
function confirmWrites(socket: Socket, connection: Promise<void>): void {
  const write = socket.write.bind(socket) as (...values: unknown[]) => boolean
  socket.write = (...values: unknown[]) => {
    const confirm = values.findLast((value) => typeof value === 'function')
    if (confirm) void connection.then(() => !socket.destroyed && confirm())
    return write(...values.filter((value) => value !== confirm))
  }
}

/** Leaves out what MSW announces again when the response begins, and counts each piece of it as activity, as a connection does. */
function announceOnce(socket: Socket): void {
  const emit = socket.emit.bind(socket)
  socket.emit = (event: string, ...values: unknown[]) => {
    if (connected.includes(event)) return false
    if (event === 'data' && socket.timeout) socket.setTimeout(socket.timeout)
    return emit(event, ...values)
  }
}
