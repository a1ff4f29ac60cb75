import type { Exchange } from '../world/index.js'
import { send } from './control-api.js'
import type { WorldKey } from './data.js'
import { layOut } from './parts.js'

/** The answers of a copy of the world to one request under two readings. */
export interface ComparedAnswers {
  /** Whether the answer under the current reading still equals the recorded one. */
  readonly asRecorded: boolean
  readonly current: string
  readonly other: string
}

/**
 * Sends a request to copies of the world under two readings of a gap. Each copy has a frozen clock and is deleted
 * afterwards; the world itself, its journal and its reliances do not change.
 * @throws ControlApiError when the world cannot be copied
 */
export async function answerUnder(
  exchange: Exchange,
  gap: string,
  reading: string,
  other: string,
): Promise<ComparedAnswers> {
  const current = await answerOfCopy(exchange, gap, reading)
  const changed = await answerOfCopy(exchange, gap, other)
  const recorded = `${exchange.status}\n${layOut(exchange.response.body ?? '')}`
  return { asRecorded: current === recorded, current, other: changed }
}

async function answerOfCopy(exchange: Exchange, gap: string, reading: string): Promise<string> {
  const snapshot = await send({ method: 'GET', path: '/snapshot' })
  const copy = await send<WorldKey>({ method: 'POST', path: '/worlds', body: { clock: 'frozen' } })
  try {
    await send({ method: 'PUT', path: '/snapshot', body: snapshot }, copy.id)
    await send({ method: 'PATCH', path: '/readings', body: { [gap]: reading } }, copy.id)
    return await repeat(exchange, copy.api_key)
  } finally {
    await send({ method: 'DELETE', path: `/worlds/${copy.id}` })
  }
}

async function repeat({ method, path, query, request }: Exchange, key: string): Promise<string> {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) search.append(name, one)
  const headers = new Headers()
  if (request.headers['authorization'] !== undefined) headers.set('authorization', `Bearer ${key}`)
  const type = request.headers['content-type']
  if (type !== undefined) headers.set('content-type', type)
  const address = `${path}${search.size > 0 ? `?${search}` : ''}`
  const response = await fetch(address, { method, headers, body: request.body })
  return `${response.status}\n${layOut(await response.text())}`
}
