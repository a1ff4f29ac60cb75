import type { ClientVariables } from './client-environment.js'
import type { ProcessGroup } from './process-group.js'
import type { CommandEnd } from './run-command.js'

/** An agent that runs as a command. */
export interface CommandAgent {
  /** A program with its arguments. */
  readonly command: readonly string[]
  /** Additional variables of its environment, with placeholders such as `{base_url}`. */
  readonly variables?: ClientVariables | undefined
  /** Further variables, as they are; undefined removes one. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
}

/** How the command of a play ended; `output` is empty if it passed. */
export interface CommandOutcome extends Omit<CommandEnd, 'ended' | 'complaint'> {
  /** The command and its arguments as they were given, secrets masked. */
  readonly command: readonly string[]
  /**
   * Why it ended: on its own; because the story had ended; because the play was interrupted; because it was
   * not ready before the story could begin; because it could not be started; or because its time was up or
   * it had sent too many requests, where these are limited. If it was not ready or not started, the story
   * was not played.
   */
  readonly ended:
    | 'by-itself'
    | 'story-over'
    | 'interrupted'
    | 'not-ready'
    | 'not-started'
    | 'time-limit'
    | 'too-many-requests'
  /** Whether it passed: it exited with status 0, or was stopped without a reason to blame it. */
  readonly passed: boolean
  /** The number of the start that ended, if another one went on until the story ended. */
  readonly start?: number
}

/** How an agent ended. */
export interface AgentEnd extends CommandOutcome {
  /** The line of its output that best explains why it did not pass, or else the problem; null if it passed. */
  readonly why: string | null
  /** The line of its output that looks most like a failure, also if it passed; the last one if none does. */
  readonly complaint: string | undefined
}

/** What a start of the program of an agent did. */
export interface AgentStart {
  /** 1, 2, … in the order in which they began. */
  readonly start: number
  /** When it began and when it ended, in story time, ISO 8601 UTC. */
  readonly at: string
  readonly ended_at: string
  /** How it ended: the story killed or stopped it, or as `command.ended` says. */
  readonly ended: 'killed' | 'stopped' | CommandOutcome['ended']
  /** Null if a signal ended it, or it never started. */
  readonly status: number | null
  readonly signal: string | null
  /** Why it failed by itself; null if it did not. */
  readonly problem: string | null
  /** How many requests to the service are known to be its own. */
  readonly requests: number
}

/** Why a running agent is stopped. */
export type StopReason = Exclude<CommandOutcome['ended'], 'by-itself' | 'not-started' | 'time-limit'>

/** What watches the processes of a command. */
export interface CommandWatch {
  /** Additional variables for the agent's processes. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Notes the processes of the agent's command once it has started. */
  started(group: ProcessGroup): void
  /** Notes that all of them have ended. */
  ended(group: ProcessGroup): void
  /** Notes that the command is being stopped or started again, until a promise is settled. */
  changes(change: Promise<unknown>): void
  /** Notes that the agent wrote something. */
  wrote(): void
  /** Notes why a part of the agent is not observed. */
  noted(note: string): void
}
