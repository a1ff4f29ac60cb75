import { factory, nullable, primaryKey } from '@mswjs/data'
import { DATABASE_INSTANCE } from '@mswjs/data/lib/glossary.js'
import type { Database } from './database.js'

const list = () => [] as string[]

/** The six models as the library describes them; relations are plain ids, as rows have them. */
const definitions = {
  organization: { id: primaryKey(String), ordinal: Number, name: String, api_keys: list },
  identity: {
    id: primaryKey(String),
    ordinal: Number,
    organization_id: String,
    agent_handle: String,
    display_name: nullable(String),
    description: nullable(String),
    mailbox_address: String,
    created_at: Number,
    updated_at: Number,
  },
  thread: {
    id: primaryKey(String),
    ordinal: Number,
    organization_id: String,
    identity_id: String,
    subject: String,
    unread: Boolean,
    answered: Boolean,
    message_count: Number,
    first_message_id: nullable(String),
    last_message_id: nullable(String),
    last_message_at: Number,
    created_at: Number,
  },
  message: {
    id: primaryKey(String),
    ordinal: Number,
    organization_id: String,
    identity_id: String,
    thread_id: String,
    direction: String,
    from: String,
    to: list,
    subject: String,
    text: nullable(String),
    html: nullable(String),
    body_key: nullable(String),
    attachment_ids: list,
    message_id: nullable(String),
    in_reply_to: nullable(String),
    headers: nullable(list),
    created_at: Number,
  },
  attachment: {
    id: primaryKey(String),
    ordinal: Number,
    message_id: String,
    filename: String,
    content_type: String,
    size_bytes: Number,
    content_id: nullable(String),
    content: String,
  },
  webhook: {
    id: primaryKey(String),
    ordinal: Number,
    organization_id: String,
    url: String,
    events: list,
    agent_handle: nullable(String),
    auth_token: nullable(String),
    created_at: Number,
    updated_at: Number,
  },
}

/** The library's own query interface over the rows of a database (`models.thread.findMany(…)`); it scans. */
export function libraryModels({ entities }: Database): ReturnType<typeof factory<typeof definitions>> {
  const models = factory(definitions)
  Object.assign(models[DATABASE_INSTANCE], { models: entities })
  return models
}
