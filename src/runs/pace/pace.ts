import type { AnsweredRequest, RunningServer } from '../../doors/server/index.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import type { ClockMode } from '../../service/world/index.js'
import type { ExpectationChecker } from '../../story/expectations/expectation-checker.js'
import type { Story } from '../../story/index.js'
import type { PlayOptions } from '../options.js'
import type { LocalReceiver } from '../receivers.js'
import type { AskedWait } from './client-waits.js'

/** Lets story time pass while an agent acts. */
export interface Pace {
  /** Additional variables for the agent's processes. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** When the story ends, in milliseconds since the epoch. */
  readonly end: number
  /**
   * Lets the story pass until its end, until the agent is gone, or until the signal. Returns false if the agent did not
   * respond at its URL in time, so that the story did not begin.
   */
  run(agentGone: AbortSignal): Promise<boolean>
  /** Notes a response of the server. */
  answered(request: AnsweredRequest): void
  /** The wait that a response had asked the agent for when the story ended; null if there was none. */
  readonly waiting: AskedWait | null
  /** The milliseconds that the agent may take beyond its time limit, since responses told it to wait. */
  readonly moreTime: number
  /** How the agent was paced, for reports; undefined in modes that do not know. */
  readonly facts: PaceFacts | undefined
  close(): Promise<void>
}

/** How an agent was paced. */
export interface PaceFacts {
  readonly mode: string
  readonly observed: readonly { readonly runtime: string; readonly processes: number }[]
  readonly worked_ms: number
  readonly skipped_ms: number
  readonly patience_used: number
}

/** The play that is paced. */
export interface PacedPlay {
  readonly story: Story
  readonly simulator: Simulator
  /** Serves the simulator, unless the agent is in this process. */
  readonly server: RunningServer | undefined
  readonly checker: ExpectationChecker
  /** What the story is played to; `elsewhere` is an agent that was not started here, if there is one. */
  readonly agent: 'command' | 'function' | 'elsewhere'
  readonly mode: ClockMode
  /** Where the agent receives deliveries. */
  readonly receivers: readonly LocalReceiver[]
  readonly options: PlayOptions
  /** Aborted when the play is interrupted. */
  readonly stopped: AbortSignal
}
