import type { AnsweredRequest } from '../world/index.js'

/** An exchange in a line, for people: `GET /api/v1/mail/threads?agent=support 200`. */
export function formatExchange({ method, path, query, status, fault }: AnsweredRequest): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  )
  const disturbed = fault === null ? '' : `, disturbed by ${fault.id}`
  return `${method} ${path}${search.size === 0 ? '' : `?${search}`} ${status}${disturbed}`
}
