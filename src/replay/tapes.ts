import type { Exchange } from '../world/index.js'
import type { ReplayOptions } from './options.js'
import {
  checkTape,
  readTape,
  type Tape,
  TapeComparison,
  type TapedStory,
  type TapeOutcome,
  TapeRecorder,
  tapedRequestOf,
  usuallyVolatile,
  volatileOf,
} from './tape/index.js'

/** The tape a replay records, and the one it is compared with. */
export class Tapes {
  readonly #compared: Tape | undefined
  readonly #record: string | undefined
  readonly #volatile: readonly string[]
  #recorder: TapeRecorder | undefined
  #comparison: TapeComparison | undefined

  /** Reads the tape there is; nothing is written yet. @throws TapeError */
  constructor({ record, compare, volatile = [] }: Pick<ReplayOptions, 'record' | 'compare' | 'volatile'>) {
    this.#volatile = volatile
    this.#record = record
    this.#compared = compare === undefined ? undefined : readTape(compare)
    const names = [...(this.#compared?.head.volatile ?? []), ...volatile]
    const fields = volatileOf(names, '--volatile')
    this.#comparison = this.#compared && new TapeComparison(this.#compared, fields)
  }

  /** Sees that the tape there is can be compared with a story. @throws TapeError `wrong-scenario` */
  check(story: TapedStory): void {
    if (this.#compared) checkTape(this.#compared, story)
  }

  /** Begins the recording. @throws TapeError `unwritable` */
  begin({ scenario, seed }: TapedStory): void {
    if (this.#record === undefined) return
    const names = [...new Set([...(this.#compared?.head.volatile ?? usuallyVolatile), ...this.#volatile])]
    this.#recorder = new TapeRecorder(this.#record, { scenario, seed, volatile: names })
  }

  /** Takes the next request. @throws TapeError `unwritable` */
  take(exchange: Exchange): void {
    const request = tapedRequestOf(exchange)
    this.#comparison?.take(request)
    this.#recorder?.add(request)
  }

  /** Ends the recording of a story that was played; gives what became of the comparison, null where there was none. */
  end(): TapeOutcome | null {
    this.#recorder?.begin()
    return this.#comparison?.end() ?? null
  }
}
