import { z } from '../src/base/schema.js'
import { type GapId, gapIds, gaps } from '../src/contract/gaps.js'
import { type DocumentedOperation, type OperationName, operations } from '../src/contract/operations.js'
import {
  eventTypes,
  identitySchema,
  messageSchema,
  threadSchema,
  webhookSchema,
} from '../src/contract/resources.js'

/** The heading of each part of the interface on the page. */
const titles: Readonly<Record<string, string>> = {
  1: 'The base address',
  2: 'Resources',
  2.1: 'Agent identity',
  2.2: 'Thread',
  2.3: 'Message',
  2.4: 'Webhook subscription',
  3: 'States',
  4: 'Operations',
  4.1: 'Get an agent identity',
  4.2: 'Update an agent identity',
  4.3: 'List threads',
  4.4: 'List messages',
  4.5: 'List webhooks',
  5: 'Authentication',
  6: 'Events',
  7: 'Errors',
  8: 'Limits',
}

/** What is true of each operation beyond its parameters, and a request to try it with. */
const notes: { readonly [Name in OperationName]: readonly [about: string, request: string] } = {
  'identities.get': ['Returns one agent identity.', 'http://127.0.0.1:4280/api/v1/identities/support'],
  'identities.update': [
    'Changes the given fields and returns the whole identity, with `updated_at` set to the time of the update. All other\nfields stay as they are.',
    `-X PATCH -H 'Content-Type: application/json' -d '{"display_name": "Support"}' http://127.0.0.1:4280/api/v1/identities/support`,
  ],
  'threads.list': [
    'Returns the threads of an agent or a mailbox.',
    `'http://127.0.0.1:4280/api/v1/mail/threads?agent=support&limit=5'`,
  ],
  'messages.list': [
    'Returns messages with their bodies. The interface says that they carry the full RFC header fields, but not where.',
    `'http://127.0.0.1:4280/api/v1/mail/messages?agent=support&limit=5'`,
  ],
  'webhooks.list': [
    "Returns all webhook subscriptions of the caller's organization.",
    'http://127.0.0.1:4280/api/v1/webhooks',
  ],
}

const resources: readonly (readonly [part: string, z.ZodType])[] = [
  ['2.1', identitySchema()],
  ['2.2', threadSchema()],
  ['2.3', messageSchema()],
  ['2.4', webhookSchema()],
]

/** Returns a link from a page of `docs` to the section about a part of the interface, e.g. `4.3`. */
export function linkToPart(part: string): string {
  const title = titles[part] ?? part
  return `[${title}](service.md#${title.toLowerCase().replaceAll(' ', '-')})`
}

/** Formats the documented interface as a page of Markdown. */
export function formatServiceDocument(): string {
  return `${[
    introduction,
    section('1', '##', baseAddress),
    section('5', '##', authentication),
    section('4', '##', `| operation | request |\n|---|---|\n${operationRows().join('\n')}`),
    ...Object.entries(operations).map(([name, one]) => formatOperation(name as OperationName, one)),
    `## ${titles[2]}`,
    ...resources.map(([part, schema]) => section(part, '###', formatResource(schema))),
    section('3', '##', states),
    section('6', '##', events()),
    section(
      '7',
      '##',
      'The interface documents only responses with status 200. It does not document error statuses, bodies or codes.',
    ),
    section(
      '8',
      '##',
      `| operation | limit |\n|---|---|\n${limitRows().join('\n')}\n\nThe interface does not document rate limits, quotas or size limits.`,
    ),
    versions,
  ].join('\n\n')}\n`
}

const introduction = `<!-- Generated from src/contract. To update it: npx vitest run test/service-document.test.ts -u -->

# The simulated service

This page is the documented interface of the agent mailbox service: everything that a client may rely on. Agents have identities,
each with a handle and a mailbox. Email is stored as messages, grouped into threads. Webhook subscriptions belong to an
organization. The service has five operations.

