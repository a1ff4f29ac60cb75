import { appendFileSync, writeFileSync } from 'node:fs'
import type { Exchange } from '../../world/index.js'
import { type TapedRequest, type TapeHead, tapeFormat, tapeVersion } from './tape.js'
import { TapeError } from './tape-error.js'

/** Writes an agent's requests to a file as they come: line by line, so that it is a tape at any moment. */
export class TapeRecorder {
  readonly #file: string

  /** Begins the tape, in the place of what was in the file. @throws TapeError `unwritable` */
  constructor(file: string, head: Omit<TapeHead, 'format' | 'version'>) {
    this.#file = file
    this.#write(writeFileSync, { format: tapeFormat, version: tapeVersion, ...head })
  }

  /** Adds a request. @throws TapeError `unwritable` */
  add(request: TapedRequest): void {
    this.#write(appendFileSync, request)
  }

  #write(write: typeof appendFileSync, line: object): void {
    try {
      write(this.#file, `${JSON.stringify(line)}\n`)
    } catch (error) {
      throw new TapeError(
        'unwritable',
        `${this.#file}: the tape cannot be written: ${(error as Error).message}.`,
      )
    }
  }
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
