import { once } from '../../base/once.js'
import { z } from '../../base/schema.js'
import { authTokenSchema, eventTypes, webhookUrlSchema } from '../../contract/resources.js'
import { authenticationSchema } from './authentication.js'

/**
 * One schema for each kind of row. The row's type, the order of its fields, the validation of snapshots and
 * the fields of commands follow from it. Rows only contain facts; how responses present them depends on
 * assumptions. Instants are in milliseconds since the epoch.
 */
export const rowSchemas = {
  /** Owns identities, webhooks and API keys. */
  organization: once(() =>
    z.strictObject({
      id: id('organization'),
      name: z.string(),
      api_keys: z.array(z.string().regex(/^\S+$/, 'expected a key without spaces')),
      ordinal: ordinal(),
    }),
  ),

  /** @see interface 2.1 */
  identity: once(() =>
    z.strictObject({
      id: id('identity'),
      organization_id: id('organization'),
      agent_handle: handleSchema('expected a handle of 1 to 64 letters, digits, "_", "." or "-"'),
      display_name: z.string().nullable(),
      description: z.string().nullable(),
      mailbox_address: z.string().min(1),
      created_at: instant(),
      updated_at: instant(),
      ordinal: ordinal(),
    }),
  ),

  /** @see interface 2.2 */
  thread: once(() =>
    z.strictObject({
      id: id('thread'),
      organization_id: id('organization'),
      identity_id: id('identity'),
      subject: z.string(),
      /** Whether mail was received, or the thread was marked as unread, since it was last marked as read. */
      unread: z.boolean(),
      /** Whether the agent has written since the thread became unread. */
      answered: z.boolean(),
      message_count: count(),
      first_message_id: id('message').nullable(),
      last_message_id: id('message').nullable(),
      last_message_at: instant(),
      created_at: instant(),
      ordinal: ordinal(),
    }),
  ),

  /** @see interface 2.3 */
  message: once(() =>
    z.strictObject({
      id: id('message'),
      organization_id: id('organization'),
      identity_id: id('identity'),
      thread_id: id('thread'),
      direction: z.enum(['inbound', 'outbound']),
      from: z.string(),
      to: z.array(z.string()),
      subject: z.string(),
      text: z.string().nullable(),
      html: z.string().nullable(),
      /** The key of a generated body, which is created when it is first read; `text` and `html` are then null. */
      body_key: z.string().nullable(),
      attachment_ids: z.array(id('attachment')),
      /** The RFC 5322 Message-ID with which it was received; null if it is made from the id. */
      message_id: z.string().nullable(),
      /** The id of a message, or an RFC 5322 Message-ID. */
      in_reply_to: z.string().nullable(),
      /**
       * The RFC 5322 header fields with which it was received; null if they are derived from the other
       * fields.
       */
      headers: z.array(z.tuple([z.string(), z.string()])).nullable(),
      /**
       * Header fields in addition to, or instead of, those derived from the other fields; absent if there are
       * none.
       */
      further_headers: z.array(z.tuple([z.string(), z.string()])).optional(),
      /**
       * What the receiving server found about its sender; if absent, what fits the sender, or nothing for a message with
       * `headers`, which are then complete.
       */
      authentication: authenticationSchema().optional(),
      /** The bytes with which it was received, as base64; absent if it is composed from the other fields. */
      raw: base64().optional(),
      created_at: instant(),
      ordinal: ordinal(),
    }),
  ),

  /** A stored file. */
  attachment: once(() =>
    z.strictObject({
      id: id('attachment'),
      message_id: id('message'),
      filename: z.string(),
      content_type: z.string(),
      size_bytes: count(),
      /** The content id (RFC 2392) of an inline part, without angle brackets. */
      content_id: z.string().nullable(),
      content: base64(),
      ordinal: ordinal(),
    }),
  ),

  /** @see interface 2.4 */
  webhook: once(() =>
    z.strictObject({
      id: id('webhook'),
      organization_id: id('organization'),
      url: webhookUrlSchema(),
      events: z.array(z.enum(eventTypes)).min(1),
      agent_handle: z.string().nullable(),
      auth_token: authTokenSchema().nullable(),
      created_at: instant(),
      updated_at: instant(),
      ordinal: ordinal(),
    }),
  ),

  /** What extensions keep under a key of an organization. */
  value: once(() =>
    z.strictObject({
      id: id('value'),
      organization_id: id('organization'),
      key: z.string(),
      /** The value as JSON text, so that nobody can change it in place. */
      json: z.string(),
      created_at: instant(),
      updated_at: instant(),
      ordinal: ordinal(),
    }),
  ),
}

/** The handles that the simulator accepts; the interface does not define a rule. @see interface 2.1 */
export const handlePattern = /^[A-Za-z0-9_.-]{1,64}$/

