import { escapeHtml } from '../../../base/text.js'
import type { SchemaObject } from '../../../contract/openapi/document.js'
import { schemaList } from './docs-schema.js'

/** The parts of an OpenAPI document that the page shows. */
export interface ShownDocument {
  readonly info: { readonly title: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, SchemaObject>> }
}

interface ShownOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters: readonly ShownParameter[]
  readonly requestBody?: ShownBody
  readonly responses: Readonly<Record<string, ShownBody | { readonly $ref: string }>>
  readonly 'x-gaps'?: readonly ShownGap[]
}

interface ShownParameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: SchemaObject
}

interface ShownBody {
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema: SchemaObject }>>
}

interface ShownGap {
  readonly id: string
  readonly question: string
  readonly assumption?: string
}

/** Nothing is loaded and nothing runs: the page is text and its own style. */
export const docsPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The style of the page, and of the one that asks for a token. */
export const docsStyle = `
:root{color-scheme:light dark;--line:light-dark(#dde1e6,#2e3541);--quiet:light-dark(#565e69,#a4adba);--link:light-dark(#0a4fb3,#8ab8ff);--panel:light-dark(#f6f7f9,#1a1f27)}
body{margin:0 auto;max-width:64rem;padding:1rem;font:0.875rem/1.5 system-ui,sans-serif;background:light-dark(#fff,#12151a);color:light-dark(#16191d,#e8eaed);overflow-wrap:anywhere}
a{color:var(--link)}h1{font-size:1.5rem}h2{margin-top:2.5rem;font-size:1.25rem}h3{margin:1.5rem 0 .5rem;font-size:1rem}h4{margin:1rem 0 .25rem;font-size:.875rem}
code,pre{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.8125rem}pre{background:var(--panel);padding:.5rem;overflow-x:auto;white-space:pre-wrap}
details{border:1px solid var(--line);border-radius:6px;margin:.25rem 0;padding:.375rem .75rem}summary{cursor:pointer}ul{margin:.25rem 0;padding-left:1.25rem}
.quiet{color:var(--quiet)}.method{display:inline-block;min-width:4rem;font-weight:600}`

/** Returns a page of the service and of the control API: their operations, parameters, schemas and examples. */
export function docsPage(service: ShownDocument, control: ShownDocument, origin: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API of agent-mailbox-sim</title>` +
    `<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style>${docsStyle}</style></head><body>` +
    '<header><h1>API of agent-mailbox-sim</h1>' +
    '<p><a href="#service">Service</a> (<a href="openapi.json">openapi.json</a>) · ' +
    '<a href="#control">control API</a> (<a href="control.json">control.json</a>) · <a href="./">inspector</a></p></header>' +
    `<main>${part('service', service, origin)}${part('control', control, origin)}</main></body></html>\n`
  )
}

function part(id: string, { info, paths, components }: ShownDocument, origin: string): string {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const tags = new Set(all.flatMap(({ operation }) => operation.tags))
  const operations = [...tags].map((tag) => {
    const members = all.filter(({ operation }) => operation.tags.includes(tag))
    const shown = members.map(({ method, path, operation }) =>
      operationOf(id, `${method} ${path}`, operation, origin),
    )
    return `<h3>${escapeHtml(tag)}</h3>${shown.join('')}`
  })
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    return `<details id="${id}-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>${schemaList(id, schema)}</details>`
  })
  return (
    `<h2 id="${id}">${escapeHtml(info.title)}</h2><p>${textOf(info.description)}</p>` +
    `${operations.join('')}<h3>Schemas</h3>${schemas.join('')}`
  )
}

function operationOf(id: string, route: string, operation: ShownOperation, origin: string): string {
  const { operationId, summary, description = '', parameters, requestBody, responses } = operation
  const [method = '', path = ''] = route.split(' ')
  const body = requestBody ? `<h4>Body</h4>${bodyOf(id, requestBody)}` : ''
  const answers = Object.entries(responses).map(([status, answer]) => {
    const shown = '$ref' in answer ? 'An error.' : textOf(answer.description ?? '')
    return `<li><code>${escapeHtml(status)}</code> ${shown}${'$ref' in answer ? '' : bodyOf(id, answer)}</li>`
  })
  return (
    `<details id="${id}-${escapeHtml(operationId)}"><summary><code><span class="method">${escapeHtml(method)}</span>` +
    `${escapeHtml(path)}</code> <span class="quiet">${textOf(summary)}</span></summary>` +
    `<p>${textOf(description)}</p>${parametersOf(parameters)}${body}<h4>Responses</h4><ul>${answers.join('')}</ul>` +
    `${gapsOf(operation['x-gaps'])}<h4>Example</h4><pre>${escapeHtml(curl(method, path, operation, origin))}</pre></details>`
  )
}

function parametersOf(parameters: readonly ShownParameter[]): string {
  const shown = parameters.map(({ name, in: place, required, description = '', schema }) => {
    const type = [schema.type ?? 'any'].flat().join(' or ')
    const facts = `${type}, in the ${place}${required ? ', required' : ''}`
    return `<li><code>${escapeHtml(name)}</code> <span class="quiet">${escapeHtml(facts)}</span> ${textOf(description)}</li>`
  })
  return shown.length === 0 ? '' : `<h4>Parameters</h4><ul>${shown.join('')}</ul>`
}

function bodyOf(id: string, { content = {} }: ShownBody): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `<div><code>${escapeHtml(type)}</code>${schemaList(id, schema)}</div>`)
    .join('')
}

function gapsOf(gaps: readonly ShownGap[] = []): string {
  const shown = gaps.map(({ id, question, assumption = '' }) => {
    return `<li><code>${escapeHtml(id)}</code> ${textOf(question)} <code>${escapeHtml(assumption)}</code></li>`
  })
  return shown.length === 0 ? '' : `<h4>Left open, and the assumption in force</h4><ul>${shown.join('')}</ul>`
}

/** Returns a command that sends the operation; what a user must fill in has its name in braces. */
function curl(method: string, path: string, { requestBody }: ShownOperation, origin: string): string {
  const isControl = path.startsWith('/_sim/')
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${origin}${path.replaceAll("'", '%27')}'`,
    ...(isControl ? [] : [`-H 'Authorization: Bearer {api_key}'`]),
    ...(requestBody ? [`-H 'Content-Type: application/json'`, `-d '{body}'`] : []),
  ].join(' \\\n  ')
}

/** Returns a description as HTML: escaped, with what stands between backquotes as code. */
function textOf(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
