import { signal } from '@preact/signals'
import type { Exchange } from '../service/world/exchange.js'
import { type DataSource, lineOf, type SentInfo, type ThreadQuery } from './data.js'

/** A request to the control API. */
export interface ControlRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below `/_sim`, e.g. `/messages`. */
  readonly path: string
  readonly body?: unknown
  /** A body that is not JSON, with its media type. */
  readonly raw?: { readonly type: string; readonly content: string | Blob }
}

/** The world that the page shows; null for the first world. */
export const selectedWorld = new URLSearchParams(location.search).get('world')

/** The control token, kept only in memory. */
export const controlToken = signal<string | null>(null)

/** Whether the server refuses the page's requests because a token is missing or wrong. */
export const tokenNeeded = signal(false)

/** Sends a request to the control API. @throws Error with the reason of a refusal; TypeError when the server is not reachable */
export async function sendControl<Result = unknown>(request: ControlRequest): Promise<Result> {
  const response = await fetchControl(request)
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as Result
}

/** Opens a stream of the selected world's events, starting now. @throws Error with the reason of a refusal */
export async function openEvents(ended: AbortSignal): Promise<ReadableStream<BufferSource>> {
  // Not with EventSource, which cannot send the control token.
  const { body } = await fetchControl({ method: 'GET', path: '/events' }, ended)
  return body as ReadableStream<BufferSource>
}

/** The path of the control API, which a proxy may serve below another path: that of the page. */
const controlPath = location.pathname.replace(/\/[^/]*$/, '')

/** The address of the server as the page knows it. */
export const serverUrl = `${location.origin}${controlPath.replace(/\/_sim$/, '')}`

async function fetchControl(
  { method, path, body, raw }: ControlRequest,
  ended: AbortSignal | null = null,
): Promise<Response> {
  const headers = new Headers()
  if (selectedWorld !== null) headers.set('x-sim-world', selectedWorld)
  if (controlToken.value !== null) headers.set('authorization', `Bearer ${controlToken.value}`)
  if (raw) headers.set('content-type', raw.type)
  else if (body !== undefined) headers.set('content-type', 'application/json')
  const content = raw?.content ?? (body === undefined ? null : JSON.stringify(body))
  const response = await fetch(`${controlPath}${path}`, { method, headers, body: content, signal: ended })
  if (response.ok) return response
  const { code, message } = await errorOf(response)
  if (response.status === 403 && code === 'forbidden') tokenNeeded.value = true
  throw new Error(message)
}

async function errorOf(response: Response): Promise<{ code: string; message: string }> {
  try {
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    return error
  } catch {
    return { code: 'unknown', message: `The server responded with status ${response.status}.` }
  }
}

const get = <Result>(path: string): Promise<Result> => sendControl<Result>({ method: 'GET', path })

/** Reads the data of the screens from the control API of the server that served the page. */
export const liveSource: DataSource = {
  live: true,
  world: () => get('/world'),
  agents: async () => (await get<{ identities: [] }>('/identities')).identities,
  threads: ({ agent, search, offset, limit }: ThreadQuery) => {
    const query = new URLSearchParams({ offset: String(offset), limit: String(limit) })
    if (agent !== '') query.set('agent', agent)
    if (search !== '') query.set('search', search)
    return get(`/threads?${query}`)
  },
  conversation: (id) => get(`/threads/${encodeURIComponent(id)}`),
  sent: async () => (await get<{ sent: SentInfo[] }>('/sent')).sent.reverse(),
  raw: async (id) => {
    const path = `/messages/${encodeURIComponent(id)}/raw`
    return (await fetchControl({ method: 'GET', path })).text()
  },
  attachment: async (id) => {
    const path = `/attachments/${encodeURIComponent(id)}`
    return (await fetchControl({ method: 'GET', path })).blob()
  },
  lines: async (after) => {
    const path = `/journal?bodies=false&since=${after}`
    return (await get<{ exchanges: Exchange[] }>(path)).exchanges.map(lineOf)
  },
  exchange: async (seq) => {
    const { exchanges } = await get<{ exchanges: Exchange[] }>(`/journal?since=${seq - 1}&limit=1`)
    return exchanges.find((exchange) => exchange.seq === seq)
  },
  repeat: (seq, assumptions) => {
    return sendControl({ method: 'POST', path: `/journal/${seq}/repeat`, body: { assumptions } })
  },
  deliveries: async () => (await get<{ deliveries: [] }>('/deliveries')).deliveries,
  subscriptions: async () => (await get<{ webhooks: [] }>('/webhooks')).webhooks,
  timeline: () => get('/timeline'),
  expectations: async () => (await get<{ expectations: [] }>('/expectations')).expectations,
  gaps: async () => (await get<{ gaps: [] }>('/assumptions')).gaps,
  reliances: async () => (await get<{ reliances: [] }>('/reliances')).reliances,
  faults: async () => (await get<{ faults: [] }>('/faults')).faults,
  changes: (exchange) => get(`/journal/changes${exchange === undefined ? '' : `?exchange=${exchange}`}`),
}
