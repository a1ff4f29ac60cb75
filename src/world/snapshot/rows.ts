import { eventTypes } from '../../contract/events.js'
import { z } from '../../contract/schema.js'
import type { ModelName, Rows } from '../../model/index.js'
import { handlePattern } from '../commands/create-identity.js'
import { type IdKind, idPrefixes } from '../ids.js'

/** The farthest from the epoch that the platform's calendar reaches, in milliseconds. */
const farthest = 8_640_000_000_000_000

const text = () => z.string()
const count = () => z.int().min(0)
const instant = () =>
  z
    .int()
    .min(-farthest, 'expected an instant, in milliseconds since the epoch')
    .max(farthest, 'expected an instant, in milliseconds since the epoch')

// Schemas of base64 name the encoding as a format, which few validators know.
const file = () => {
  const base64 = z.base64()
  return z
    .string()
    .refine((content) => base64.safeParse(content).success, { error: 'expected a file in base64' })
    .meta({ contentEncoding: 'base64' })
}

/** An id of a kind: `thrd_…`. */
const id = (kind: IdKind) =>
  z
    .string()
    .regex(new RegExp(`^${idPrefixes[kind]}_\\S+$`), `expected an id such as ${idPrefixes[kind]}_4kz0`)

const organization = () =>
  z.strictObject({
    id: id('organization'),
    name: text(),
    api_keys: z.array(z.string().regex(/^\S+$/, 'expected a key without spaces')),
    ordinal: count(),
  })

const identity = () =>
  z.strictObject({
    id: id('identity'),
    organization_id: id('organization'),
    agent_handle: z
      .string()
      .regex(handlePattern, 'expected a handle of 1 to 64 letters, digits, "_", "." or "-"'),
    display_name: text().nullable(),
    description: text().nullable(),
    mailbox_address: text().min(1),
    created_at: instant(),
    updated_at: instant(),
    ordinal: count(),
  })

const thread = () =>
  z.strictObject({
    id: id('thread'),
    organization_id: id('organization'),
    identity_id: id('identity'),
    subject: text(),
    unread: z.boolean(),
    answered: z.boolean(),
    message_count: count(),
    first_message_id: id('message').nullable(),
    last_message_id: id('message').nullable(),
    last_message_at: instant(),
    created_at: instant(),
    ordinal: count(),
  })

const message = () =>
  z.strictObject({
    id: id('message'),
    organization_id: id('organization'),
    identity_id: id('identity'),
    thread_id: id('thread'),
    direction: z.enum(['inbound', 'outbound']),
    from: text(),
    to: z.array(text()),
    subject: text(),
    text: text().nullable(),
    html: text().nullable(),
    body_key: text().nullable(),
    attachment_ids: z.array(id('attachment')),
    message_id: text().nullable(),
    in_reply_to: text().nullable(),
    headers: z.array(z.tuple([text(), text()])).nullable(),
    created_at: instant(),
    ordinal: count(),
  })

const attachment = () =>
  z.strictObject({
    id: id('attachment'),
    message_id: id('message'),
    filename: text(),
    content_type: text(),
    size_bytes: count(),
    content_id: text().nullable(),
    content: file(),
    ordinal: count(),
  })

const webhook = () =>
  z.strictObject({
    id: id('webhook'),
    organization_id: id('organization'),
    url: z.url({ protocol: /^https?$/ }),
    events: z.array(z.enum(eventTypes)).min(1),
    agent_handle: text().nullable(),
    auth_token: text().nullable(),
    created_at: instant(),
    updated_at: instant(),
    ordinal: count(),
  })

/** The rows of a model, as the store has them; instants are milliseconds since the epoch. */
const rowSchemas = { organization, identity, thread, message, attachment, webhook } satisfies {
  readonly [M in ModelName]: () => z.ZodType<Rows[M]>
}

/** Lists of rows by model. */
export const rowsSchema = () =>
  z.strictObject({
    organization: z.array(rowSchemas.organization()),
    identity: z.array(rowSchemas.identity()),
    thread: z.array(rowSchemas.thread()),
    message: z.array(rowSchemas.message()),
    attachment: z.array(rowSchemas.attachment()),
    webhook: z.array(rowSchemas.webhook()),
  })