/** Creates the schema of a handle; `problem` explains a malformed one. */
export function handleSchema(problem = 'a handle has 1 to 64 letters, digits, "_", "." or "-"') {
  const error = 'a handle cannot be "." or "..", which clients remove from the path of a URL'
  return z
    .string()
    .regex(handlePattern, problem)
    .refine((handle) => !/^\.{1,2}$/.test(handle), { error })
}

/** The prefix of ids, by kind. @see interface 2 */
export const idPrefixes = {
  organization: 'org',
  identity: 'ident',
  thread: 'thrd',
  message: 'msg',
  attachment: 'att',
  webhook: 'whk',
  value: 'val',
  event: 'evt',
  delivery: 'dlv',
} as const

/** A kind of object with an id. */
export type IdKind = keyof typeof idPrefixes

/** Returns the schema of a primary key: the prefix of its kind and an opaque string. */
function id(kind: IdKind) {
  const prefix = idPrefixes[kind]
  return z.string().regex(new RegExp(`^${prefix}_\\S+$`), `expected an id such as ${prefix}_4kz0`)
}

/** The position of a row in the order of creation within its model; breaks ties in every list. */
const ordinal = () => count()

const count = () => z.int().min(0)

/** The largest distance from the epoch that a `Date` can represent, in milliseconds. */
const maxTimestamp = 8_640_000_000_000_000

function instant() {
  const message = 'expected an instant, in milliseconds since the epoch'
  return z.int().min(-maxTimestamp, message).max(maxTimestamp, message)
}

// Not `z.base64()` itself: its JSON Schema declares a format that few validators support.
function base64() {
  const schema = z.base64()
  return z
    .string()
    .refine((content) => schema.safeParse(content).success, { error: 'expected a file in base64' })
    .meta({ contentEncoding: 'base64' })
}

type Schemas = typeof rowSchemas

/** The name of a model. */
export type ModelName = keyof Schemas

/** The names of all models. */
export const modelNames = Object.keys(rowSchemas) as readonly ModelName[]

type Unchanging<T> = T extends readonly unknown[] ? { readonly [K in keyof T]: Unchanging<T[K]> } : T

type RowOf<M extends ModelName> = {
  readonly [Field in keyof z.output<ReturnType<Schemas[M]>>]: Unchanging<
    z.output<ReturnType<Schemas[M]>>[Field]
  >
}

/** The row types by model. */
export type Rows = { [M in ModelName]: RowOf<M> }

export type OrganizationRow = Rows['organization']
export type IdentityRow = Rows['identity']
export type ThreadRow = Rows['thread']
export type MessageRow = Rows['message']
export type AttachmentRow = Rows['attachment']
export type WebhookRow = Rows['webhook']
export type ValueRow = Rows['value']

/** Whether the agent received or sent a message. */
export type Direction = MessageRow['direction']

/** An RFC 5322 header field: name and value. */
export type HeaderField = readonly [name: string, value: string]

/** A row without its ordinal. */
export type Unplaced<Row> = Omit<Row, 'ordinal'>

/** The fields of a thread that are derived from its messages. */
export type ThreadFacts = Pick<
  ThreadRow,
  'unread' | 'answered' | 'message_count' | 'first_message_id' | 'last_message_id' | 'last_message_at'
>

/** Returns the facts of a thread without messages. */
export function factsOfEmptyThread(createdAt: number): ThreadFacts {
  return {
    unread: false,
    answered: false,
    message_count: 0,
    first_message_id: null,
    last_message_id: null,
    last_message_at: createdAt,
  }
}

/**
 * Returns the facts of a thread after one more message; nothing else changes a thread when a message is added. Inbound
 * mail makes the thread unread. Mail that is older than the latest message does not change `last_message_at`.
 */
export function factsWithMessage(
  facts: ThreadFacts,
  message: Pick<MessageRow, 'id' | 'direction' | 'created_at'>,
): ThreadFacts {
  const inbound = message.direction === 'inbound'
  const latest = facts.last_message_id === null || message.created_at >= facts.last_message_at
  return {
    unread: facts.unread || inbound,
    answered: !inbound,
    message_count: facts.message_count + 1,
    first_message_id: facts.first_message_id ?? message.id,
    last_message_id: latest ? message.id : facts.last_message_id,
    last_message_at: latest ? message.created_at : facts.last_message_at,
  }
}

/** Returns the facts of a thread after it was marked as read or unread. */
export function factsMarked(facts: ThreadFacts, unread: boolean): ThreadFacts {
  return { ...facts, unread, answered: false }
}

/** Returns how many characters the texts in a row, or in other plain data, have. */
export function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let length = 0
  for (const part of Object.values(value)) length += textLength(part)
  return length
}
