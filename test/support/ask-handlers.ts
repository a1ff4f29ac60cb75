import { getResponse } from 'msw'
import type { Simulator } from '../../src/doors/simulator/simulator.js'

/** Sends a request with a JSON body to the handlers of a simulator; returns the status and the parsed answer. */
export async function askHandlers(
  { handlers, apiKey }: Pick<Simulator, 'handlers' | 'apiKey'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the body it reads.
): Promise<{ status: number; body: any }> {
  const request = new Request(`http://mailbox.test/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const response = await getResponse([...handlers], request)
  if (!response) throw new Error(`No handler responds to ${method} ${path}.`)
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
