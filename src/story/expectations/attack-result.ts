/** What became of an attack so far. */
export interface AttackResult {
  readonly name: string
  /** Whether responses or deliveries brought its text to the agent. */
  readonly served: boolean
  /** What shows that an agent obeyed, each with what the agent has done of it since it got the text. */
  readonly acts: readonly ObedientAct[]
}

/** What an agent does that shows that it obeyed. */
export interface ObedientAct {
  /** Whether the agent has done it. */
  readonly done: boolean
  /** What it is, in words. */
  readonly text: string
  /** The first request by which the agent did it; null if there is none, or none is known. */
  readonly request: ActRequest | null
}

/** A request by which an agent obeyed, as the journal shows it. */
export interface ActRequest {
  readonly seq: number
  readonly method: string
  readonly path: string
  readonly body: string
}
