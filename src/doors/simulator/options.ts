import type { OptionNames } from '../../base/options.js'
import type { NamedAssumptions } from '../../contract/named-assumptions.js'
import type { AssumptionsLayer } from '../../service/assumptions/assumptions.js'
import type { Carrier } from '../../service/requests/faults.js'
import type { ClockMode } from '../../service/time/time.js'
import type { DeliveryFormat } from '../../service/webhooks/delivery-format.js'
import type { DeliveryTransport, Receiver } from '../../service/webhooks/transport.js'
import type { WorldHost } from '../../service/world/world-host.js'
import type { Persistence } from '../../service/world/worlds.js'
import type { OnProgress } from '../../story/compile/compilation.js'
import type { ScenarioDefinition } from '../../story/read/define-scenario.js'
import type { ExtensionSource } from '../../story/read/extensions.js'
import type { Story } from '../../story/story.js'
import type { AttackNames } from './attacks.js'

/** Assumptions as a program requests them; later ones override earlier ones. */
export type RequestedAssumptions =
  | string
  | NamedAssumptions
  | readonly (string | NamedAssumptions | AssumptionsLayer)[]
  | undefined

/** Options of a simulator. */
export interface SimulatorOptions {
  /** The name of a shipped scenario, a path, or the result of `defineScenario`; `support-desk` by default. */
  readonly scenario?: string | ScenarioDefinition | undefined
  /** Overrides the scenario's seed. */
  readonly seed?: number | undefined
  /**
   * The instant at which the story begins, ISO 8601. Overrides the scenario's start and shifts all its dates by the same
   * amount.
   */
  readonly start?: string | undefined
  /** Override the assumptions of the environment and of the scenario; later ones override earlier ones. */
  readonly assume?: RequestedAssumptions
  /** How time passes; by default `frozen`: only when it is advanced. */
  readonly clock?: ClockMode | undefined
  /** The base URL of the simulated service; `*` for any origin, `http://mailbox.test` by default. */
  readonly baseUrl?: string | undefined
  /**
   * Whether the journal records requests, the mail that they sent and the gaps that their responses depend on; `true` by default.
   * Without it, correspondents do not reply.
   */
  readonly journal?: boolean | undefined
  /**
   * Operations beyond the documented ones, in addition to those the scenario names: the result of `defineExtension`, the
   * path of a file that exports it, `common`, or MSW handlers.
   */
  readonly extend?: readonly ExtensionSource[] | undefined
  /**
   * The published format of the service's deliveries, so that receivers written for it can verify and read them; its
   * settings override the scenario's.
   * @example { signature_header: 'x-service-signature', prefix: 'sha256=', timestamp_header: 'x-service-timestamp' }
   */
  readonly deliveryFormat?: DeliveryFormat | undefined
  /**
   * The maximum number of messages that agents may send in a story, 1,000 by default, since two agents that
   * reply to each other never stop.
   */
  readonly maxSent?: number | undefined
  /**
   * How long an agent has to be quiet until the clock `auto` moves on, in milliseconds of wall time; 30,000 by default. One
   * that asks again for all it has seen is not waited for.
   */
  readonly patience?: number | undefined
  /** Called with the progress of loading, every few thousand messages and at the end. */
  readonly onProgress?: OnProgress | undefined
  /**
   * Receives the webhook deliveries for which `sim.webhooks.on` has no receiver. If it returns nothing, the delivery is
   * captured. Without it, all of them are captured: nothing is sent over the network.
   * @example receiver: (request) => getResponse(handlers, request)
   */
  readonly receiver?: Receiver | undefined
  /**
   * Called with every defect of the simulator itself, and with errors outside requests: of a listener to its events, or of
   * a trace that can no longer be written. Logs them to the error console by default.
   */
  readonly onDefect?: ((error: unknown, request: Request | undefined) => void) | undefined
  /**
   * Called once for each method and path below `/api/v1` that matches no operation. The explanation names a likely typo,
   * or says how to add an undocumented operation. Logs it to the error console by default.
   */
  readonly onUndocumented?: ((explanation: string) => void) | undefined
  /**
   * Called once for each likely mistake that responses hide: an accepted key that is not listed, an unknown
   * agent, a field of a body or a parameter of the query that is ignored. The command line prints these
   * hints; by default they are dropped.
   */
  readonly onHint?: ((hint: string) => void) | undefined
}

