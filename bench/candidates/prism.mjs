import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { threadsPath } from '../mailbox.mjs'
import { openApiDocument } from './agent-mailbox-sim.mjs'
import { programOf } from './installed.mjs'

/** Prism as a mock of the documented interface, with the page as the example of its answer; it logs nothing. */
export async function prism(page, folder) {
  const document = await openApiDocument()
  document.paths[threadsPath].get.responses['200'].content['application/json'].example = page
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  const program = programOf('@stoplight/prism-cli', 'dist/index.js')
  const plain = ['--verboseLevel', 'silent']
  return {
    name: 'Prism',
    path: threadsPath,
    argumentsFor: (port) => [program, 'mock', file, '--host', '127.0.0.1', '--port', port, ...plain],
  }
}
