import type { RunningServer, ServerOptions } from '../../doors/server/index.js'
import type { ClockMode, InitialState, WorldEvent } from '../../service/world/index.js'
import type { AttackChoice } from '../../story/index.js'
import type { ClientVariables } from '../agent/client-environment.js'
import type { OnLines } from '../agent/command-output.js'
import type { CommandOutcome, ReplayReport } from './outcome.js'

/** The options of a replay. Story time is the scenario's, wall time the machine's; both in milliseconds. */
export interface ReplayOptions
  extends Pick<
    ServerOptions,
    | 'scenario'
    | 'seed'
    | 'readings'
    | 'port'
    | 'host'
    | 'allowHosts'
    | 'controlToken'
    | 'allowDeliveriesTo'
    | 'allowFiles'
    | 'extend'
    | 'deliveryFormat'
    | 'maxSent'
    | 'onProgress'
  > {
  /** The agent, or what tests it: a program with its arguments; without it, the story is played without an agent. */
  readonly command?: readonly string[] | undefined
  /** Additional variables of the command's environment. */
  readonly variables?: ClientVariables | undefined
  /**
   * How time passes: by default `10x` with a command; without one, the story is played immediately
   * (`frozen`).
   */
  readonly clock?: ClockMode | undefined
  /** How long the story continues after its last entry, in story time; 30 s by default, and at least 3 s of wall time. */
  readonly grace?: number | undefined
  /** The story begins when this URL responds. */
  readonly ready?: string | undefined
  /** How long to wait for that, in wall time; a minute by default, or 10 s for other signs of an agent. */
  readonly readyTimeout?: number | undefined
  /** Whether a run passes if nothing failed and the agent did nothing. */
  readonly allowEmpty?: boolean | undefined
  /** The file that reliances of responses and deliveries are appended to, as with `MAILBOX_SIM_TRACE`. */
  readonly trace?: string | undefined
  /** The attacks that are laid over the story. @internal */
  readonly under?: AttackChoice | undefined
  /** The scenario, already loaded. @internal */
  readonly initialState?: InitialState | undefined
  /** Interrupts the replay; the report then has the results so far. */
  readonly signal?: AbortSignal | undefined
  /** Kills a command that has not ended after it was stopped, without waiting any longer. */
  readonly kill?: AbortSignal | undefined
  readonly watcher?: ReplayWatcher | undefined
}

/** A story that is about to begin. */
export interface ReplayStart {
  readonly scenario: string
  readonly seed: number
  readonly clock: ClockMode
  /** The base URL of the service. */
  readonly url: string
  /** When the story begins, ISO 8601 UTC. */
  readonly start: string
  /** How long it takes, in story time. */
  readonly length: number
  readonly entries: number
  /** Returns the present story time, ISO 8601 UTC. */
  now(): string
}

/** Observes the progress of a replay. */
export interface ReplayWatcher {
  started?(start: ReplayStart): void
  /** The command runs, and the story waits until it is up. */
  waiting?(): void
  /** The story begins; `ready` is false if there was no sign of the agent by then. */
  begun?(ready: boolean): void
  /** Something happened in the story. */
  happened?(event: WorldEvent): void
  /** The command wrote something; secrets are masked. */
  readonly wrote?: OnLines
  /** The story has ended, and the command is about to be stopped. */
  ending?(): void
  /** The command has ended, for whatever reason. */
  ended?(outcome: CommandOutcome): void
  /** A note for the user. */
  noted?(note: string): void
}

/** A finished replay, with the server as it was at the end. */
export interface Replayed {
  readonly report: ReplayReport
  readonly server: RunningServer
}
