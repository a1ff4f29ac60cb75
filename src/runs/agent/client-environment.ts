import { directTo } from '../../base/proxies.js'
import type { RunningServer } from '../../doors/server/start-server.js'

/** The names of the placeholders in additional variables. */
export const placeholders = [
  'base_url',
  'api_key',
  'mcp_url',
  'control_url',
  'control_token',
  'state_dir',
] as const

/** The placeholder for the port at which an agent receives the deliveries to another port, such as `{port:8787}`. */
export const portPlaceholder = /\{port:(\d{1,5})\}/g

/** Additional variables for a client, by name; placeholders such as `{base_url}` are replaced. */
export type ClientVariables = Readonly<Record<string, string>>

/** Where a client finds the service, and what it keeps between its starts. */
export interface ClientPlace {
  readonly server: RunningServer
  /** The base URL of the service for this client. */
  readonly url: string
  /** The ports that receive deliveries instead of those in their URLs, by the latter. */
  readonly ports: ReadonlyMap<number, number>
  /** A folder that lasts through all starts of a play. */
  readonly stateDir: string
}

/**
 * Returns the environment variables that tell a client where the service, its tools and its control API are, and with which
 * credentials, under the simulator's names and the client's own; `start` says which start it is, from 1. Those that do not apply
 * are undefined.
 */
export function clientEnvironment(
  { server, url, ports, stateDir }: ClientPlace,
  start: number,
  variables: ClientVariables = {},
): Record<string, string | undefined> {
  const { controlToken, agentAccess, simulator } = server
  const [mcpUrl, controlUrl] = [server.mcpUrl, server.controlUrl].map((one) =>
    one.replace(server.url, url),
  ) as [string, string]
  const { apiKey } = simulator
  // Where no token is needed, a program without one may do what an agent may.
  const token = controlToken === undefined ? undefined : (agentAccess?.token ?? controlToken)
  const values: Readonly<Record<(typeof placeholders)[number], string>> = {
    ...{ base_url: url, api_key: apiKey, mcp_url: mcpUrl },
    ...{ control_url: controlUrl, control_token: token ?? '', state_dir: stateDir },
  }
  const own = Object.entries(variables).map(([name, text]) => {
    const filled = placeholders.reduce(
      (before, one) => before.replaceAll(`{${one}}`, () => values[one]),
      text,
    )
    return [name, filled.replace(portPlaceholder, (_, port) => String(ports.get(Number(port)) ?? port))]
  })
  const hosts = ['localhost', '127.0.0.1', '::1', new URL(url).hostname]
  return {
    ...directTo(hosts, { ...process.env, ...variables }),
    MAILBOX_BASE_URL: url,
    MAILBOX_API_KEY: apiKey,
    MAILBOX_MCP_URL: mcpUrl,
    MAILBOX_AGENT: simulator.identities.list()[0]?.agent_handle,
    MAILBOX_TASK: simulator.task,
    MAILBOX_START: String(start),
    MAILBOX_STATE_DIR: stateDir,
    MAILBOX_SIM_URL: controlUrl,
    // Undefined also removes the token of another server.
    MAILBOX_SIM_TOKEN: token,
    ...Object.fromEntries(own),
  }
}
