import { expect, it } from 'vitest'
import { expectError } from './assertions.js'
import { openMailbox, textOf } from './mailbox.js'
import { defaultRequests, defaultUpdates, type FixedRequest, requestsIn, sendFixed } from './requests.js'
import type { Answer } from './transport.js'

const failures = requestsIn(`
  GET /api/v1/mail/threads?limit=0
  GET /api/v1/mail/threads | authorization:
  GET /api/v1/identities/nobody
  DELETE /api/v1/identities/eva
  PATCH /api/v1/identities/eva {"description": "x{1100000}"}
`)

const totals = (list: string) =>
  requestsIn(`
    GET /api/v1/mail/${list}
    GET /api/v1/mail/${list}?limit=10
    GET /api/v1/mail/${list}?agent=max
    GET /api/v1/mail/${list}?agent=eva
    GET /api/v1/mail/${list}?agent=nobody
    GET /api/v1/mail/${list} | authorization: Bearer key-rival
  `)

const unknownMailbox = requestsIn('GET /api/v1/mail/threads?agent=eva&mailbox=nobody@harbour.example')

const missing = requestsIn(`
  GET /api/v1/identities/nobody
  GET /api/v1/identities/rival
  GET /api/v1/mail/threads?agent=nobody
  GET /api/v1/mail/threads?agent=rival
  GET /api/v1/mail/threads?agent=@nobody
  GET /api/v1/mail/threads?mailbox=nobody@harbour.example
  GET /api/v1/mail/threads?mailbox=rival@works.example
  GET /api/v1/mail/messages?agent=nobody
  GET /api/v1/mail/messages?agent=rival
  GET /api/v1/mail/messages?thread_id=thrd_gone
  GET /api/v1/mail/messages?thread_id=thrd_gone&agent=eva
  GET /attachments/att_000000000000/a.txt
  GET /api/v1/nothing
`)

const emptyUpdates = requestsIn(`
  PATCH /api/v1/identities/eva
  PATCH /api/v1/identities/eva | content-type: application/json
  PATCH /api/v1/identities/eva {}
  PATCH /api/v1/identities/eva ␠{␠}␠
`)

const untypedUpdates = requestsIn(`
  PATCH /api/v1/identities/eva display_name=Eva | content-type: application/x-www-form-urlencoded
  PATCH /api/v1/identities/eva {"display_name": "Form"} | content-type: application/x-www-form-urlencoded
  PATCH /api/v1/identities/eva {"display_name": "Untyped"} | content-type:
`)

const filters = (agent: string, event: string) =>
  requestsIn(`
    GET /api/v1/webhooks?${agent}=eva
    GET /api/v1/webhooks?${agent}=max
    GET /api/v1/webhooks?${event}=message.received
    GET /api/v1/webhooks?${event}=message.bounced
    GET /api/v1/webhooks?${event}=message.delivered
    GET /api/v1/webhooks?${agent}=max&${event}=message.bounced
    GET /api/v1/webhooks?${agent}=eva&${event}=message.bounced
    GET /api/v1/webhooks?${event}=message.unknown
    GET /api/v1/webhooks?${agent}=nobody
    GET /api/v1/webhooks?${agent}=&${event}=
  `)

const filterNames = requestsIn(`
  GET /api/v1/webhooks?agent=max&event=message.received
  GET /api/v1/webhooks?agent_handle=max&event_type=message.received
  GET /api/v1/webhooks?handle=max&type=message.received
  GET /api/v1/webhooks?agent=eva
  GET /api/v1/webhooks?agent_handle=eva
  GET /api/v1/webhooks?handle=eva
  GET /api/v1/webhooks?limit=1
`)

