import type { RunningServer, ServerOptions } from '../server/index.js'
import type { ClockMode, Happening } from '../world/index.js'
import type { OnLines } from './command/index.js'
import type { CommandOutcome, ReplayReport } from './report.js'

/** How a story is replayed. Story time is the scenario's, wall time the machine's; both in milliseconds. */
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
    | 'onProgress'
  > {
  /** The agent, or what tests it: a program with its arguments; without one, nobody acts in the story. */
  readonly command?: readonly string[] | undefined
  /** How time passes: `10x` with a command, and at once, `frozen`, without one, when it is left out. */
  readonly clock?: ClockMode | undefined
  /** How long the story goes on after its last entry, in story time; 30 s when it is left out. */
  readonly grace?: number | undefined
  /** The story begins when somebody answers there. */
  readonly ready?: string | undefined
  /** How long that is waited for, in wall time; a minute when it is left out, or 10 s for other signs of an agent. */
  readonly readyTimeout?: number | undefined
  /** The file that the agent's requests are written to. */
  readonly record?: string | undefined
  /** The tape that the agent's requests are compared with. */
  readonly compare?: string | undefined
  /** What may differ from it, besides what the tape itself names. */
  readonly volatile?: readonly string[] | undefined
  /** The file that what answers and deliveries rely on is appended to, as `MAILBOX_SIM_TRACE` has it. */
  readonly trace?: string | undefined
  /** Ends it before its time. */
  readonly signal?: AbortSignal | undefined
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
  /** How many entries its timeline has. */
  readonly entries: number
  /** How far it is, ISO 8601 UTC. */
  now(): string
}

/** Told what goes on. */
export interface ReplayWatcher {
  started?(start: ReplayStart): void
  /** The command runs, and the story waits until it is up. */
  waiting?(): void
  /** The story begins; `ready` is false where nothing was seen of the agent by then. */
  begun?(ready: boolean): void
  /** Something happened in the story. */
  happened?(happening: Happening): void
  /** The command wrote something. */
  readonly wrote?: OnLines
  /** The story is over, and the command is told to end. */
  ending?(): void
  /** The command has ended, for whatever reason. */
  ended?(outcome: CommandOutcome): void
  /** Something worth knowing. */
  noted?(note: string): void
}

/** A replay that is over: its report, and the server as it was at the end. */
export interface Replayed {
  readonly report: ReplayReport
  readonly server: RunningServer
}
