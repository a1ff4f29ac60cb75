import { version } from '../../base/package.js'
import { Tools } from '../../doors/mcp/tools.js'
import type { RunningServer } from '../../doors/server/start-server.js'
import type { FlagsOf } from '../flag-command.js'
import { optionsOf } from '../flags.js'
import type { addMcp, ServeFlags } from '../serve.js'
import { sanitize } from '../terminal.js'
import { formatReady, startServed, stopOnSignal, watchServed } from './serve.js'

type McpFlags = FlagsOf<typeof addMcp> & ServeFlags

/**
 * Offers the operations as tools over stdio until the client ends the input: those of a new mailbox, which is also served over
 * HTTP.
 */
export async function mcp(scenario: string, flags: McpFlags): Promise<void> {
  // While the story has not begun.
  const { serveOverStdio } = await import('../../doors/mcp/connection.js')
  const server = await startServed(scenario, flags)
  const { stderr } = process
  const watch = flags.watch && watchServed(server.simulator, flags, stderr)
  const stop = stopOnSignal(server, watch, () => {
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
