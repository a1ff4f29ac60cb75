import { mask } from '../masking/secret-names.js'
import type { HarPair } from './format.js'

/** What the simulator speaks; in the process of its client, no other version would be any truer. */
export const httpVersion = 'HTTP/1.1'

/** Headers as an archive lists them. */
export function pairsOf(headers: Readonly<Record<string, string>>): HarPair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

/** The cookies of a header, by name: what they carry is nobody's business. */
export function cookiesOf(header: string | null | undefined): HarPair[] {
  if (!header) return []
  const names = header.split(';').map((cookie) => cookie.split('=', 1)[0]?.trim() ?? '')
  return names.filter((name) => name !== '').map((name) => ({ name, value: mask }))
}
