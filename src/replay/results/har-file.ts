import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Simulator } from '../../simulator/simulator.js'
import { harEntry, harLog } from '../../world/index.js'

/** Writes the requests of a world with their answers as an HTTP Archive, one after another: they may be many. */
export async function writeHar(file: string, { journal }: Simulator): Promise<void> {
  const [before, after] = JSON.stringify({ log: { ...harLog(), entries: [0] } }).split('[0]') as [
    string,
    string,
  ]
  function* text(): Generator<string> {
    yield `${before}[`
    for (const [index, entry] of journal.entries().entries()) {
      yield `${index > 0 ? ',' : ''}\n${JSON.stringify(harEntry(entry))}`
    }
    yield `]${after}\n`
  }
  await pipeline(Readable.from(text()), createWriteStream(file))
}
