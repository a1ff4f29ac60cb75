import { directTo } from '../../base/proxies.js'
import type { RunningServer } from '../../doors/server/start-server.js'

/** The names of the placeholders in additional variables. */
export const placeholders = [
  ...(['base_url', 'api_key', 'mcp_url', 'control_url', 'control_token', 'state_dir'] as const),
] as const

/** The placeholder for the port at which an agent receives the deliveries to another port, such as `{port:8787}`. */
export const portPlaceholder = /\{port:(\d{1,5})\}/g

/** Additional variables for a client, by name; placeholders such as `{base_url}` are replaced. */
export type ClientVariables = Readonly<Record<string, string>>

/** A start of a client. */
export interface ClientStart {
  /** Which one it is, counted from 1. */
  readonly start: number
  /** A folder that lasts through all starts of a play. */
  readonly stateDir: string
  /** The base URL of the service for it, if that is not the server's first one. */
  readonly url: string
}

/**
 * Returns the environment variables that tell a client where the service, its tools and its control API are, and with which
 * credentials, under the simulator's names and the client's own. Those that do not apply are undefined.
 */
export function clientEnvironment(
  server: RunningServer,
  variables: ClientVariables = {},
  ports: ReadonlyMap<number, number> = new Map(),
  { start, stateDir, url = server.url }: Partial<ClientStart> = {},
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
    ...{ control_url: controlUrl, control_token: token ?? '', state_dir: stateDir ?? '' },
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
    ...(start !== undefined && { MAILBOX_START: String(start), MAILBOX_STATE_DIR: stateDir }),
    MAILBOX_SIM_URL: controlUrl,
    // Undefined also removes the token of another server.
    MAILBOX_SIM_TOKEN: token,
    ...Object.fromEntries(own),
  }
}
