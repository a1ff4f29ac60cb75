import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import type { Exchange } from '../../world/index.js'
import { type TapedRequest, type TapeHead, tapeFormat, tapeVersion } from './tape.js'
import { TapeError } from './tape-error.js'

/** Writes an agent's requests to a file as they come: line by line, so that it is a tape at any moment. */
export class TapeRecorder {
  readonly #file: string
  readonly #head: TapeHead
  #begun = false

  /**
   * Makes sure that the file can be written. What was in it stays until there is something to take its place: a run
   * that never begins costs nobody a tape.
   * @throws TapeError `unwritable`
   */
  constructor(file: string, head: Omit<TapeHead, 'format' | 'version'>) {
    this.#file = file
    this.#head = { format: tapeFormat, version: tapeVersion, ...head }
    if (existsSync(file)) this.#guard(() => appendFileSync(file, ''))
    else this.begin()
  }

  /** Begins the tape, in the place of what was in the file. @throws TapeError `unwritable` */
  begin(): void {
    if (this.#begun) return
    this.#begun = true
    this.#guard(() => writeFileSync(this.#file, lineOf(this.#head)))
  }

  /** Adds a request. @throws TapeError `unwritable` */
  add(request: TapedRequest): void {
    this.begin()
    this.#guard(() => appendFileSync(this.#file, lineOf(request)))
  }

  #guard(write: () => void): void {
    try {
      write()
    } catch (error) {
      throw new TapeError(
        'unwritable',
        `${this.#file}: the tape cannot be written: ${(error as Error).message}.`,
      )
    }
  }
}

function lineOf(line: object): string {
  return `${JSON.stringify(line)}\n`
}

/** What a tape keeps of an exchange. */
export function tapedRequestOf({ method, path, query, request }: Exchange): TapedRequest {
  return { method, path, query: { ...query }, body: bodyOf(request.body) }
}

function bodyOf(body: string | null): TapedRequest['body'] {
  try {
    return body === null ? null : JSON.parse(body)
  } catch {
    return body
  }
}
