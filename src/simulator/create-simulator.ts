import { checkOptions } from '../contract/options.js'
import { didYouMean, shorten } from '../contract/text.js'
import {
  createHandlers,
  type ExchangeListener,
  ExtensionFailure,
  parseBaseUrl,
  withoutPassthrough,
} from '../handlers/index.js'
import {
  callReceiver,
  capturing,
  type DeliveryTransport,
  Masker,
  parseClockMode,
  type Receiver,
  type RecordedExchange,
  type World,
  type WorldHost,
  Worlds,
} from '../world/index.js'
import { type SimulatorOptions, simulatorOptions } from './options.js'
import { ScenarioLoader } from './scenario-loader.js'
import { Simulator } from './simulator.js'
import { createTrace, TraceError } from './trace.js'

/**
 * Loads a scenario and makes a simulator of it.
 * @throws ScenarioError, ReadingError, ClockError, TraceError; TypeError for an unknown option
 * @example const sim = await createSimulator({ scenario: 'support-desk', seed: 7 })
 */
export async function createSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  checkOptions('createSimulator', options, simulatorOptions)
  return openSimulator(options)
}

/** Makes a simulator for those who have options of their own besides, which they have checked. */
export async function openSimulator(options: SimulatorOptions): Promise<Simulator> {
  const baseUrl = parseBaseUrl(options.baseUrl ?? 'http://mailbox.test')
  const clock = parseClockMode(options.clock ?? 'frozen')
  const start = options.start ?? (await options.state?.recordedStart())
  const loader = new ScenarioLoader({ ...options, start })
  const { onDefect = logDefect, onDelivery } = options
  const trace = await createTrace(options.trace, (error) => onDefect(error, undefined))
  const initialState = await loader.loadFirst()
  const base = (await options.address?.()) ?? (baseUrl.origin === undefined ? '' : baseUrl.pattern)
  const host = {
    onDefect: (error) => onDefect(error, undefined),
    transport: options.transport ?? transportTo(options.receiver),
    base: () => base,
    onDelivery(record, world) {
      trace?.onDelivery(record, world)
      onDelivery?.(record, world)
    },
    ...(trace && { onUnmatched: trace.onUnmatched }),
  } satisfies Partial<WorldHost>
  const worlds = new Worlds(initialState, clock, host, options.state)
  await options.state?.attach({
    worlds,
    load: (steps) => loader.loadSteps(initialState, steps),
  })
  const hint = options.onHint && createHints(options.onHint)
  const observe: ExchangeListener = (exchange, world) => {
    trace?.onExchange(exchange, world)
    hint?.(exchange, world)
  }
  const handlers = createHandlers({
    worlds,
    baseUrl,
    onDefect,
    observing: options.journal,
    carrier: options.carrier,
    onExchange: trace || hint ? observe : undefined,
    onUnmatched: createUndocumentedNotice(options.onUndocumented ?? logUndocumented),
  })
  return new Simulator({ worlds, baseUrl, handlers, loader, world: worlds.first })
}

/** Has deliveries go to a receiver of this process, as far as it takes them. */
function transportTo(receiver: Receiver | undefined): DeliveryTransport {
  if (!receiver) return capturing
  const taking = withoutPassthrough(receiver)
  return { send: (request, signal) => callReceiver(taking, request, signal) }
}

/** So many things are told of at most: a client may make up paths and names without end. */
const mostTold = 100

/** Creates what tells of each thing once. */
function createTeller(tell: (text: string) => void): (about: string, text: () => string) => void {
  const told = new Set<string>()
  return (about, text) => {
    if (told.has(about) || told.size === mostTold) return
    told.add(about)
    tell(text())
  }
}

/** Creates what tells of each kind of request that is no operation, without its secrets. */
function createUndocumentedNotice(tell: (explanation: string) => void): ExchangeListener {
  const tellOnce = createTeller(tell)
  return ({ nearMiss, status, requestHeaders, search }, world) => {
    if (nearMiss === null || status < 400) return
    tellOnce(nearMiss, () => world.masker.forRequest(requestHeaders, search).text(nearMiss))
  }
}

function logUndocumented(explanation: string): void {
  // biome-ignore lint/suspicious/noConsole: the client sees no more than an error.
  console.warn(`agent-mailbox-sim: ${explanation}`)
}

/** Writes a defect of the simulator, with its stack trace, to the error console. */
export function logDefect(error: unknown, request: Request | undefined): void {
  const where = request ? `failed on ${request.method} ${maskedUrl(request)}` : 'failed'
  // What becomes of a file is no defect of the simulator: a stack trace would tell nothing.
  const told =
    error instanceof TraceError || error instanceof ExtensionFailure
      ? [`agent-mailbox-sim: ${error.message}`]
      : [`agent-mailbox-sim ${where}`, error]
  // biome-ignore lint/suspicious/noConsole: a defect of the simulator must not pass unnoticed.
  console.error(...told)
}

function maskedUrl({ url, headers }: Request): string {
  return new Masker().forRequest(headers, new URL(url).search).url(url)
}

/** Creates what tells of likely mistakes that an answer hides since the readings in force allow them. */
function createHints(tell: (hint: string) => void): ExchangeListener {
  const tellOnce = createTeller(tell)
  return (exchange, world) => {
    if (exchange.status >= 400) return
    for (const [about, hint] of hintsOn(exchange, world)) tellOnce(about, hint)
  }
}

/** What a hint is about, and how it reads. */
type Hint = readonly [about: string, hint: () => string]

function hintsOn(exchange: RecordedExchange, { store }: World): Hint[] {
  const { operation, search, reliances, requestBody } = exchange
  const hints: Hint[] = []
  if (reliances.some(({ gap }) => gap === 'auth.keys')) hints.push(['key', () => keyHint])
  const agent = new URLSearchParams(search).get('agent')
  if (agent && operation?.endsWith('.list') && !store.identityAnywhere(agent.replace(/^@/, ''))) {
    const handles = () => [...store.all('identity')].map((row) => row.agent_handle)
    hints.push([`agent ${agent}`, () => agentHint(agent, handles())])
  }
  if (operation === 'identities.update') {
    for (const field of unknownFields(requestBody)) hints.push([`field ${field}`, () => fieldHint(field)])
  }
  return hints
}

const keyHint =
  'A key that the scenario does not list was accepted; --reading auth.keys=listed-keys has such keys refused.'

function agentHint(agent: string, handles: readonly string[]): string {
  const known =
    handles.length === 0 ? 'there is no agent' : `the agents are ${handles.slice(0, 10).join(', ')}`
  return `agent=${JSON.stringify(shorten(agent))} is nobody${didYouMean(agent, handles) || `; ${known}.`}`
}

function fieldHint(field: string): string {
  const hint = didYouMean(field, fields) || `; those that do something are ${fields.join(' and ')}.`
  return `The field ${JSON.stringify(shorten(field))} of a PATCH was ignored${hint}`
}

const fields = ['display_name', 'description']

function unknownFields(body: string | null): string[] {
  try {
    const given: unknown = JSON.parse(body ?? '{}')
    return Object.keys(given as object).filter((name) => !fields.includes(name))
  } catch {
    return []
  }
}
