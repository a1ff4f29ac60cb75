import { once } from '../../base/once.js'
import { checkOptions } from '../../base/options.js'
import { isError } from '../../base/platform.js'
import { defaultBaseUrl, parseBaseUrl } from '../../service/operations/request.js'
import { ExtensionFailure } from '../../service/operations/request-error.js'
import { Masker } from '../../service/record/masker.js'
import { type ExchangeListener, Service } from '../../service/requests/service.js'
import { parseClockMode } from '../../service/time/time.js'
import {
  callReceiver,
  capturing,
  type DeliveryTransport,
  type Receiver,
  withoutPassthrough,
} from '../../service/webhooks/transport.js'
import type { WorldHost } from '../../service/world/world-host.js'
import { Worlds } from '../../service/world/worlds.js'
import type { InferredScenario, NamedScenario } from '../../story/read/define-scenario.js'
import { Tools } from '../mcp/tools.js'
import { type SimulatorOptions, type SimulatorSetup, simulatorOptions } from './options.js'
import { ScenarioLoader } from './scenario-loader.js'
import { Simulator } from './simulator.js'
import { createTrace, TraceError } from './trace.js'

/**
 * Loads a scenario and creates a simulator for it.
 * @throws ScenarioError, WorldError, TraceError; TypeError for an unknown option
 * @example const sim = await createSimulator({ scenario: 'support-desk', seed: 7 })
 */
export async function createSimulator<const Name extends string = string>(
  options: SimulatorOptions & InferredScenario<Name> & NamedScenario<Name> = {},
): Promise<Simulator> {
  checkOptions('createSimulator', options, simulatorOptions)
  return openSimulator(options)
}

/** Creates a simulator from options that the caller has validated, since it accepts additional ones. */
export async function openSimulator(options: SimulatorSetup): Promise<Simulator> {
  leaveStoryTime()
  const baseUrl = parseBaseUrl(options.baseUrl ?? defaultBaseUrl)
  const clock = parseClockMode(options.clock ?? 'frozen')
  const recorded = await options.state?.recordedStart()
  const storyStart = {
    start: options.start ?? recorded?.start,
    defaultStart: (recorded ?? options).defaultStart,
  }
  const loader = new ScenarioLoader({ ...options, ...storyStart })
  const { onDefect = logDefect, onDelivery } = options
  const trace = createTrace(options.trace, (error) => onDefect(error, undefined))
  const initialState = await loader.loadFirst()
  const base =
    (await options.address?.()) ?? (baseUrl.origin === undefined ? defaultBaseUrl : baseUrl.pattern)
  const host = {
    onDefect: (error) => onDefect(error, undefined),
    transport: options.transport ?? transportTo(options.receiver),
    base: () => base,
    ...(options.maxSent !== undefined && { maxSent: options.maxSent }),
    ...(options.patience !== undefined && { patience: options.patience }),
    onDelivery(record, world) {
      trace?.onDelivery(record, world)
      onDelivery?.(record, world)
    },
    ...(trace && { onUnmatched: trace.onUnmatched }),
  } satisfies Partial<WorldHost>
  const worlds = new Worlds(initialState, clock, host, options.state)
  await options.state?.attach({
    worlds,
    storyStart,
    load: (steps) => loader.loadSteps(initialState, steps),
  })
  const hint = options.onHint && onceEach(options.onHint)
  const observe: ExchangeListener = (exchange, world) => {
    trace?.onExchange(exchange, world)
    const { hints = [], requestHeaders, search } = exchange
    for (const one of hints) hint?.(world.masker.forRequest(requestHeaders, search).text(one))
  }
  const undocumented = onceEach(options.onUndocumented ?? logUndocumented)
  const service = new Service({
    worlds,
    baseUrl,
    onDefect,
    observing: options.journal,
    carrier: options.carrier,
    onExchange: trace || hint ? observe : undefined,
    onUnmatched({ nearMiss, status, requestHeaders, search }, { masker }) {
      if (nearMiss !== null && status >= 400)
        undocumented(masker.forRequest(requestHeaders, search).text(nearMiss))
    },
  })
  // MSW takes as long to load as everything else; a server needs it only for requests that write.
  const isServer = options.carrier === 'server'
  const { createHandlers } = isServer ? {} : await import('../../service/requests/request-handler.js')
  const answerer = once(async () => {
    const { createHttpAnswer } = await import('../mcp/connection.js')
    return createHttpAnswer(new Tools(service))
  })
  const handlers = createHandlers?.(service, async (request) => (await answerer())(request))
  return new Simulator({ worlds, baseUrl, service, handlers, loader, world: worlds.first })
}

/** Has a process that is played a story return to real time: what it simulates by itself is not that story. */
function leaveStoryTime(): void {
  // By a module of Node, since each test file of Jest has global variables of its own.
  const channels = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')
  channels?.channel('agent-mailbox-sim.leave').publish(undefined)
}

/** Returns the transport that hands deliveries to a receiver in this process; without one, they are captured. */
function transportTo(receiver: Receiver | undefined): DeliveryTransport {
  if (!receiver) return capturing
  const accepting = withoutPassthrough(receiver)
  return { send: (request, signal) => callReceiver(accepting, request, signal) }
}

/** The maximum number of texts that are told: a client may invent any number of paths and names. */
const noticeLimit = 100

/** Returns a function that tells each text once. */
function onceEach(notify: (text: string) => void): (text: string) => void {
  const told = new Set<string>()
  return (text) => {
    // The same about another message is of the same kind.
    const kind = text.replace(/\b[a-z]+_[0-9a-z]{16}\b/g, '{id}')
    if (told.has(kind) || told.size === noticeLimit) return
    told.add(kind)
    notify(text)
  }
}

function logUndocumented(explanation: string): void {
  // biome-ignore lint/suspicious/noConsole: the client sees only an error.
  console.warn(`agent-mailbox-sim: ${explanation}`)
}

/** Logs a defect of the simulator, with its stack trace, to the error console; masks the secrets of the request. */
export function logDefect(error: unknown, request: Request | undefined): void {
  const masker = request
    ? new Masker().forRequest(request.headers, new URL(request.url).search)
    : new Masker()
  const where = request ? `failed on ${request.method} ${masker.url(request.url)}` : 'failed'
  // These are not defects of the simulator, so a stack trace would not help.
  const output =
    error instanceof TraceError || error instanceof ExtensionFailure
      ? `agent-mailbox-sim: ${masker.text(error.message)}`
      : `agent-mailbox-sim ${where}\n${masker.text(stackOf(error))}`
  // biome-ignore lint/suspicious/noConsole: a defect of the simulator must not go unnoticed.
  console.error(output)
}

/** Returns the stack traces of an error and its causes. */
function stackOf(error: unknown): string {
  if (!isError(error)) return String(error)
  const { stack = error.message, cause } = error
  return cause === undefined ? stack : `${stack}\ncaused by: ${stackOf(cause)}`
}
