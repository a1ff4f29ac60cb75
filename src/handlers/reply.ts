import { Content, type ListName, listContent } from './content.js'

/** An answer before it becomes a `Response`. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: Content | null
}

const jsonHeaders = { 'content-type': 'application/json' }

/** Whether two answers are the same to a client: status, headers and every byte. */
export function sameReply(a: Reply, b: Reply): boolean {
  if (a.status !== b.status || !sameContent(a.content, b.content)) return false
  const fields = Object.entries(a.headers)
  const count = Object.keys(b.headers).length
  return fields.length === count && fields.every(([name, value]) => b.headers[name] === value)
}

function sameContent(a: Content | null, b: Content | null): boolean {
  return a === null || b === null ? a === b : a.equals(b)
}

/** A 200 with a resource that is JSON already. */
export function resourceReply(json: Uint8Array): Reply {
  return { status: 200, headers: jsonHeaders, content: new Content([json]) }
}

/** A 200 with one page of a list, whose rows are JSON already. */
export function listReply(name: ListName, rows: readonly Uint8Array[], total: number): Reply {
  return { status: 200, headers: jsonHeaders, content: listContent(name, rows, total) }
}

/** A JSON answer of any status. */
export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const content = new Content([JSON.stringify(value)])
  return { status, headers: { ...jsonHeaders, ...headers }, content }
}

/** Whether what a client gets is a reply. Not by `instanceof`: a process that has no `Response` yet need not load it. */
export function isReply(served: Reply | Response): served is Reply {
  return 'content' in served
}

/** What a reply is on its way: its status, all its headers and its bytes. */
export interface SentReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null where there is no body. */
  readonly bytes: Uint8Array<ArrayBuffer> | null
}

/** A reply as it is sent, with its length. */
export function sentReply({ status, headers, content }: Reply): SentReply {
  if (content === null) return { status, headers, bytes: null }
  const bytes = content.bytes()
  return { status, headers: { ...headers, 'content-length': String(bytes.length) }, bytes }
}