What the interface leaves open is a *gap*. Each section lists its gaps; [gaps.md](gaps.md) has the possible answers to each, with
advice, and [glossary.md](glossary.md) explains the words. A request that is not on this page is not documented: the service may
have it, and [\`--extend\`](extensions.md) adds it to the simulator.`

const baseAddress = `All requests and responses are JSON. All paths begin with \`/api/v1\` below the base address. In the simulator, that is
\`http://127.0.0.1:4280\` for \`npx agent-mailbox-sim\`, and \`mailbox.baseUrl\` in tests.`

const authentication = `Requests for identities, threads and messages carry \`Authorization: Bearer <API key>\`. The interface does not document how keys are
issued, scoped or revoked. The key of the scenarios that ship is \`test-key\`; in tests it is \`mailbox.apiKey\`.`

const states = `A thread is \`unread\` or not. The interface documents no other state, and no transition.`

const versions = `## Versions

The version is part of the path, \`/api/v1\`. The interface does not document how versions are deprecated.`

/** Returns the section about a part of the interface, with the gaps that it leaves open. */
function section(part: string, level: string, text: string): string {
  const open = gapIds.filter((id) => gaps[id].parts.includes(part))
  const list = open.map((id) => `- [\`${id}\`](gaps.md#${anchorOf(id)}): ${gaps[id].question}`)
  const left = list.length === 0 ? [] : [`Left open:\n\n${list.join('\n')}`]
  return [`${level} ${titles[part]}`, text, ...left].join('\n\n')
}

function anchorOf(id: GapId): string {
  return id.replaceAll('.', '')
}

function operationRows(): string[] {
  return Object.entries(operations).map(([name, { part, method, path }]) => {
    const title = titles[part] as string
    return `| [\`${name}\`](#${title.toLowerCase().replaceAll(' ', '-')}) | \`${method} ${path}\` |`
  })
}

function formatOperation(name: OperationName, operation: DocumentedOperation): string {
  const { part, method, path, response, unnamedQuery = [] } = operation
  const [about, request] = notes[name]
  const parameters = parameterRows(operation)
  const parts = [
    `\`${method} ${path}\` (\`${name}\`)\n\n${about}`,
    ...(parameters.length === 0
      ? []
      : [`| parameter | in | type | default | meaning |\n|---|---|---|---|---|\n${parameters.join('\n')}`]),
    ...(unnamedQuery.length === 0
      ? []
      : [
          `Two optional parameters of the query filter the list, by agent handle and by event type. The interface does not document their names.`,
        ]),
    `Response: 200 with ${contentOf(response())}.`,
    `\`\`\`sh\ncurl -H 'Authorization: Bearer test-key' ${request}\n\`\`\``,
  ]
  return section(part, '###', parts.join('\n\n'))
}

function parameterRows({ inPath, query, body }: DocumentedOperation): string[] {
  const fields = body ? Object.entries(jsonSchemaOf(body()).properties ?? {}) : []
  return [
    ...Object.entries(inPath).map(([name, meaning]) =>
      row([code(name), 'path', 'string', 'required', meaning]),
    ),
    ...Object.entries(query).map(([name, { type, default: value, minimum, maximum, meaning }]) => {
      const range = minimum === undefined ? '' : `, ${minimum} to ${maximum}`
      return row([
        code(name),
        'query',
        type,
        value === undefined ? '' : code(String(value)),
        `${meaning}${range}`,
      ])
    }),
    ...fields.map(([name, field]) => row([code(name), 'body', typeOf(field), '', field.description ?? ''])),
  ]
}

/** Describes the content of a response: a resource, or a list of them and their total. */
function contentOf(schema: z.ZodType): string {
  const partOf = (resource: unknown) => resources.find(([, one]) => one === resource)?.[0]
  const whole = partOf(schema)
  if (whole !== undefined) return `an ${linkHere(whole)}`
  const [[list = '', { element = undefined } = {}] = []] = Object.entries(
    (schema as z.ZodObject<Record<string, z.ZodArray>>).shape,
  )
  const link = linkHere(partOf(element) ?? '').replace(']', 's]')
  return `\`${list}\`, an array of ${link}, and \`total\`, an integer`
}

/** Returns a link to a section of the page itself, within a sentence. */
function linkHere(part: string): string {
  return linkToPart(part).replace('service.md', '').toLowerCase()
}

type JsonSchema = z.core.JSONSchema.JSONSchema

function jsonSchemaOf(schema: z.ZodType): { properties?: Record<string, JsonSchema> } {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, JsonSchema>
  }
}

function formatResource(schema: z.ZodType): string {
  const rows = Object.entries(jsonSchemaOf(schema).properties ?? {}).map(([name, field]) =>
    row([code(name), typeOf(field), formatMeaning(field.description ?? '')]),
  )
  return `| field | type | meaning |\n|---|---|---|\n${rows.join('\n')}`
}

/** Marks the code in a description, and links the gaps that it names. */
function formatMeaning(text: string): string {
  return text
    .replace(/[A-Z_]+ <[A-Z]+>|\b[a-z]+(_[a-z]+)*_(?=\s)|\b[a-z]+(_[a-z]+)+\b/g, '`$&`')
    .replace(/(?<=the gap )[a-z]+\.[a-z-]+/g, (id) => `[\`${id}\`](gaps.md#${anchorOf(id as GapId)})`)
}

/** Describes a type in a word or two; what an assumption adds, such as null, is left to the gaps. */
function typeOf({ type, anyOf = [], items }: JsonSchema): string {
  const options = anyOf.filter(
    (one): one is JsonSchema => (one as JsonSchema).type !== 'null',
  ) as JsonSchema[]
  if (type === undefined) return [...new Set(options.map(typeOf))].join(' or ')
  // The types of nullable fields are lists.
  if (type !== 'array')
    return [type]
      .flat()
      .filter((name) => name !== 'null')
      .join(' or ')
  const inner = typeOf(items as JsonSchema)
  return `array of ${inner}s`
}

function events(): string {
  return `Webhook subscriptions list the types of events in \`events\`. Three types are documented:
${eventTypes.map(code).join(', ')}. A subscription may be scoped to one agent handle, and may carry
an \`auth_token\`. The interface does not document which action causes which event, nor what a delivery looks like. [webhooks.md](webhooks.md) describes what the simulator sends.`
}

function limitRows(): string[] {
  return Object.values(operations).flatMap(({ part, query }: DocumentedOperation) =>
    Object.entries(query).flatMap(([name, { default: value, minimum, maximum }]) => {
      if (value === undefined) return []
      const range = minimum === undefined ? '' : ` from ${minimum} to ${maximum},`
      return [
        row([
          linkHere(part).replace(/^\[./, (start) => start.toUpperCase()),
          `\`${name}\`${range} default ${value}`,
        ]),
      ]
    }),
  )
}

function code(text: string): string {
  return `\`${text}\``
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')
}
