import type { ServerOptions } from '../doors/server/index.js'
import type { ClockMode, WorldEvent } from '../service/world/index.js'
import type { CommandOutcome } from './agent/agent.js'
import type { OnLines } from './agent/command-output.js'

/** The options of a play. Story time is the scenario's, wall time the machine's; both in milliseconds. */
export interface PlayOptions
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
    | 'trace'
    | 'onUndocumented'
  > {
  /** How time passes: by default `10x` with a command; without one, the story is played immediately (`frozen`). */
  readonly clock?: ClockMode | undefined
  /** How long the story continues after its last entry, in story time; 30 s by default, and at least 3 s of wall time. */
  readonly grace?: number | undefined
  /** When the play ends: with the story, or as soon as the agent has ended. */
  readonly until?: 'story-end' | 'agent-end' | undefined
  /** The story begins when this URL responds. */
  readonly ready?: string | undefined
  /** How long to wait for that, in wall time; a minute by default, or 10 s for other signs of an agent. */
  readonly readyTimeout?: number | undefined
  /** The wall time that a command may take, in addition to the waits that responses require; unlimited by default. */
  readonly timeLimit?: number | undefined
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
  /** The story has ended, and the command is about to be stopped. */
  ending?(): void
  /** The agent has ended, for whatever reason. */
  ended?(outcome: CommandOutcome): void
  /** A note for the user. */
  noted?(note: string): void
}
