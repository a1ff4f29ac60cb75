import type { Gender } from '../story.js'

/** What is known in every message of a thread, whatever it is about. */
export interface Circumstances {
  readonly firstName: string
  readonly lastName: string
  /** Both names in the order of the language. */
  readonly fullName: string
  readonly gender: Gender
  /** The person's address. */
  readonly address: string
  readonly agentName: string
  readonly company: string
  /** When the thread begins, in milliseconds since the epoch. */
  readonly begins: number
  /** A number from which every choice of wording in the thread follows. */
  readonly voice: number
}
