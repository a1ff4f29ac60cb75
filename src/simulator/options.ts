import type { OptionTypes } from '../contract/options.js'
import type { Carrier } from '../handlers/index.js'
import type { ExtensionSource, OnProgress, ScenarioDefinition } from '../scenario/index.js'
import type {
  ClockMode,
  DeliveryFormat,
  DeliveryTransport,
  InitialState,
  Persistence,
  ReadingsInput,
  ReadingsLayer,
  Receiver,
  WorldHost,
} from '../world/index.js'

/** Readings as a program asks for them; of several, the later ones count. */
export type RequestedReadings = ReadingsInput | readonly (ReadingsInput | ReadingsLayer)[] | undefined

/** How a simulator is made. */
export interface SimulatorOptions {
  /** A shipped name, a path, or what `defineScenario` gives; `support-desk` when it is left out. */
  readonly scenario?: string | ScenarioDefinition | undefined
  /** Stands in for the scenario's own seed. */
  readonly seed?: number | undefined
  /**
   * The instant at which the story begins, ISO 8601, instead of the scenario's own: everything in it is dated as much
   * earlier or later.
   */
  readonly start?: string | undefined
  /** The same for a scenario that ships, or whose file names no start. @internal */
  readonly startOtherwise?: string | undefined
  /** Count for more than the environment's and the scenario's own; of several, the later ones count. */
  readonly readings?: RequestedReadings
  /** `frozen` when it is left out: time passes when it is advanced. */
  readonly clock?: ClockMode | undefined
  /** Where the service is simulated; `*` for any origin, `http://mailbox.test` when it is left out. */
  readonly baseUrl?: string | undefined
  /** Whether requests are kept in the journal with what they relied on: `true` unless told otherwise. */
  readonly journal?: boolean | undefined
  /**
   * Operations beyond the documented ones, besides those the scenario names: what `defineExtension` returns, the path of
   * a file that exports it, `common`, or handlers of MSW.
   */
  readonly extend?: readonly ExtensionSource[] | undefined
  /**
   * How deliveries look that the service has published, so that receivers written for it verify and read them; put on
   * what the scenario says.
   * @example { signature_header: 'x-service-signature', prefix: 'sha256=', timestamp_header: 'x-service-timestamp' }
   */
  readonly deliveryFormat?: DeliveryFormat | undefined
  /**
   * Folders whose files the scenario may name besides those of its project: the nearest folder at or above it that has
   * a `.git`, a `package.json` or the like, or else its own folder.
   */
  readonly allowFiles?: readonly string[] | undefined
  /** Told how far loading is, every few thousand messages and at the end. */
  readonly onProgress?: OnProgress | undefined
  /**
   * Takes the deliveries to webhook subscriptions that no receiver of `sim.webhooks.on` takes; what it gives nothing
   * for is captured. Without one, all of those are: nothing is sent into the network.
   * @example receiver: (request) => getResponse(handlers, request)
   */
  readonly receiver?: Receiver | undefined
  /** How deliveries leave this process; they do not when it is left out. @internal */
  readonly transport?: DeliveryTransport | undefined
  /** Told whenever a delivery of some world changes. @internal */
  readonly onDelivery?: WorldHost['onDelivery'] | undefined
  /**
   * The address at which the service answers, as deliveries show it; asked for once the scenario is loaded and before
   * its story begins. @internal
   */
  readonly address?: (() => Promise<string>) | undefined
  /** Who carries the answers; a server ends connections as faults tell. The program's own `fetch` otherwise. @internal */
  readonly carrier?: Carrier | undefined
  /** Keeps the logs of worlds outside of this process. @internal */
  readonly state?: Persistence | undefined
  /** The scenario as it was loaded already, so that many simulators share its mail. @internal */
  readonly initialState?: InitialState | undefined
  /** The file that reliances are appended to; the one `MAILBOX_SIM_TRACE` names when it is left out. @internal */
  readonly trace?: string | undefined
  /**
   * Told of every defect of the simulator itself, and of what has no request: of who throws while listening to its
   * events, and of a trace that can be written no longer. The error console when it is left out.
   */
  readonly onDefect?: ((error: unknown, request: Request | undefined) => void) | undefined
  /**
   * Told, once for each method and path, of requests below `/api/v1` that are no operation: whether a typo is likely, or
   * how an operation that the interface does not show is added. A line on the error console when it is left out.
   */
  readonly onUndocumented?: ((explanation: string) => void) | undefined
  /**
   * Told, once each, of likely mistakes that answers hide: an unlisted key that is accepted, an agent that is nobody, a
   * field of a PATCH that is ignored. Nobody when it is left out; the command line prints them.
   */
  readonly onHint?: ((hint: string) => void) | undefined
}

/** What each option of a simulator may be. */
export const simulatorOptions: OptionTypes<SimulatorOptions> = {
  scenario: 'string|object|function',
  seed: 'number',
  start: 'string',
  startOtherwise: 'string',
  readings: 'any',
  clock: 'any',
  baseUrl: 'any',
  journal: 'boolean',
  extend: 'list',
  deliveryFormat: 'object',
  allowFiles: 'list',
  onProgress: 'function',
  receiver: 'function',
  transport: 'object',
  onDelivery: 'function',
  address: 'function',
  carrier: 'any',
  state: 'object',
  initialState: 'object',
  trace: 'string',
  onDefect: 'function',
  onUndocumented: 'function',
  onHint: 'function',
}

/** How another world differs from the one it is made from; what is left out stays the same. */
export interface WorldOptions {
  readonly scenario?: string | ScenarioDefinition | undefined
  readonly seed?: number | undefined
  /** Count for more than those of the world it is made from. */
  readonly readings?: RequestedReadings
  /** How its time passes. */
  readonly clock?: ClockMode | undefined
  /** Operations besides those of the world it is made from and of its scenario. */
  readonly extend?: readonly ExtensionSource[] | undefined
  /** How its deliveries look; those of the world it is made from, when it is left out. */
  readonly deliveryFormat?: DeliveryFormat | undefined
  /** Whether somebody asks for it who may not read this machine: then it names nothing but what ships. */
  readonly shippedOnly?: boolean | undefined
}

/** What each option of a world may be. */
export const worldOptions: OptionTypes<WorldOptions> = {
  scenario: 'string|object|function',
  seed: 'number',
  readings: 'any',
  clock: 'any',
  extend: 'list',
  deliveryFormat: 'object',
  shippedOnly: 'boolean',
}
