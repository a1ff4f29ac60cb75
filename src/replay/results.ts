import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { formatReport, makeFolder, openBeside, type Report, writeFileWhole } from '../reports/index.js'
import type { Simulator } from '../simulator/simulator.js'
import { harEntry, harLog } from '../world/index.js'

/** Prepares a folder for the results of a replay; returns the file in it that reliances are appended to. */
export async function prepareResults(folder: string): Promise<string> {
  await makeFolder(folder)
  const trace = join(folder, 'reliances.jsonl')
  await writeFile(trace, '')
  return trace
}

/** Writes `report.json`, `report.xml`, `report.html` and `journal.har` into a folder, next to the reliances. */
export async function writeResults(folder: string, report: Report, simulator: Simulator): Promise<void> {
  await writeFileWhole(join(folder, 'report.json'), formatReport('json', report))
  await writeFileWhole(join(folder, 'report.xml'), formatReport('junit', report))
  await writeFileWhole(join(folder, 'report.html'), formatReport('html', report))
  await writeHar(join(folder, 'journal.har'), simulator)
}

/** Writes the exchanges of a world as an HTTP Archive, one after another, since there may be many. */
async function writeHar(path: string, { journal }: Simulator): Promise<void> {
  const [before, after] = JSON.stringify({ log: { ...harLog(), entries: [0] } }).split('[0]')
  function* text(): Generator<string> {
    yield `${before}[`
    for (const [index, entry] of journal.entries().entries()) {
      yield `${index > 0 ? ',' : ''}\n${JSON.stringify(harEntry(entry))}`
    }
    yield `]${after}\n`
  }
  const { beside, finish, discard } = await openBeside(path)
  try {
    await pipeline(Readable.from(text()), createWriteStream(beside))
    await finish()
  } catch (error) {
    await discard()
    throw error
  }
}
