import type { ServerOptions } from '../../doors/server/start-server.js'
import type { ClockMode } from '../../service/time/time.js'
import type { WorldEvent } from '../../service/world/entries.js'
import type { AgentTime } from '../pace/observed-process.js'
import type { OnLines } from './command-output.js'
import type { CommandEnd } from './run-command.js'

/**
 * The options of a play, among them those of its server that it does not set itself. Story time is the scenario's, wall time the
 * machine's; both in milliseconds.
 */
export interface PlayOptions extends Omit<ServerOptions, 'clock' | 'onProgress' | 'onAnswer'> {
  /**
   * How time passes: by default `auto` with a command, in the agent's own time; without one, the story is played immediately
   * (`frozen`).
   */
  readonly clock?: ClockMode | undefined
  /** How long the story continues after its last entry, in story time; an hour by default with the clock `auto`, or else 30 s. */
  readonly grace?: number | undefined
  /** How long a request of the agent to somebody else is a wait, in story time; it is none by default. */
  readonly thinkTime?: number | undefined
  /** Hosts, perhaps with ports, requests to which are no work of the agent. */
  readonly ignoreHosts?: readonly string[] | undefined
  /** Whether an observed agent's waits are skipped, or skipped on the date of the story. */
  readonly agentTime?: Exclude<AgentTime, 'wall'> | undefined
  /** Whether the program is started again when it exits with an error. */
  readonly restart?: boolean | undefined
  /** A command line that a shell runs before the play. */
  readonly before?: string | undefined
  /** The story begins when this URL responds, within twice the patience. */
  readonly ready?: string | undefined
  /** The number of requests after which the agent is stopped; unlimited by default. */
  readonly maxRequests?: number | undefined
  /** Interrupts the play; its results are as of then. */
  readonly signal?: AbortSignal | undefined
  /** Kills a command that has not ended after it was stopped, without waiting any longer. */
  readonly kill?: AbortSignal | undefined
  readonly watcher?: PlayWatcher | undefined
}

/** A story that is about to begin. */
export interface PlayStart {
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

/** Observes the progress of a play. */
export interface PlayWatcher {
  started?(start: PlayStart): void
  /** The command runs, and the story waits until it is up. */
  waiting?(): void
  /** The story begins; `ready` is false if there was no sign of the agent by then. */
  begun?(ready: boolean): void
  /** Something happened in the story. */
  happened?(event: WorldEvent): void
  /** The command wrote something; secrets are masked. */
  readonly wrote?: OnLines
  /** The agent has ended, for whatever reason. */
  ended?(outcome: CommandEnd): void
  /** A note for the user. */
  noted?(note: string): void
}
