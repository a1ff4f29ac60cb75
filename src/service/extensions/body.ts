import { toBase64 } from '../../mail/transfer-encoding.js'
import { readBytes, readJsonBody } from '../operations/json-body.js'
import type { OperationContext } from '../operations/operation.js'
import { reject } from '../operations/request-error.js'

/** Reads the body of a request, JSON or a form; undefined when there is no body. @throws RequestError */
export function readBody(context: OperationContext): ReturnType<typeof readJsonBody> {
  const type = context.request.headers.get('content-type') ?? ''
  return /^multipart\/form-data *;/i.test(type) ? readForm(context, type) : readJsonBody(context)
}

/**
 * Reads a form as the equivalent JSON object: repeated fields are lists, `name[key]` is a key of an object,
 * and a file is its name, type and content in base64.
 * @see RFC 7578
 */
async function readForm(context: OperationContext, type: string): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readBytes(context)
  const body = new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } })
  const form = await body.formData().catch(() => reject('The body is not valid multipart/form-data.'))
  const lists = new Map<string, unknown[]>()
  const objects = new Map<string, [string, unknown][]>()
  for (const [part, value] of form) {
    const content = typeof value === 'string' ? value : await fileOf(value)
    const [, name = part, key = ''] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(part) ?? []
    if (/^\d*$/.test(key)) addTo(lists, name, content)
    else addTo(objects, name, [key, content])
  }
  return Object.fromEntries([
    ...[...lists].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
    ...[...objects].map(([name, entries]) => [name, Object.fromEntries(entries)]),
  ])
}

function addTo<Value>(all: Map<string, Value[]>, name: string, value: Value): void {
  const before = all.get(name)
  if (before) before.push(value)
  else all.set(name, [value])
}

async function fileOf(file: File): Promise<object> {
  const content = toBase64(new Uint8Array(await file.arrayBuffer()))
  return { filename: file.name, content_type: file.type || 'application/octet-stream', content }
}
