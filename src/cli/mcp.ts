import type { Command } from 'commander'
import { version } from '../base/package.js'
import { Tools } from '../doors/mcp/tools.js'
import type { RunningServer } from '../doors/server/start-server.js'
import { examplesOf, optionsOf, parseToken } from './flags.js'
import {
  addServerFlags,
  formatReady,
  runUntilStopped,
  type ServerFlags,
  startServed,
} from './running-server.js'
import { sanitize } from './terminal.js'

/** Adds the command that offers the operations as tools over stdio. */
export function addMcp(command: Command): void {
  command
    .description(
      'Offers every operation as a tool of the Model Context Protocol, over stdin and stdout, until the client ends stdin. ' +
        'The same mailbox is served over HTTP, with the inspector, at an address that it prints on the error stream.',
    )
    .argument('[scenario]', 'name of a shipped scenario, or path of a file', 'support-desk')
    .optionsGroup('Tools (MCP):')
    .option(
      '--api-key <key>',
      "the key of the agent's requests (default: the first of the scenario)",
      parseToken,
    )
  addServerFlags(command, 0)
    .optionsGroup('Output:')
    .option('--json', 'print the addresses as a JSON object')
    .option('--verbose', 'print requests, deliveries and stack traces')
    .addHelpText('after', examplesOf('mcp support-desk', 'mcp ./story.yaml --extend common --port 4280'))
    .action(mcp)
}

/**
 * Offers the operations as tools over stdio until the client ends the input: those of a new mailbox, which is also served over
 * HTTP.
 */
async function mcp(scenario: string, flags: ServerFlags & { readonly apiKey?: string }): Promise<void> {
  // While the story has not begun.
  const { serveOverStdio } = await import('../doors/mcp/connection.js')
  const server = await startServed(scenario, flags)
  const { stderr } = process
  const stop = runUntilStopped(server, flags, stderr, () => {
    void connection.close()
    return ''
  })
  const { service, apiKey } = server.simulator
  const caller = { key: flags.apiKey ?? apiKey, base: server.url }
  const connection = serveOverStdio(new Tools(service, optionsOf(flags).mcp), caller, {
    onClose: () => void stop(),
    onError: (error) => void stderr.write(sanitize(`error: ${error.message}\n`)),
  })
  stderr.write(flags.json ? formatReady(server) : sanitize(formatAddresses(server)))
}

/** Formats the other addresses of the agent's mailbox; standard output belongs to the protocol. */
function formatAddresses({ url, controlUrl, mcpUrl, simulator }: RunningServer): string {
  const lines = [
    `agent-mailbox-sim ${version}: the mailbox of ${simulator.scenario} as tools over stdio`,
    `  also at    ${url}, as tools at ${mcpUrl}`,
    `  inspector  ${controlUrl}/`,
  ]
  return `${lines.join('\n')}\n`
}
