/** What is known in every message of a thread, whatever it is about. */
export interface Circumstances {
  readonly firstName: string
  readonly lastName: string
  /** The person's address. */
  readonly address: string
  readonly agentName: string
  readonly company: string
  /** When the thread begins, in milliseconds since the epoch. */
  readonly begins: number
  /** A number from which every choice of wording in the thread follows. */
  readonly voice: number
}
