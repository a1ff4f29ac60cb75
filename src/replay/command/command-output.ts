import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { LineSplitter } from './line-splitter.js'
import { mostLines, OutputTail } from './output-tail.js'

/** Told of lines as they come, without their line breaks. */
export type OnLines = (lines: readonly string[], stream: 'stdout' | 'stderr') => void

/** Characters that are passed on, at most: nobody reads more, and a log has an end. */
const mostPassedOn = 16_777_216

/** What a command writes: passed on while it is not too much, with the last lines kept. */
export class CommandOutput {
  readonly #tail = new OutputTail()
  readonly #splitters: LineSplitter[] = []
  readonly #streams: Readable[] = []
  readonly #onLines: OnLines | undefined
  #written = 0

  constructor(onLines: OnLines | undefined) {
    this.#onLines = onLines
  }

  /** The last lines of all streams, as plain text. */
  get tail(): string {
    return this.#tail.text
  }

  /** Whether it was too much to pass on. */
  get muted(): boolean {
    return this.#written > mostPassedOn
  }

  /** Reads a stream; settled when it has ended. */
  async read(stream: Readable, name: 'stdout' | 'stderr'): Promise<void> {
    const splitter = new LineSplitter((lines) => this.#take(lines, name))
    this.#splitters.push(splitter)
    this.#streams.push(stream)
    stream.setEncoding('utf8').on('data', (piece: string) => {
      const before = this.muted
      this.#written += piece.length
      // Of what nobody is shown, only what may be among the last lines is worth looking at.
      splitter.push(piece, this.#onLines && !this.muted ? undefined : mostLines)
      if (this.#onLines && this.muted && !before) this.#onLines([mutedNote], name)
    })
    // A pipe that fails is one that ends.
    await once(stream, 'close').catch(() => undefined)
  }

  /** Reads no more. */
  close(): void {
    for (const stream of this.#streams) stream.destroy()
    for (const splitter of this.#splitters) splitter.end()
  }

  #take(lines: readonly string[], name: 'stdout' | 'stderr'): void {
    this.#tail.add(lines)
    if (!this.muted) this.#onLines?.(lines, name)
  }
}

const mutedNote = '… (that is 16 MB; no more of it is passed on)'
