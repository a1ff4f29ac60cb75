import type { Command } from 'commander'
import { version } from '../../base/package.js'
import { createSurface } from '../../doors/mcp/surface.js'
import type { RunningServer } from '../../doors/server/start-server.js'
import type { FlagsOf } from '../flag-command.js'
import { optionsOf } from '../flags.js'
import type { addMcp, ServeFlags } from '../serve.js'
import { sanitize } from '../terminal.js'
import { formatReady, startServed, stopOnSignal, watchServed } from './serve.js'

type McpFlags = FlagsOf<typeof addMcp> & ServeFlags

/**
 * Offers the operations as tools over stdio until the client ends the input: those of the mailbox that the environment names,
 * or of a new one, which is also served over HTTP.
 */
export async function mcp(scenario: string | undefined, flags: McpFlags, line: Command): Promise<void> {
  const { MAILBOX_MCP_URL: url, MAILBOX_API_KEY: key = '' } = process.env
  if (scenario === undefined && url) return join(url, { key, ...flags }, line)
  await begin(scenario ?? 'support-desk', flags)
}

/** Offers the tools of a mailbox that is served already: an agent may start a server of tools for each call. */
async function join(
  url: string,
  { apiKey, key }: McpFlags & { readonly key: string },
  line: Command,
): Promise<void> {
  const { joinOverStdio } = await import('../../doors/mcp/stdio.js')
  const { stdin, stdout, stderr } = process
  const unused = line.options.filter((one) => {
    return line.getOptionValueSource(one.attributeName()) === 'cli' && one.attributeName() !== 'apiKey'
  })
  const names = unused.map(({ long }) => long)
  const note = names.length === 0 ? '' : `; ${names.join(', ')} would need a scenario`
  stderr.write(sanitize(`agent-mailbox-sim ${version}: the tools of ${url} over stdio${note}\n`))
  await joinOverStdio({ url, key: apiKey ?? key, input: stdin, output: stdout })
}

async function begin(scenario: string, flags: McpFlags): Promise<void> {
  // While the story has not begun.
  const { serveOverStdio } = await import('../../doors/mcp/stdio.js')
  const server = await startServed(scenario, flags)
  const { stdin, stdout, stderr } = process
  const watch = flags.watch && watchServed(server.simulator, flags, stderr)
  const stop = stopOnSignal(server, watch, () => {
    void connection.close()
    return ''
  })
  const { service, apiKey } = server.simulator
  const caller = { key: flags.apiKey ?? apiKey, base: server.url }
  const connection = serveOverStdio(createSurface(service, optionsOf(flags).mcp), caller, {
    input: stdin,
    output: stdout,
    onClose(error) {
      if (error) stderr.write(sanitize(`error: ${error.message}\n`))
      void stop()
    },
  })
  stderr.write(flags.json ? formatReady(server) : sanitize(formatAddresses(server, flags)))
}

/** Formats the other addresses of the agent's mailbox; standard output belongs to the protocol. */
function formatAddresses(
  { url, controlUrl, mcpUrl, simulator }: RunningServer,
  { mcpControls }: McpFlags,
): string {
  const lines = [
    `agent-mailbox-sim ${version}: the mailbox of ${simulator.scenario} as tools over stdio`,
    `  also at    ${url}, as tools at ${mcpUrl}`,
    `  inspector  ${controlUrl}/`,
    ...(mcpControls ? [`  controls   ${mcpUrl}/controls`] : []),
  ]
  return `${lines.join('\n')}\n`
}