/** Requests that tell the assumptions apart, with as many different inputs as matter. */
const sections: readonly (readonly [assumptions: string, requests: readonly FixedRequest[]])[] = [
  ['default', defaultRequests],
  ['default (updates)', defaultUpdates],
  [
    'query.unknown-parameters=rejected',
    requestsIn(`
      GET /api/v1/mail/threads?agent=eva&limit=3&offset=1
      GET /api/v1/mail/threads?mailbox=max@harbour.example&limit=1
      GET /api/v1/mail/messages?agent=eva&limit=1
      GET /api/v1/mail/messages?thread_id=thrd_gone
      GET /api/v1/webhooks?agent=eva&event=message.received
      GET /api/v1/mail/threads?agent=eva&colour=red
      GET /api/v1/mail/threads?Limit=3
      GET /api/v1/mail/threads?limit%20=3
      GET /api/v1/mail/threads?agent=eva&=
      GET /api/v1/mail/threads?q
      GET /api/v1/mail/messages?agent=eva&page=2
      GET /api/v1/mail/messages?cursor=
      GET /api/v1/webhooks?colour=red
      GET /api/v1/webhooks?limit=3
      GET /api/v1/webhooks?offset=4
      GET /api/v1/identities/eva?limit=3
      PATCH /api/v1/identities/eva?colour=red {"display_name": "Red"}
    `),
  ],
  [
    'query.unknown-parameters=rejected messages.offset=honoured',
    requestsIn('GET /api/v1/mail/messages?agent=eva&offset=4'),
  ],
  ['query.repeated-parameter=last', requestsIn('GET /api/v1/mail/threads?limit=3&limit=2&offset=1&offset=2')],
  [
    'query.repeated-parameter=rejected',
    requestsIn(`
      GET /api/v1/mail/threads?agent=eva&agent=eva
      GET /api/v1/mail/threads?limit=1&limit=1
      GET /api/v1/mail/threads?mailbox=a@b.example&mailbox=a@b.example
      GET /api/v1/mail/messages?thread_id=thrd_1&thread_id=thrd_2
      GET /api/v1/mail/messages?agent=eva&agent=max
      GET /api/v1/webhooks?agent=eva&agent=eva
      GET /api/v1/webhooks?event=message.received&event=message.bounced
    `),
  ],
  [
    'identities.handle-format=rejected',
    requestsIn(`
      GET /api/v1/identities/nobody
      GET /api/v1/identities/x{64}
      GET /api/v1/identities/x{65}
      GET /api/v1/identities/e%20v%20a
      GET /api/v1/identities/eva!
      GET /api/v1/identities/%F0%9F%92%A1
      GET /api/v1/identities/@@eva
      GET /api/v1/identities/@
      GET /api/v1/identities/a%2Fb
      GET /api/v1/identities/%00
    `),
  ],
  [
    'auth.other-organization=forbidden identities.handle-case=insensitive',
    requestsIn(`
      GET /api/v1/identities/rival
      GET /api/v1/identities/@rival
      GET /api/v1/identities/RIVAL
      GET /api/v1/identities/max | authorization: Bearer key-rival
      GET /api/v1/identities/nobody
    `),
  ],
  ['identities.patch-empty-body=unchanged', emptyUpdates],
  ['identities.patch-empty-body=touched', emptyUpdates],
  ['identities.patch-empty-body=rejected', emptyUpdates],
  ['identities.patch-content-type=unsupported-media-type', untypedUpdates],
  ['identities.patch-content-type=parsed', untypedUpdates],
  ['threads.agent-and-mailbox=both', unknownMailbox],
  ['threads.agent-and-mailbox=either', unknownMailbox],
  ['threads.agent-and-mailbox=agent-wins', unknownMailbox],
  ['threads.agent-and-mailbox=mailbox-wins', unknownMailbox],
  ['threads.total=page-size', [...totals('threads'), ...requestsIn('GET /api/v1/mail/threads?offset=500')]],
  ['threads.total=all-threads', [...totals('threads'), ...requestsIn('GET /api/v1/mail/threads?offset=500')]],
  ['messages.total=page-size', totals('messages')],
  ['messages.total=all-messages', totals('messages')],
  ['threads.unknown-agent=not-found messages.unknown-thread=not-found', missing],
  [
    'threads.unknown-agent=not-found messages.unknown-thread=not-found errors.not-found-code=specific',
    missing,
  ],
  [
    'messages.limit-maximum=500',
    requestsIn(`
      GET /api/v1/mail/messages?limit=500
      GET /api/v1/mail/messages?limit=501
      GET /api/v1/mail/messages?limit=9{1000}
    `),
  ],
  [
    'messages.offset=honoured',
    requestsIn(`
      GET /api/v1/mail/messages?offset=650
      GET /api/v1/mail/messages?offset=656
      GET /api/v1/mail/messages?offset=-1
      GET /api/v1/mail/messages?offset=abc
      GET /api/v1/mail/messages?offset=
    `),
  ],
  ['webhooks.filter-names=agent_handle+event_type', filters('agent_handle', 'event_type')],
  ['webhooks.filter-names=handle+type', filters('handle', 'type')],
  ['webhooks.filter-names=agent+event query.unknown-parameters=rejected', filterNames],
  ['webhooks.filter-names=agent_handle+event_type query.unknown-parameters=rejected', filterNames],
  ['webhooks.filter-names=handle+type query.unknown-parameters=rejected', filterNames],
  [
    'auth.webhooks=not-required auth.keys=listed-keys',
    requestsIn(`
      GET /api/v1/webhooks | authorization:
      GET /api/v1/webhooks | authorization: Bearer whoever
    `),
  ],
  ['errors.body=flat', failures],
  ['errors.body=problem', failures],
  ['errors.body=detail', failures],
  ['errors.body=message', failures],
  [
    'errors.validation-status=422 messages.offset=rejected',
    requestsIn(`
      GET /api/v1/mail/threads?limit=0
      GET /api/v1/mail/threads?offset=-1
      GET /api/v1/mail/messages?limit=abc
      GET /api/v1/mail/messages?offset=1
      GET /api/v1/identities/%zz
      PATCH /api/v1/identities/eva {"display_name": 1}
      PATCH /api/v1/identities/eva {
      PATCH /api/v1/identities/eva {} | content-type: text/plain
    `),
  ],
  [
    'errors.method-not-allowed=404',
    requestsIn(`
      POST,PUT,DELETE,OPTIONS,HEAD,REPORT /api/v1/identities/eva | authorization:
      POST,PATCH /api/v1/mail/threads
      POST,PATCH,OPTIONS,HEAD /api/v1/mail/messages
      DELETE /api/v1/webhooks
    `),
  ],
  [
    'errors.unknown-operation=501',
    requestsIn(`
      GET,POST,PATCH,DELETE,OPTIONS /api/v1/nothing
      GET /api/v1/nothing | authorization:
      GET /api/v1
      PATCH /api/v1/
      GET /api/v1/identities/
      GET /api/v1/mail/threads/thrd_1
      GET /api/v1//webhooks
      GET /api/v1/%77ebhooks
    `),
  ],
  [
    'path.trailing-slash=same',
    requestsIn(`
      GET /api/v1/identities/eva/
      GET /api/v1/mail/threads/?limit=1
      GET /api/v1/mail/messages/?limit=1
      GET /api/v1/webhooks/
      GET /api/v1/mail/threads/ | authorization:
      DELETE /api/v1/webhooks/
      GET /api/v1/webhooks//
      GET /api/v1/identities/
      PATCH /api/v1/identities/eva/ {"display_name": "Slash"}
      GET /api/v1/identities/eva
    `),
  ],
  [
    'limits.body-size=1mb',
    requestsIn(`
      PATCH /api/v1/identities/eva {"description": "x{1048557}"}
      PATCH /api/v1/identities/eva {"description": "x{1048558}"}
    `),
  ],
  [
    'limits.body-size=100kb',
    requestsIn(`
      PATCH /api/v1/identities/eva {"description": "x{102381}"}
      PATCH /api/v1/identities/eva {"description": "x{102382}"}
      PATCH /api/v1/identities/eva {"description": "x{102382}"} | content-type: text/plain
    `),
  ],
  [
    'format.cors=permissive',
    requestsIn(`
      OPTIONS /api/v1/identities/eva | authorization: ; origin: https://app.example; access-control-request-method: PATCH
      OPTIONS /api/v1/mail/threads | authorization: ; origin: https://app.example; access-control-request-headers: authorization
      OPTIONS /api/v1/mail/messages | authorization: ; origin: https://app.example
      OPTIONS /api/v1/webhooks | authorization: ; origin: https://app.example
      OPTIONS /api/v1/nothing | authorization: ; origin: https://app.example
    `),
  ],
]

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length)}… ${text.length} characters`

/** Returns rows in full if they are few, else the number and the first. */
function shownBody(body: unknown): string[] {
  const rows = Object.values(body ?? {}).find(Array.isArray)
  if (!rows) return [cut(JSON.stringify(body), 500)]
  const { total } = body as { total: number }
  const shown = rows.length > 6 ? rows.slice(0, 1) : rows
  return [`${rows.length} of ${total}`, ...shown.map((row) => `  ${JSON.stringify(row)}`)]
}

/** Returns the status of an answer with the header fields that not every answer has, and what its body shows. */
function shown(answer: Answer): string {
  const usual = ['content-type: application/json', `content-length: ${answer.body.length}`]
  const headers = [...answer.headers]
    .map((field) => field.join(': '))
    .filter((field) => !usual.includes(field))
  const [first, ...rows] = answer.body.length === 0 ? ['no body'] : shownBody(JSON.parse(textOf(answer)))
  return [`${[answer.status, ...headers].join(' | ')} ${first}`, ...rows].join('\n    ')
}

it.each(sections)('answers under %s', async (name, requests) => {
  const assumptions = name.replace(/ \(.*/, '').replaceAll(' ', ',')
  const mailbox = await openMailbox(assumptions)
  const before = mailbox.simulator.digest()
  let isChanged = false
  const lines: string[] = []
  const firsts = new Map<string, string>()
  for (const request of requests) {
    const answer = await sendFixed(mailbox, request)
    if (answer.status >= 400 && answer.body.length > 0 && !assumptions.startsWith('errors.body')) {
      expectError(answer, answer.status, JSON.parse(textOf(answer)).error.code)
    }
    isChanged ||= request.method === 'PATCH' && answer.status === 200
    const text = shown(answer)
    const first = text.length < 150 ? undefined : firsts.get(text)
    if (first === undefined) firsts.set(text, request.name)
    lines.push(cut(request.name, 120), `    ${first === undefined ? text : `as ${first}`}`)
  }
  expect(`\n${lines.join('\n')}\n`).toMatchSnapshot()
  // An update that succeeds shows the identity that it leaves behind.
  if (!isChanged) expect(mailbox.simulator.digest()).toBe(before)
})
