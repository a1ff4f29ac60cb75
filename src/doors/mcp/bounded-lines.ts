import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { JsonMeasure, JsonReadingError } from '../../base/json-reader.js'
import { maxMessageBytes, messageBounds } from './tool.js'

const newline = 10

/**
 * Passes on the lines of a stream, each as a whole, without those that exceed the bounds of a message: the protocol's own
 * reader copies what it has with every chunk, and parses whatever it gets. `refuse` is called with the reason for each one
 * that is left out.
 */
export function boundedLines(input: Readable, refuse: (problem: string) => void): Transform {
  let chunks: Buffer[] = []
  let length = 0
  let measure = new JsonMeasure(messageBounds)
  let isRefused = false
  const take = (bytes: Buffer): void => {
    if (isRefused) return
    length += bytes.length
    try {
      if (length > maxMessageBytes) {
        throw new JsonReadingError('too-long', `it has more than ${maxMessageBytes} bytes`)
      }
      measure.add(bytes)
      chunks.push(bytes)
    } catch (error) {
      if (!(error instanceof JsonReadingError)) throw error
      isRefused = true
      chunks = []
      refuse(error.message)
    }
  }
  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let start = 0; start < chunk.length; ) {
        const end = chunk.indexOf(newline, start)
        take(chunk.subarray(start, end < 0 ? chunk.length : end + 1))
        if (end < 0) break
        if (!isRefused) this.push(Buffer.concat(chunks))
        chunks = []
        length = 0
        measure = new JsonMeasure(messageBounds)
        isRefused = false
        start = end + 1
      }
      done()
    },
  })
  input.on('error', (error) => lines.destroy(error))
  return input.pipe(lines)
}