/** Options of a simulator, with those that only this package sets. */
export interface SimulatorSetup extends SimulatorOptions {
  /** The same as `start`, but only for a shipped scenario or one whose file sets no start. */
  readonly defaultStart?: string | undefined
  /** Sends deliveries out of this process; without it, none leaves. */
  readonly transport?: DeliveryTransport | undefined
  /** Called whenever a delivery of any world changes. */
  readonly onDelivery?: WorldHost['onDelivery'] | undefined
  /**
   * Returns the address of the service, as deliveries contain it. Called once the scenario is loaded, before
   * its story begins.
   */
  readonly address?: (() => Promise<string>) | undefined
  /**
   * What carries the responses: a server, which can break connections as faults require, or by default
   * `fetch`.
   */
  readonly carrier?: Carrier | undefined
  /** Stores the logs of worlds outside this process. */
  readonly state?: Persistence | undefined
  /** The scenario, already loaded, so that many simulators share its mail. */
  readonly initialState?: Story | undefined
  /** The file that reliances are appended to; the one that `MAILBOX_SIM_TRACE` names by default. */
  readonly trace?: string | undefined
}

/** The names of the options that a simulator and each of its worlds have. */
const storyOptions = {
  scenario: 'public',
  seed: 'public',
  assume: 'public',
  clock: 'public',
  extend: 'public',
  deliveryFormat: 'public',
} as const

/** The names of a simulator's options. */
export const simulatorOptions: OptionNames<SimulatorOptions> = {
  ...storyOptions,
  start: 'public',
  baseUrl: 'public',
  journal: 'public',
  maxSent: 'public',
  patience: 'public',
  onProgress: 'public',
  receiver: 'public',
  onDefect: 'public',
  onUndocumented: 'public',
  onHint: 'public',
}

/** How a new world differs from the one from which it is created. Omitted options keep its values. */
export interface WorldOptions {
  readonly scenario?: string | ScenarioDefinition | undefined
  readonly seed?: number | undefined
  /** Override those of the original world. */
  readonly assume?: RequestedAssumptions
  /** How its time passes. */
  readonly clock?: ClockMode | undefined
  /** Operations in addition to those of the simulator and of the new scenario. */
  readonly extend?: readonly ExtensionSource[] | undefined
  /** The format of its deliveries; by default that of this world or, with a `scenario`, of the simulator. */
  readonly deliveryFormat?: DeliveryFormat | undefined
  /**
   * Attacks of its scenario that are laid over its story, by name or as `attacksOf` returns them, instead of
   * those of this world. @example { attack: 'refund-to-stranger' }
   */
  readonly attack?: AttackNames | undefined
  /** The same, but with the harmless versions of the attacks. */
  readonly benign?: AttackNames | undefined
  /** Whether the requester must not read files of this machine: only what ships with the package may be named. */
  readonly shippedOnly?: boolean | undefined
}

/** The same, with the instant at which its story begins instead of that of its scenario and of the simulator. */
export type WorldSetup = WorldOptions & Pick<SimulatorOptions, 'start'>

/** The names of a world's options. */
export const worldOptions: OptionNames<WorldOptions> = {
  ...storyOptions,
  attack: 'public',
  benign: 'public',
  shippedOnly: 'public',
}

/** How a fork differs from the world it is created from. */
export interface ForkOptions {
  /** How its time passes; by default as in the original world. */
  readonly clock?: ClockMode | undefined
  /**
   * The moment at which it begins instead of the start of the story: just after the entry of the log with this number, the `seq`
   * of an exchange or of another event.
   */
  readonly at?: number | undefined
}

/** Selects messages that agents sent. */
export interface SentFilter {
  /** The handle or the id of an agent. */
  readonly agent?: string | undefined
}
