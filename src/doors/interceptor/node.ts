// First, since other modules need it when they are loaded.
import type { InferredScenario, NamedScenario } from '../../story/read/define-scenario.js'
import '../../base/platform.js'
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import { syncBuiltinESMExports } from 'node:module'
import { type SetupServer, setupServer } from 'msw/node'
import { readMore } from '../../base/help.js'
import { checkOptions } from '../../base/options.js'
import { directTo } from '../../base/proxies.js'
import { noteStray } from '../../service/requests/request-handler.js'
import { createHandlersReceiver, type MswHandler, type MswServer } from '../../service/webhooks/transport.js'
import { openSimulator } from '../simulator/create-simulator.js'
import { type SimulatorOptions, simulatorOptions } from '../simulator/options.js'
import type { Simulator } from '../simulator/simulator.js'
import { interceptUndici } from './undici.js'

/** Options of `listen`. */
export interface ListenOptions extends SimulatorOptions {
  /** What happens to requests to other addresses; by default, `bypass` sends them on. */
  readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error'
}

/** A simulator whose handlers intercept the requests of this process. */
export type ListeningSimulator = Simulator & {
  /** MSW's server, to add handlers of your own. */
  readonly server: ListeningServer
}

/** MSW's server, which takes handlers of MSW 2 and of MSW 3. */
interface ListeningServer extends Omit<SetupServer, 'use' | 'resetHandlers' | 'listHandlers'>, MswServer {
  resetHandlers(...handlers: MswHandler[]): void
}

/**
 * Simulates the service inside this process: until `close()`, requests to its base URL by `fetch`, `http`,
 * `XMLHttpRequest` or undici get their responses without a socket. A process can have only one such simulator
 * at a time, since MSW passes requests to only one server; use `fork()` for more worlds. Webhook deliveries
 * go to the handlers of `server` that match them; none leaves the process.
 * @throws ScenarioError, WorldError, TraceError; TypeError for an unknown option, or a simulator instead of options
 * @example const mailbox = await listen({ scenario: 'support-desk' })
 * @example mailbox.server.use(http.post('http://agent.test/hook', () => new HttpResponse()))
 */
export async function listen<const Name extends string = string>(
  options: ListenOptions & InferredScenario<Name> & NamedScenario<Name> = {},
): Promise<ListeningSimulator> {
  refuseSimulator(options)
  checkOptions<ListenOptions>('listen', options, { ...simulatorOptions, onUnhandledRequest: 'public' })
  const handlers = (): ReturnType<SetupServer['listHandlers']> => server.listHandlers()
  const receiver = options.receiver ?? createHandlersReceiver(handlers)
  channel(listening).publish(undefined)
  const simulator = await openSimulator({ ...options, receiver })
  // The story has only just begun, so nothing was delivered before the server existed.
  const server = openMswServer(simulator.handlers, options.onUnhandledRequest)
  const stop = interceptFurther(server)
  const useProxies = bypassProxies(simulator.baseUrl)
  const close = simulator.close.bind(simulator)
  return Object.assign(simulator, {
    server,
    close(): void {
      server.close()
      stop()
      useProxies()
      close()
    },
  })
}

/** The channel on which a mailbox announces that it is about to intercept the requests of this process. */
const listening = 'agent-mailbox-sim:listening'

/** Warns on the console that another mailbox starts to listen while this one is listening. */
function warnOfAnother(): void {
  // biome-ignore lint/suspicious/noConsole: the client of the other mailbox only sees that it cannot be reached.
  console.warn(
    'agent-mailbox-sim: Another mailbox already intercepts the requests of this process. MSW passes requests to one ' +
      'server only, so those to the other mailbox may get no response; close() the other mailbox first, or use fork() ' +
      `of it.${readMore('another-mailbox')}`,
  )
}

/**
 * Intercepts what MSW does not: `import { request } from 'node:http'`, and the npm package undici. Returns a function that stops this, to be called once the server is closed. @internal
 */
export function interceptFurther(server: Pick<MswServer, 'listHandlers'>): () => void {
  syncBuiltinESMExports()
  keepCapturedClasses()
  const stop = interceptUndici(server)
  subscribe(listening, warnOfAnother)
  return () => {
    unsubscribe(listening, warnOfAnother)
    syncBuiltinESMExports()
    stop()
  }
}

/**
 * Creates a server of MSW that is listening. It warns on the console, once for each origin, about unhandled requests that look
 * like requests to the service: the client probably has another base URL. @internal
 */
export function openMswServer(
  handlers: readonly MswHandler[] = [],
  onUnhandledRequest: ListenOptions['onUnhandledRequest'] = 'bypass',
): SetupServer {
  const server = setupServer(...handlers)
  server.listen({ onUnhandledRequest })
  const warned = new Set<string>()
  server.events.on('request:unhandled', ({ request }) => {
    const hint = noteStray(server.listHandlers(), request)
    const { origin } = new URL(request.url)
    if (hint === undefined || warned.has(origin)) return
    warned.add(origin)
    // biome-ignore lint/suspicious/noConsole: the client only sees that the address cannot be reached.
    console.warn(`agent-mailbox-sim: ${hint}`)
  })
  return server
}

/** Refuses a simulator instead of options. @throws TypeError */
function refuseSimulator(options: ListenOptions): void {
  if (!('handlers' in Object(options))) return
  throw new TypeError(
    'listen() creates its own simulator from options such as { scenario: "support-desk" }, but was given a ' +
      'simulator. To intercept requests with that one: setupServer(...simulator.handlers).listen(), with ' +
      'setupServer of msw/node.',
  )
}

/**
 * Keeps the classes usable that MSW puts in place of `Request` and `Response` while it listens: clients such as axios store them, and
 * with headers they would throw once its server is closed. MSW removes these as it does its own.
 */
function keepCapturedClasses(): void {
  for (const name of ['Request', 'Response'] as const) {
    const recording: typeof Request | typeof Response = globalThis[name]
    const platform = recording?.prototype.constructor
    // Jest's jsdom may have none, and a test may have its own.
    if (!recording || platform === recording) continue
    const value = new Proxy(recording, {
      construct(target, given, newTarget) {
        const isRecording = Headers.prototype.constructor !== Headers
        return Reflect.construct(isRecording ? target : platform, given, newTarget)
      },
    })
    Object.defineProperty(globalThis, name, { value, enumerable: true, writable: true, configurable: true })
  }
}

/**
 * Lets the clients of this process send requests for a simulated address without the proxy that the environment names, since
 * they are intercepted on the way. Returns a function that ends this. @internal
 */
export function bypassProxies(baseUrl: string): () => void {
  if (!URL.canParse(baseUrl)) return () => undefined
  const { env } = process
  const before = { no_proxy: env['no_proxy'], NO_PROXY: env['NO_PROXY'] }
  const { hostname } = new URL(baseUrl)
  const set = directTo([hostname], env)
  Object.assign(env, set)
  return () => {
    for (const [name, value] of Object.entries(before)) {
      // Another may have been set since.
      if (set[name] === undefined || env[name] !== set[name]) continue
      if (value === undefined) delete env[name]
      else env[name] = value
    }
  }
}
