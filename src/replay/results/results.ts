import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Replayed } from '../options.js'
import { formatJson, formatJunit } from '../reporters/index.js'
import { writeHar } from './har-file.js'
import { makeFolder } from './make-folder.js'

/** Makes a folder ready for all there is of a replay; gives the file in it to which reliances are to be appended. */
export async function prepareResults(folder: string): Promise<string> {
  await makeFolder(folder)
  const trace = join(folder, 'reliances.jsonl')
  await writeFile(trace, '')
  return trace
}

/** Writes a replay into a folder: `report.json`, `report.xml` and `journal.har`, beside its reliances. */
export async function writeResults(folder: string, { report, server }: Replayed): Promise<void> {
  await Promise.all([
    writeFile(join(folder, 'report.json'), formatJson(report)),
    writeFile(join(folder, 'report.xml'), formatJunit(report)),
    writeHar(join(folder, 'journal.har'), server.simulator),
  ])
}
