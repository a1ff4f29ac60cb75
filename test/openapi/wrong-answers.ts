import type { OperationName } from 'agent-mailbox-sim'

/** A change that makes an answer invalid: to the answer and, in a list, to its first row. */
export interface WrongAnswer {
  readonly what: string
  readonly operation: OperationName
  readonly list?: Readonly<Record<string, unknown>>
  readonly row?: Readonly<Record<string, unknown>>
}

const identity = (what: string, row: WrongAnswer['row']) => wrong('identities.get', what, row)
const thread = (what: string, row: WrongAnswer['row']) => wrong('threads.list', what, row)
const message = (what: string, row: WrongAnswer['row']) => wrong('messages.list', what, row)
const webhook = (what: string, row: WrongAnswer['row']) => wrong('webhooks.list', what, row)

function wrong(operation: OperationName, what: string, row: WrongAnswer['row'] = {}): WrongAnswer {
  return { what, operation, row }
}

/** Answers that the interface forbids; a field set to undefined is missing. */
export const wrongAnswers: readonly WrongAnswer[] = [
  identity('an id of another resource', { id: 'thrd_1a2b' }),
  identity('an id that is a prefix', { id: 'ident_' }),
  identity('a handle with @', { agent_handle: '@ida' }),
  identity('no handle', { agent_handle: undefined }),
  identity('a number for a name', { display_name: 7 }),
  identity('no description', { description: undefined }),
  identity('a mailbox that is no address', { mailbox_address: 'ida' }),
  identity('a time that is a number', { created_at: 1_775_030_400 }),
  identity('a time without a zone', { created_at: '2026-04-01T08:00:00.500' }),
  identity('a time of another zone', { updated_at: '2026-04-01T08:00:00.500+02:00' }),
  identity('a time that never was', { updated_at: '2026-13-01T08:00:00.500Z' }),
  { what: 'a negative total', operation: 'threads.list', list: { total: -1 } },
  { what: 'a total with a fraction', operation: 'threads.list', list: { total: 1.5 } },
  { what: 'a total in quotes', operation: 'messages.list', list: { total: '3' } },
  { what: 'no total', operation: 'webhooks.list', list: { total: undefined } },
  { what: 'null for no threads', operation: 'threads.list', list: { threads: null } },
  {
    what: 'messages under another name',
    operation: 'messages.list',
    list: { messages: undefined, data: [] },
  },
  { what: 'webhooks by id', operation: 'webhooks.list', list: { webhooks: {} } },
  thread('an id of another resource', { id: 'msg_1a2b' }),
  thread('null for a subject', { subject: null }),
  thread('no snippet', { snippet: undefined }),
  thread('a word for unread', { unread: 'true' }),
  thread('a negative count', { message_count: -1 }),
  thread('no time of the last message', { last_message_at: undefined }),
  message('a thread id with another prefix', { thread_id: 'thread_1a2b' }),
  message('no direction', { direction: undefined }),
  message('a sender without a name', { from: 'per@shop.example' }),
  message('a sender without an address', { from: 'Per' }),
  message('one recipient for a list', { to: 'ida@orchard.example' }),
  message('a recipient with a name', { to: ['Ida <ida@orchard.example>'] }),
  message('a body that is no text', { text: { plain: 'Hello' } }),
  message('null for no attachments', { attachments: null }),
  message('an attachment without a URL', { attachments: [{ filename: 'a.pdf' }] }),
  message('an attachment with a path for a URL', { attachments: [{ url: '/files/1' }] }),
  message('headers in one text', { headers: 'Subject: Pears' }),
  message('a header without a value', { headers: [{ name: 'Subject' }] }),
  webhook('an id of another resource', { id: 'ident_1a2b' }),
  webhook('a target that is no URL', { url: 'the hook' }),
  webhook('events in one text', { events: 'message.received' }),
  webhook('events that are no text', { events: [1] }),
  webhook('no word on the token', { has_auth_token: undefined }),
  webhook('a token that is not there', { has_auth_token: true, auth_token: undefined }),
  webhook('null for a token that is there', { has_auth_token: true, auth_token: null }),
  webhook('a token that is not', { has_auth_token: false, auth_token: 's3cret' }),
  webhook('a list of handles', { agent_handle: ['ida'] }),
]
