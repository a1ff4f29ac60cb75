import type {
  IdentityRow,
  MessageRow,
  OrganizationRow,
  ThreadRow,
  Unplaced,
  WebhookRow,
} from '../../../src/service/model/rows.js'

/** Creates rows for tests with defaults for omitted fields. */
export const sampleRow = {
  organization: (id: string, fields: Partial<OrganizationRow> = {}): Unplaced<OrganizationRow> => ({
    id,
    name: id,
    api_keys: [],
    ...fields,
  }),

  identity: (id: string, fields: Partial<IdentityRow> = {}): Unplaced<IdentityRow> => ({
    id,
    organization_id: 'org_a',
    agent_handle: id,
    display_name: id,
    description: '',
    mailbox_address: `${fields.agent_handle ?? id}@agents.example`,
    created_at: 0,
    updated_at: 0,
    ...fields,
  }),

  thread: (id: string, fields: Partial<ThreadRow> = {}): Unplaced<ThreadRow> => ({
    id,
    organization_id: 'org_a',
    identity_id: 'ident_a',
    subject: id,
    unread: false,
    answered: false,
    message_count: 0,
    first_message_id: null,
    last_message_id: null,
    last_message_at: 0,
    created_at: 0,
    ...fields,
  }),

  message: (id: string, fields: Partial<MessageRow> = {}): Unplaced<MessageRow> => ({
    id,
    organization_id: 'org_a',
    identity_id: 'ident_a',
    thread_id: 'thrd_a',
    direction: 'inbound',
    from: 'Ann <ann@shop.example>',
    to: ['support@agents.example'],
    subject: id,
    text: id,
    html: null,
    body_key: null,
    attachment_ids: [],
    message_id: null,
    in_reply_to: null,
    headers: null,
    created_at: 0,
    ...fields,
  }),

  webhook: (id: string, fields: Partial<WebhookRow> = {}): Unplaced<WebhookRow> => ({
    id,
    organization_id: 'org_a',
    url: 'http://127.0.0.1:8787/hook',
    events: ['message.received'],
    agent_handle: null,
    auth_token: null,
    created_at: 0,
    updated_at: 0,
    ...fields,
  }),
} as const
