import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { threadsPath } from '../mailbox.mjs'

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** This simulator's program as it is published, with a scenario's file or the name of a shipped one. */
export function agentMailboxSim(scenario, name = 'this simulator') {
  return {
    name,
    path: threadsPath,
    argumentsFor: (port) => [program, 'serve', scenario, '--port', port, '--json'],
  }
}

/** The documented interface as OpenAPI, as the program prints it. */
export async function openApiDocument() {
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'openapi'])
  return JSON.parse(stdout)
}
