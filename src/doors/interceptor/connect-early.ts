import http, { Agent, type ClientRequest } from 'node:http'
import https from 'node:https'
import { isIPv6, type Socket } from 'node:net'
import type { MswServer } from '../../service/requests/handlers-receiver.js'
import { isForService } from '../../service/requests/request-handler.js'
import { yieldToEventLoop } from '../../service/time/wall-time.js'

/** One that listens. */
interface Listening {
  /** Tells whether its service answers at a URL. */
  answersAt(url: string): boolean
  /** MSW's own functions, which a test may replace later. */
  readonly request: Readonly<Record<string, (options: { readonly host: string }) => ClientRequest>>
}

type RequestOptions = Pick<http.RequestOptions, 'port' | 'createConnection'> & { readonly href?: string }

/** MSW's agent of a request; it connects a request that it passes on as the client's own agent does, if there is one. */
interface MswAgent {
  customAgent?: unknown
}

/** The method of an agent that gives a request its socket; every client and proxy agent relies on it, yet Node's types lack it. */
interface AddRequest {
  (request: ClientRequest, options: RequestOptions, ...more: unknown[]): void
  /** If this replaces the platform's method: that one, and all that listen. */
  [replacing]?: { readonly original: AddRequest; readonly listening: Set<Listening> }
}

/** Shared by all copies of this package in a process, so that one replacement is enough, whoever stops first. */
const replacing: unique symbol = Symbol.for('agent-mailbox-sim.replacing')

/** What a socket announces once it has a connection, in this order. */
const connected = ['lookup', 'connect', 'ready', 'secureConnect']

/**
 * Connects the sockets of requests to the service as soon as they are created, and answers `Expect: 100-continue`. MSW connects
 * one only when the response begins, until which the time-outs of a client do not start. Gives MSW those of clients and mocks
 * that kept `http.request` from before. Returns a function that stops this.
 */
export function connectEarly({ listHandlers }: Pick<MswServer, 'listHandlers'>): () => void {
  const queue = Agent.prototype as unknown as { addRequest: AddRequest }
  if (!queue.addRequest[replacing]) queue.addRequest = replacementOf(queue.addRequest)
  const replacement = queue.addRequest
  const { original, listening } = replacement[replacing] as NonNullable<AddRequest[typeof replacing]>
  const one: Listening = {
    answersAt: (url) => isForService(listHandlers(), url),
    request: { 'http:': http.request, 'https:': https.request },
  }
  listening.add(one)
  return () => {
    listening.delete(one)
    // Another library may have replaced it since.
    if (listening.size === 0 && queue.addRequest === replacement) queue.addRequest = original
  }
}

function replacementOf(original: AddRequest): AddRequest {
  const listening = new Set<Listening>()
  /** Receives the agent of a request that is only created to see what MSW gives it. */
  let receive: ((agent: MswAgent) => void) | undefined
  const agentOf = ({ request }: Listening, protocol: string): MswAgent | undefined => {
    let given: MswAgent | undefined
    receive = (agent) => {
      given = agent
    }
    try {
      // It gets no socket, so it is never sent.
      request[protocol]?.({ host: 'localhost' })
    } finally {
      receive = undefined
    }
    return given && 'customAgent' in given ? given : undefined
  }
  const addRequest: AddRequest = function (this: MswAgent, request, options, ...more) {
    if (receive) return receive(this)
    const { createConnection } = options
    // Without an agent, Node connects by this option, which MSW leaves out.
    if ('customAgent' in this && createConnection)
      this.customAgent ??= Object.assign(new Agent(), { createConnection })
    const host = isIPv6(request.host) ? `[${request.host}]` : request.host
    const url = `${request.protocol}//${host}:${options.port ?? ''}${request.path}`
    const one = URL.canParse(url) && [...listening].find(({ answersAt }) => answersAt(url))
    if (!one) return original.call(this, request, options, ...more)
    request.once('socket', (socket) => void connect(request, socket))
    const agent = 'customAgent' in this ? undefined : agentOf(one, request.protocol)
    return original.call(agent ?? this, request, agent ? { ...options, href: url } : options, ...more)
  }
  return Object.assign(addRequest, { [replacing]: { original, listening } })
}

async function connect(request: ClientRequest, socket: Socket): Promise<void> {
  // Not one of MSW's, such as that of an agent with an `addRequest` of its own.
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
