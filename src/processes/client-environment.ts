import type { RunningServer } from '../server/index.js'

/** Further variables of a client, by name; `{base_url}`, `{api_key}` and `{control_url}` in them are filled in. */
export type ClientVariables = Readonly<Record<string, string>>

/** Returns what tells a client where the service is, under our names and under those that it has itself. */
export function clientEnvironment(
  { url, controlUrl, simulator }: RunningServer,
  variables: ClientVariables = {},
): Record<string, string> {
  const values: Readonly<Record<string, string>> = {
    base_url: url,
    api_key: simulator.apiKey,
    control_url: controlUrl,
  }
  const own = Object.entries(variables).map(([name, text]) => {
    return [
      name,
      text.replace(/\{(base_url|api_key|control_url)\}/g, (_, key: string) => values[key] as string),
    ]
  })
  return {
    MAILBOX_BASE_URL: url,
    MAILBOX_API_KEY: simulator.apiKey,
    MAILBOX_SIM_URL: controlUrl,
    ...Object.fromEntries(own),
  }
}
