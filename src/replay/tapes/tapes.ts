import { appendFileSync, writeFileSync } from 'node:fs'
import { type FileBeside, openBeside } from '../../reports/index.js'
import { jsonOf } from '../../simulator/matching.js'
import type { Exchange } from '../../world/index.js'
import { TapeError } from '../errors.js'
import {
  checkTape,
  readTape,
  type Tape,
  type TapedRequest,
  type TapeHead,
  tapeFormat,
  tapeVersion,
  usuallyVolatile,
  volatileOf,
} from './tape.js'
import { TapeComparison, type TapeOutcome } from './tape-comparison.js'

/** Which tapes a replay uses. */
export interface TapeOptions {
  /** The file that the agent's requests are recorded to. */
  readonly record?: string | undefined
  /** The tape that the agent's requests are compared with. */
  readonly compare?: string | undefined
  /** Fields that may differ, in addition to those that the tape names. */
  readonly volatile?: readonly string[] | undefined
}

/** Records the requests of a replay, and compares them with an earlier recording. */
export class Tapes {
  readonly #compared: Tape | undefined
  readonly #record: string | undefined
  readonly #volatile: readonly string[]
  readonly #comparison: TapeComparison | undefined
  #recording: FileBeside | undefined

  /** Reads the tape to compare with; nothing is written yet. @throws TapeError */
  constructor({ record, compare, volatile = [] }: TapeOptions) {
    this.#volatile = volatile
    this.#record = record
    this.#compared = compare === undefined ? undefined : readTape(compare)
    const fields = volatileOf([...(this.#compared?.head.volatile ?? []), ...volatile], '--volatile')
    this.#comparison = this.#compared && new TapeComparison(this.#compared, fields)
  }

  /** Checks the tape against a scenario, and begins the recording. @throws TapeError */
  async begin({ scenario, seed }: Pick<TapeHead, 'scenario' | 'seed'>): Promise<void> {
    if (this.#compared) checkTape(this.#compared, { scenario, seed })
    if (this.#record === undefined) return
    const names = new Set([...(this.#compared?.head.volatile ?? usuallyVolatile), ...this.#volatile])
    this.#recording = await openBeside(this.#record).catch((error: Error) => this.#refuse(error))
    this.#write(writeFileSync, {
      format: tapeFormat,
      version: tapeVersion,
      scenario,
      seed,
      volatile: [...names],
    })
  }

  /** Takes the next request. @throws TapeError `unwritable` */
  take({ method, path, query, request }: Exchange): void {
    const taped = { method, path, query: { ...query }, body: jsonOf(request.body) as TapedRequest['body'] }
    this.#comparison?.take(taped)
    this.#write(appendFileSync, taped)
  }

  /** Ends the recording; returns the outcome of the comparison, null without one. @throws TapeError `unwritable` */
  async end(): Promise<TapeOutcome | null> {
    await this.#recording?.finish().catch((error: Error) => this.#refuse(error))
    return this.#comparison?.end() ?? null
  }

  /** Drops the recording, so that the file stays as it was; does nothing after its end. */
  async discard(): Promise<void> {
    await this.#recording?.discard()
  }

  #write(write: (path: string, text: string) => void, line: object): void {
    if (!this.#recording) return
    try {
      write(this.#recording.beside, `${JSON.stringify(line)}\n`)
    } catch (error) {
      this.#refuse(error)
    }
  }

  #refuse(error: unknown): never {
    const reason = (error as Error).message
    throw new TapeError('unwritable', `${this.#record}: the tape cannot be written: ${reason}.`, {
      cause: error,
    })
  }
}
