import type { ModelName, Rows } from './rows.js'

/** A row before it has its place among those of its model. */
export type Unplaced<Row> = Omit<Row, 'ordinal'>

/**
 * Copies a row field by field, so that all rows of a model have the same fields in the same order, whoever
 * wrote them, and the engine keeps each in one piece: a spread row takes three times the memory.
 */
export const rowShapes: {
  readonly [M in ModelName]: (row: Unplaced<Rows[M]>, ordinal: number) => Rows[M]
} = {
  organization: (row, ordinal) => ({ id: row.id, name: row.name, api_keys: row.api_keys, ordinal }),

  identity: (row, ordinal) => ({
    id: row.id,
    organization_id: row.organization_id,
    agent_handle: row.agent_handle,
    display_name: row.display_name,
    description: row.description,
    mailbox_address: row.mailbox_address,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ordinal,
  }),

  thread: (row, ordinal) => ({
    id: row.id,
    organization_id: row.organization_id,
    identity_id: row.identity_id,
    subject: row.subject,
    unread: row.unread,
    answered: row.answered,
    message_count: row.message_count,
    first_message_id: row.first_message_id,
    last_message_id: row.last_message_id,
    last_message_at: row.last_message_at,
    created_at: row.created_at,
    ordinal,
  }),

  message: (row, ordinal) => ({
    id: row.id,
    organization_id: row.organization_id,
    identity_id: row.identity_id,
    thread_id: row.thread_id,
    direction: row.direction,
    from: row.from,
    to: row.to,
    subject: row.subject,
    text: row.text,
    html: row.html,
    body_key: row.body_key,
    attachment_ids: row.attachment_ids,
    message_id: row.message_id,
    in_reply_to: row.in_reply_to,
    headers: row.headers,
    created_at: row.created_at,
    ordinal,
  }),

  attachment: (row, ordinal) => ({
    id: row.id,
    message_id: row.message_id,
    filename: row.filename,
    content_type: row.content_type,
    size_bytes: row.size_bytes,
    content_id: row.content_id,
    content: row.content,
    ordinal,
  }),

  webhook: (row, ordinal) => ({
    id: row.id,
    organization_id: row.organization_id,
    url: row.url,
    events: row.events,
    agent_handle: row.agent_handle,
    auth_token: row.auth_token,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ordinal,
  }),
}
