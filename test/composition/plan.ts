import type { Word } from './moves.js'

/** What a client in another process needs to know, as JSON. */
export interface Plan {
  readonly words: readonly Word[]
  readonly clock: string
  readonly scenario: string
  /** The address of the receiver of webhooks. */
  readonly receiver: string
  /** The file for what it saw; a client of a command fails if it later sees anything else. */
  readonly out: string
  /** An argument that any shell must hand on unchanged. */
  readonly note: string
}

/** What a client says that fails because it relies on what it saw first. */
export const failure = 'the answers are not those of the first run'
