/** An answer on its way to a client, as faults disturb it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array<ArrayBuffer> | null
  /** How it ends: whole, cut off within the body, or with the connection gone before anything came. */
  readonly ending: 'whole' | 'cut' | 'reset'
  /** How long the body takes to arrive, in milliseconds of the world's time; 0 for at once. */
  readonly drip: number
}

/** What one kind of fault does to an answer; it leaves those alone whose rule does not speak of it. */
export type Effect<Fault> = (fault: Fault, answer: Answer) => Answer
