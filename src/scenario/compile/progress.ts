import type { BaseBuilder } from '../../model/index.js'
import { breathe } from '../../world/index.js'
import type { Agent } from '../resolve/parts.js'

/** How far loading a scenario is. */
export interface LoadProgress {
  /** Messages loaded so far. */
  readonly messages: number
  /** Messages there will be: an estimate from the threads still to come, and exact once all are there. */
  readonly of: number
}

/** Is told how far loading is. */
export type OnProgress = (progress: LoadProgress) => void

/** So few that a terminal follows (about 50 ms), so many that pausing costs nothing. */
const messagesPerTurn = 5_000

/** Watches a scenario being loaded: tells how far it is, and lets others have a turn now and then. */
export class LoadMeter {
  /** How many threads are to be generated. */
  readonly #threads: number
  readonly #builder: BaseBuilder
  readonly #onProgress: OnProgress | undefined
  #threadsDone = 0
  #nextTurn = messagesPerTurn

  constructor(agents: readonly Agent[], builder: BaseBuilder, onProgress: OnProgress | undefined) {
    this.#threads = agents.reduce((sum, { identity }) => sum + (identity.generate?.threads ?? 0), 0)
    this.#builder = builder
    this.#onProgress = onProgress
  }

  /** Counts a generated thread; when it is time for a turn of the others, gives what to wait for. */
  threadDone(): Promise<void> | undefined {
    this.#threadsDone++
    const messages = this.#builder.count('message')
    if (messages < this.#nextTurn) return undefined
    this.#nextTurn = messages + messagesPerTurn
    this.#onProgress?.({ messages, of: Math.round((messages * this.#threads) / this.#threadsDone) })
    return breathe()
  }

  allDone(): void {
    const messages = this.#builder.count('message')
    this.#onProgress?.({ messages, of: messages })
  }
}
