import { type Carrier, createHandlers, parseSite, withoutPassthrough } from '../handlers/index.js'
import type { OnProgress, ScenarioDefinition } from '../scenario/index.js'
import {
  type Beginning,
  type ClockMode,
  capturing,
  Masker,
  type Outlet,
  parseClockMode,
  type Receiver,
  receiveHere,
  type Surroundings,
  Worlds,
} from '../world/index.js'
import { Loading } from './loading.js'
import { Simulator } from './simulator.js'
import { createTrace } from './trace.js'
import { TraceError } from './trace-error.js'
import type { WantedReadings } from './wanted-readings.js'

/** How a simulator is made. */
export interface SimulatorOptions {
  /** A shipped name, a path, or what `defineScenario` gives; `support-desk` when it is left out. */
  readonly scenario?: string | ScenarioDefinition | undefined
  /** Stands in for the scenario's own seed. */
  readonly seed?: number | undefined
  /** Count for more than the environment's and the scenario's own; of several, the later ones count. */
  readonly readings?: WantedReadings
  /** `frozen` when it is left out: time passes when it is advanced. */
  readonly clock?: ClockMode | undefined
  /** Where the service is simulated; `*` for any origin, `http://mailbox.test` when it is left out. */
  readonly baseUrl?: string | undefined
  /** Whether requests are kept in the journal with what they relied on: `true` unless told otherwise. */
  readonly journal?: boolean | undefined
  /** Told how far loading is, every few thousand messages and at the end. */
  readonly onProgress?: OnProgress | undefined
  /**
   * Takes the deliveries to webhook subscriptions that no receiver of `sim.webhooks.on` takes; what it gives nothing
   * for is captured. Without one, all of those are: nothing is sent into the network.
   * @example receiver: (request) => getResponse(handlers, request)
   */
  readonly receiver?: Receiver | undefined
  /** How deliveries leave this process; they do not when it is left out. @internal */
  readonly outlet?: Outlet | undefined
  /** Told whenever a delivery of some world changes. @internal */
  readonly onDelivery?: Surroundings['onDelivery'] | undefined
  /**
   * The address at which the service answers, as deliveries show it; asked for once the scenario is loaded and before
   * its story begins. @internal
   */
  readonly address?: (() => Promise<string>) | undefined
  /** Who carries the answers; a server ends connections as faults tell. The program's own `fetch` otherwise. @internal */
  readonly carrier?: Carrier | undefined
  /** The scenario as it was loaded already, so that many simulators share its mail. @internal */
  readonly beginning?: Beginning | undefined
  /** The file that reliances are appended to; the one `MAILBOX_SIM_TRACE` names when it is left out. @internal */
  readonly trace?: string | undefined
  /**
   * Told of every defect of the simulator itself, and of what has no request: of who throws while listening to its
   * events, and of a trace that can be written no longer. The error console when it is left out.
   */
  readonly onDefect?: ((error: unknown, request: Request | undefined) => void) | undefined
}

/**
 * Loads a scenario and makes a simulator of it.
 * @throws ScenarioError, ReadingError, ClockError, TraceError
 * @example const sim = await createSimulator({ scenario: 'support-desk', seed: 7 })
 */
export async function createSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const site = parseSite(options.baseUrl ?? 'http://mailbox.test')
  const clock = parseClockMode(options.clock ?? 'frozen')
  const loading = new Loading(options)
  const { onDefect = logDefect, onDelivery } = options
  const trace = await createTrace(options.trace, (error) => onDefect(error, undefined))
  const beginning = await loading.begin()
  const base = (await options.address?.()) ?? (site.origin === undefined ? '' : site.pattern)
  const worlds = new Worlds(beginning, clock, {
    onDefect: (error) => onDefect(error, undefined),
    outlet: options.outlet ?? outletOf(options.receiver),
    base: () => base,
    onDelivery(record, world) {
      trace?.onDelivery(record, world)
      onDelivery?.(record, world)
    },
    ...(trace && { onUntold: trace.onUntold }),
  })
  const handlers = createHandlers({
    worlds,
    site,
    onDefect,
    observing: options.journal,
    carrier: options.carrier,
    onExchange: trace?.onExchange,
  })
  return new Simulator({ worlds, site, handlers, loading, world: worlds.first })
}

/** Has deliveries go to a receiver of this process, as far as it takes them. */
function outletOf(receiver: Receiver | undefined): Outlet {
  if (!receiver) return capturing
  const taking = withoutPassthrough(receiver)
  return { send: (request, signal) => receiveHere(taking, request, signal) }
}

/** Writes a defect of the simulator, with its stack trace, to the error console. */
export function logDefect(error: unknown, request: Request | undefined): void {
  const where = request ? `failed on ${request.method} ${maskedUrl(request)}` : 'failed'
  // What becomes of a file is no defect of the simulator: a stack trace would tell nothing.
  const told =
    error instanceof TraceError
      ? [`agent-mailbox-sim: ${error.message}`]
      : [`agent-mailbox-sim ${where}`, error]
  // biome-ignore lint/suspicious/noConsole: a defect of the simulator must not pass unnoticed.
  console.error(...told)
}

function maskedUrl({ url, headers }: Request): string {
  return new Masker().forRequest(headers, new URL(url).search).url(url)
}
