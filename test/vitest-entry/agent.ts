import type { Simulator } from 'agent-mailbox-sim'

/** A page of threads, as a client reads it. */
export interface ThreadPage {
  readonly threads: readonly { readonly id: string; readonly subject: string }[]
  readonly total: number
}

/** Lists the threads of the support agent like code under test. */
export function requestThreads(baseUrl: string, apiKey: string, query = 'agent=support'): Promise<Response> {
  const headers = { authorization: `Bearer ${apiKey}` }
  return fetch(`${baseUrl}/api/v1/mail/threads?${query}`, { headers })
}

/** Lists the threads of the support agent. */
export async function listThreads({ baseUrl, apiKey }: Simulator, query?: string): Promise<ThreadPage> {
  const answer = await requestThreads(baseUrl, apiKey, query)
  return (await answer.json()) as ThreadPage
}
