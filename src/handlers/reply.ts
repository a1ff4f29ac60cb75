/** An answer before it becomes a `Response`. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

const jsonHeaders = { 'content-type': 'application/json' }

/** A 200 with JSON that is already written. */
export function ok(json: string): Reply {
  return { status: 200, headers: jsonHeaders, body: json }
}

/** A JSON answer of any status. */
export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(value) }
}
