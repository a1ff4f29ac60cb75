import type { Effect } from '../answer.js'
import type { Fault } from '../fault.js'

/** JSON whose last character is missing: whole as far as HTTP goes, and no JSON. */
export const malformBody: Effect<Fault> = ({ malformed }, answer) => {
  if (!malformed) return answer
  const bytes = answer.bytes ?? new Uint8Array()
  return { ...answer, bytes: bytes.length > 1 ? bytes.slice(0, -1) : new TextEncoder().encode('{') }
}
