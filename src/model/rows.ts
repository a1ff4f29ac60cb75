import { once } from '../contract/once.js'
import { authTokenSchema, eventTypes, webhookUrlSchema } from '../contract/resources.js'
import { z } from '../contract/schema.js'

/**
 * One schema for each kind of row: its type, its fields in their order, the check of snapshots and the fields of
 * commands follow from it. Rows hold facts only: how they look in answers is the business of readings. Instants are
 * milliseconds since the epoch.
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
      agent_handle: z
        .string()
        .regex(handlePattern, 'expected a handle of 1 to 64 letters, digits, "_", "." or "-"'),
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
      /** Mail has come in, or the thread was marked unread, since it was last marked read. */
      unread: z.boolean(),
      /** The agent wrote after whatever made the thread unread. */
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
      /** Names a body that is made when it is first read; then `text` and `html` are null. */
      body_key: z.string().nullable(),
      attachment_ids: z.array(id('attachment')),
      /** The RFC 5322 Message-ID it came with; null when it has the one made from its id. */
      message_id: z.string().nullable(),
      /** The id of a message, or an RFC 5322 Message-ID. */
      in_reply_to: z.string().nullable(),
      /** The RFC 5322 header fields it came with; null when they follow from the other fields. */
      headers: z.array(z.tuple([z.string(), z.string()])).nullable(),
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
      /** RFC 2392 content id without angle brackets, of inline parts. */
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
}

/** Handles the simulator gives out; the interface does not show the rules. @see interface 2.1 */
export const handlePattern = /^[A-Za-z0-9_.-]{1,64}$/

/** The beginning of an id, by what has it. @see interface 2 */
export const idPrefixes = {
  organization: 'org',
  identity: 'ident',
  thread: 'thrd',
  message: 'msg',
  attachment: 'att',
  webhook: 'whk',
  event: 'evt',
  delivery: 'dlv',
} as const

/** What has an id. */
export type IdKind = keyof typeof idPrefixes

/** The primary key: the prefix of its kind and an opaque string. */
function id(kind: IdKind) {
  const prefix = idPrefixes[kind]
  return z.string().regex(new RegExp(`^${prefix}_\\S+$`), `expected an id such as ${prefix}_4kz0`)
}

/** The position in the order of creation among the rows of a model; breaks ties in every list. */
const ordinal = () => count()

const count = () => z.int().min(0)

/** The farthest from the epoch that the platform's calendar reaches, in milliseconds. */
const farthest = 8_640_000_000_000_000

function instant() {
  const message = 'expected an instant, in milliseconds since the epoch'
  return z.int().min(-farthest, message).max(farthest, message)
}

// Schemas of base64 name the encoding as a format, which few validators know.
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

/** The rows of each model by its name. */
export type Rows = { [M in ModelName]: RowOf<M> }

export type OrganizationRow = Rows['organization']
export type IdentityRow = Rows['identity']
export type ThreadRow = Rows['thread']
export type MessageRow = Rows['message']
export type AttachmentRow = Rows['attachment']
export type WebhookRow = Rows['webhook']

/** Whether mail came to the agent or went out from it. */
export type Direction = MessageRow['direction']

/** One RFC 5322 header field: name and value. */
export type HeaderField = readonly [name: string, value: string]

/** A row before it has its place among those of its model. */
export type Unplaced<Row> = Omit<Row, 'ordinal'>

/** The fields of a thread that follow from its messages. */
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
 * The facts after one more message: the only place where a message changes its thread. Mail that comes in
 * makes the thread unread; mail dated before the latest leaves `last_message_at` where it is.
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

/** The facts after the thread was marked read or unread. */
export function factsMarked(facts: ThreadFacts, unread: boolean): ThreadFacts {
  return { ...facts, unread, answered: false }
}
