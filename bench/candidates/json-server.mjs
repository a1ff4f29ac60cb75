import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programOf } from './installed.mjs'

/**
 * json-server with the page as a resource that is one object, at the path it has there: it looks nothing up, sorts
 * nothing and rewrites no path. Neither does it log, compress or allow other origins.
 */
export async function jsonServer(page, folder) {
  const file = join(folder, 'db.json')
  await writeFile(file, JSON.stringify({ threads: page }))
  const program = programOf('json-server', 'lib/cli/bin.js')
  const plain = ['--quiet', '--no-gzip', '--no-cors']
  return {
    name: 'json-server',
    path: '/threads',
    argumentsFor: (port) => [program, file, '--host', '127.0.0.1', '--port', port, ...plain],
  }
}
