import type { Mailbox, Sending } from './mailbox.js'
import { keys } from './scenario.js'
import type { Answer } from './transport.js'

/** A request as data, for repeated sending. */
export interface FixedRequest {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly sending: Sending
}

/** Sends a request given as data. */
export function sendFixed(mailbox: Mailbox, { method, path, sending }: FixedRequest): Promise<Answer> {
  return mailbox.send(method, path, sending)
}

function request(method: string, path: string, sending: Sending = {}, remark = ''): FixedRequest {
  return { name: `${method} ${path.slice(0, 80)} ${remark}`.trim(), method, path, sending }
}

function update(
  handle: string,
  body: Sending['body'],
  remark: string,
  type = 'application/json',
): FixedRequest {
  const headers = type === '' ? {} : { 'content-type': type }
  const sending = body === undefined ? { headers } : { headers, body }
  return request('PATCH', `/api/v1/identities/${handle}`, sending, remark)
}

const withHeader = (authorization: string): Sending => ({ key: null, headers: { authorization } })

/** Requests that succeed under the default readings, including updates that change the world. */
export const goodRequests: readonly FixedRequest[] = [
  request('GET', '/api/v1/identities/eva'),
  request('GET', '/api/v1/identities/@eva'),
  request('GET', '/api/v1/identities/%40eva'),
  request('GET', '/api/v1/identities/Night_Shift.bot-1?colour=red'),
  request('GET', '/api/v1/identities/rival', { key: keys.other }, 'as rival'),
  update('eva', '{"display_name": "Eva L.", "description": "Grüße 💡"}', 'both fields'),
  update('@eva', '{"description": "At"}', 'with @'),
  update('max', '{}', 'nothing'),
  update('max', '{"mood": "fine", "display_name": "Max M."}', 'an unknown field'),
  update('max', '{"description": "Seconds"}', 'twice', 'application/json; charset=utf-8'),
  request('GET', '/api/v1/identities/eva', {}, 'after the updates'),
  request('GET', '/api/v1/mail/threads'),
  request('GET', '/api/v1/mail/threads?agent=eva'),
  request('GET', '/api/v1/mail/threads?agent=%40eva&limit=2'),
  request('GET', '/api/v1/mail/threads?mailbox=max@harbour.example&limit=100&offset=90'),
  request('GET', '/api/v1/mail/threads?agent=max&mailbox=Eva.Lind@harbour.example&limit=5'),
  request('GET', '/api/v1/mail/threads?offset=9000'),
  request('GET', '/api/v1/mail/threads?agent=eva&agent=max&limit=3'),
  request('GET', '/api/v1/mail/threads', { key: 'whoever' }, 'with an unknown key'),
  request('GET', '/api/v1/mail/threads', { key: keys.other }, 'as rival'),
  request(
    'GET',
    '/api/v1/mail/threads?limit=1',
    { headers: { origin: 'https://app.example' } },
    'from a page',
  ),
  request('GET', '/api/v1/mail/messages'),
  request('GET', '/api/v1/mail/messages?agent=eva'),
  request('GET', '/api/v1/mail/messages?agent=max&limit=7&offset=3'),
  request('GET', '/api/v1/mail/messages?agent=eva&limit=100', { key: keys.other }, 'as rival'),
  request('GET', '/api/v1/webhooks'),
  request('GET', '/api/v1/webhooks?agent=eva'),
  request('GET', '/api/v1/webhooks?event=message.bounced'),
  request('GET', '/api/v1/webhooks?handle=max&type=message.received'),
  request('GET', '/api/v1/webhooks', { key: keys.other }, 'as rival'),
]

/** Requests that are refused under the default and the worst-case readings. */
export const badRequests: readonly FixedRequest[] = [
  request('GET', '/api/v1/identities/nobody'),
  request('GET', '/api/v1/identities/rival'),
  request('GET', '/api/v1/identities/e%20v%20a'),
  request('GET', '/api/v1/identities/%zz'),
  request('GET', '/api/v1/identities/@'),
  request('GET', '/api/v1/identities/eva', { key: null }, 'without a key'),
  update('nobody', '{"display_name": "Nobody"}', 'unknown'),
  update('rival', '{"display_name": "Taken"}', 'of another organization'),
  update('eva', '{"display_name": 7}', 'a number'),
  update('eva', '{"display_name": "Half", "description": []}', 'half right'),
  update('eva', '{"description": null}', 'null'),
  update('eva', '{"display_name": "Eva"', 'invalid JSON'),
  update('eva', '["Eva"]', 'an array'),
  update('eva', '"Eva"', 'a string'),
  update('eva', Uint8Array.of(0x7b, 0xff, 0x7d), 'not UTF-8'),
  update('eva', '{"display_name": "Text"}', 'as text', 'text/plain'),
  update('eva', '{"display_name": "Untyped"}', 'without a type', ''),
  update('eva', `{"description": "${'x'.repeat(1_100_000)}"}`, 'too large'),
  request('PATCH', '/api/v1/identities/eva', { key: null, body: '{"display_name": "x"}' }, 'without a key'),
  request('GET', '/api/v1/mail/threads?limit=0'),
  request('GET', '/api/v1/mail/threads?limit=101'),
  request('GET', '/api/v1/mail/threads?limit=abc'),
  request('GET', '/api/v1/mail/threads?offset=-1'),
  request('GET', `/api/v1/mail/threads?limit=${'9'.repeat(1000)}`),
  request('GET', '/api/v1/mail/threads', { key: null }, 'without a key'),
  request('GET', '/api/v1/mail/threads', withHeader('Basic a2V5Og=='), 'with Basic'),
  request('GET', '/api/v1/mail/messages?limit=-1'),
  request('GET', '/api/v1/mail/messages?limit=1e2'),
  request('GET', '/api/v1/mail/messages?limit=101'),
  request('GET', '/api/v1/mail/messages', withHeader('Bearer'), 'with Bearer alone'),
  request('GET', '/api/v1/webhooks', { key: null }, 'without a key'),
  request('POST', '/api/v1/webhooks', { body: '{"url": "https://hooks.example"}' }),
  request('DELETE', '/api/v1/identities/eva'),
  request('PUT', '/api/v1/mail/threads'),
  request('OPTIONS', '/api/v1/mail/messages', { key: null, headers: { origin: 'https://app.example' } }),
  request('PATCH', '/api/v1/mail/messages', { body: '{}' }),
  request('GET', '/api/v1/webhooks/'),
  request('GET', '/api/v1/nothing'),
  request('POST', '/api/v1/mail/drafts', { body: 'x'.repeat(1000) }),
  request('GET', '/api/v1'),
  request('GET', '/attachments/att_000000000000/a.txt'),
]
