import { createHash } from 'node:crypto'

/** Headers that say nothing beyond the body. */
const expected = (name: string, value: string): boolean =>
  ['content-length', 'date', 'user-agent'].includes(name) ||
  (name === 'content-type' && value === 'application/json')

/** Returns headers in one line, without those of every answer. */
export function shownHeaders(headers: Headers): string {
  const others = [...headers].filter(([name, value]) => !expected(name, value))
  return others.map(([name, value]) => `${name}: ${value}`).join('; ')
}

/** The longest body that the record has in full. */
const inFull = 130

/**
 * Returns an answer in one line: in full if it is short, or else a digest of its body with a summary, so that the record
 * stays small and a difference can still be understood.
 */
export async function shownAnswer(response: Response): Promise<string> {
  const headers = shownHeaders(response.headers)
  const words = [String(response.status), ...(headers && [`{${headers}}`]), shownBody(await response.text())]
  return words.join(' ')
}

/** Returns a body, or its digest and what is in it. */
export function shownBody(text: string): string {
  if (text.length <= inFull && !text.includes('\n')) return text
  return [digestOf(text), ...summaryOf(text)].join(', ')
}

/** Returns the first digits of the SHA-256 of a text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}

function summaryOf(text: string): string[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return ['not JSON']
  }
  if (typeof body !== 'object' || body === null) return []
  if ('id' in body) return [String(body.id)]
  const list = Object.entries(body).find(([, value]) => Array.isArray(value))
  if (!list || !('total' in body)) return []
  const [name, items] = list as [string, { readonly id?: unknown }[]]
  const ends = new Set([items[0]?.id, items.at(-1)?.id])
  return [
    `${items.length} ${name} ${[...ends].join('..')}`,
    ...('total' in body ? [`total ${body.total}`] : []),
  ]
}
