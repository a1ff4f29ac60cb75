/** A wait of an agent. Instants are milliseconds since the epoch, in story time. */
export interface AgentWait {
  /** When it ends; undefined if that is not known. */
  readonly due: number | undefined
  /** How long the agent wanted to wait, in milliseconds. */
  readonly duration: number
  /** Whether the agent has looked at the time since it began this wait or just before, so that it may act on that alone. */
  readonly looksAtTime?: boolean
}

/** How much story time passes while an agent works: none, as much as wall time, or milliseconds for each of its questions. */
export type ThinkTime = 'none' | 'real' | number

/** An agent for which story time waits while it works. */
export interface PacedAgent {
  /** Whether it has ended. */
  readonly gone: boolean
  /** Milliseconds of story time that have to pass, since it asked somebody who needs time to think. */
  readonly owed: number
  /** Returns them, and owes nothing any more. */
  takeOwed(): number
  /** Waits until the agent rests, or until the signal, and returns what it waits for. */
  rests(signal: AbortSignal): Promise<readonly AgentWait[]>
  /** Tells the agent how late it is in the story. */
  tell?(now: number): void
  /** Tells the agent how late it is in the story, and ends those of its waits that are due. */
  moved(now: number): Promise<void>
}
