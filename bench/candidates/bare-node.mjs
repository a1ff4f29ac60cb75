import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threadsPath } from '../mailbox.mjs'

const program = fileURLToPath(new URL('../programs/bare-server.mjs', import.meta.url))

/** A server of node:http alone, which stringifies the page for each request: as fast as JSON goes over HTTP. */
export async function bareNode(page, folder) {
  const file = join(folder, 'page.json')
  await writeFile(file, JSON.stringify(page))
  return { name: 'bare node:http', path: threadsPath, argumentsFor: (port) => [program, file, port] }
}
