import { Content, contentOf, listContent } from './content.js'

/** An answer before it becomes a `Response`. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: Content | null
}

const jsonHeaders = { 'content-type': 'application/json' }

/** A 200 with a resource that is JSON already. */
export function resourceReply(json: Uint8Array): Reply {
  return { status: 200, headers: jsonHeaders, content: new Content([json]) }
}

/** A 200 with one page of a list, whose rows are JSON already. */
export function listReply(name: string, rows: readonly Uint8Array[], total: number): Reply {
  return { status: 200, headers: jsonHeaders, content: listContent(name, rows, total) }
}

/** A JSON answer of any status. */
export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const content = contentOf(JSON.stringify(value))
  return { status, headers: { ...jsonHeaders, ...headers }, content }
}
