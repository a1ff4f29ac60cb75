import type { Mailbox } from './mailbox.js'
import { keys } from './scenario.js'
import type { Answer } from './transport.js'

/** A request as data, for repeated sending. */
export interface FixedRequest {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request given as data. */
export function sendFixed(mailbox: Mailbox, { method, path, headers, body }: FixedRequest): Promise<Answer> {
  return mailbox.send(method, path, { key: null, headers, ...(body !== undefined && { body }) })
}

/**
 * Returns the requests of a text, one in each line: methods, a path, a body, and header fields after `|`. The key is that of
 * the first organization, and a body is JSON, unless a field says otherwise; an empty field is not sent. `x{500}` is repeated, and `␠` is a space.
 */
export function requestsIn(text: string): FixedRequest[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap(requestsOfLine)
}

function requestsOfLine(line: string): FixedRequest[] {
  const [request = '', fields = ''] = line.split(' | ')
  const [, methods = '', path = '', body] = /^(\S+) (\S+)(?: (.*))?$/.exec(request) ?? []
  const given = fields
    .split('; ')
    .map((field) => /^([^:]*):? ?(.*)$/.exec(field)?.slice(1) as [string, string])
  const headers = Object.entries({
    authorization: `Bearer ${keys.own}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...Object.fromEntries(given),
  }).filter(([name, value]) => name !== '' && value !== '')
  return methods.split(',').map((method) => ({
    name: [method, request.slice(methods.length), fields && ` | ${fields}`].join(''),
    method,
    path: repeated(path),
    headers: Object.fromEntries(headers),
    ...(body !== undefined && { body: repeated(body) }),
  }))
}

const repeated = (text: string) =>
  text
    .replaceAll('␠', ' ')
    .replace(/(.)\{(\d+)\}/g, (_, character: string, times: string) => character.repeat(Number(times)))

/** Requests under the default assumptions that change nothing. */
export const defaultRequests = requestsIn(`
  GET /api/v1/identities/eva
  GET /api/v1/identities/@eva
  GET /api/v1/identities/%40eva
  GET /api/v1/identities/%40%65%76%61
  GET /api/v1/identities/max
  GET /api/v1/identities/Night_Shift.bot-1?colour=red
  GET /api/v1/identities/@Night_Shift.bot-1 | content-type: text/plain
  GET /api/v1/identities/rival | authorization: Bearer key-rival
  GET /api/v1/identities/eva | authorization: Bearer key-rival
  GET /api/v1/identities/eva | authorization: Bearer key-harbour-2
  GET /api/v1/identities/nobody
  GET /api/v1/identities/@nobody
  GET /api/v1/identities/ev
  GET /api/v1/identities/evaa
  GET /api/v1/identities/Eva.Lind@harbour.example
  GET /api/v1/identities/rival
  GET /api/v1/identities/@rival
  GET /api/v1/identities/max | authorization: Bearer key-rival
  GET /api/v1/identities/e%20v%20a
  GET /api/v1/identities/eva!
  GET /api/v1/identities/%F0%9F%92%A1
  GET /api/v1/identities/@@eva
  GET /api/v1/identities/@
  GET /api/v1/identities/a%2Fb
  GET /api/v1/identities/x{65}
  GET /api/v1/identities/%00
  GET /api/v1/identities/%
  GET /api/v1/identities/%zz
  GET /api/v1/identities/eva%
  GET /api/v1/identities/%C3%28
  GET /api/v1/identities/x{5000}

  GET /api/v1/mail/threads
  GET /api/v1/mail/threads?agent=eva
  GET /api/v1/mail/threads?agent=eva | authorization: Bearer key-harbour-2
  GET /api/v1/mail/threads?agent=%65va
  GET /api/v1/mail/threads?agent=%40eva&limit=2
  GET /api/v1/mail/threads?mailbox=Eva.Lind@harbour.example
  GET /api/v1/mail/threads?mailbox=%45va.Lind%40harbour.example
  GET /api/v1/mail/threads?mailbox=max@harbour.example&limit=100&offset=90
  GET /api/v1/mail/threads?agent=max&mailbox=Eva.Lind@harbour.example&limit=5
  GET /api/v1/mail/threads?agent=Night_Shift.bot-1
  GET /api/v1/mail/threads?agent=
  GET /api/v1/mail/threads?agent=ev
  GET /api/v1/mail/threads?mailbox=
  GET /api/v1/mail/threads?mailbox=Eva.Lind
  GET /api/v1/mail/threads?mailbox=eva@works.example
  GET /api/v1/mail/threads?mailbox=eva@works.example | authorization: Bearer key-rival
  GET /api/v1/mail/threads?mailbox=Eva.Lind@harbour.example | authorization: Bearer key-rival
  GET /api/v1/mail/threads?agent=%zz
  GET /api/v1/mail/threads?mailbox=%C3%28
  GET /api/v1/mail/threads?agent=x{5000}
  GET /api/v1/mail/threads?agent=__proto__
  GET /api/v1/mail/threads?mailbox=constructor
  GET /api/v1/mail/threads?agent=eva&agent=max&limit=3
  GET /api/v1/mail/threads?limit=3&limit=2&offset=1&offset=2
  GET /api/v1/mail/threads?limit=007
  GET /api/v1/mail/threads?limit=100&offset=-0
  GET /api/v1/mail/threads?offset=131
  GET /api/v1/mail/threads?offset=134
  GET /api/v1/mail/threads?offset=9007199254740991
  GET /api/v1/mail/threads | authorization: Bearer whoever
  GET /api/v1/mail/threads | authorization: Bearer key-rival
  GET /api/v1/mail/threads?limit=1 | origin: https://app.example
  GET /api/v1/mail/threads?limit=1 | accept: text/html
  GET /api/v1/mail/threads?limit=0
  GET /api/v1/mail/threads?limit=101
  GET /api/v1/mail/threads?limit=-1
  GET /api/v1/mail/threads?limit=abc
  GET /api/v1/mail/threads?limit=1e2
  GET /api/v1/mail/threads?limit=1.5
  GET /api/v1/mail/threads?limit=
  GET /api/v1/mail/threads?limit=%20
  GET /api/v1/mail/threads?limit=+5
  GET /api/v1/mail/threads?limit=0x10
  GET /api/v1/mail/threads?limit=9{1000}
  GET /api/v1/mail/threads?limit=-9{1000}
  GET /api/v1/mail/threads?limit=x{5000}
  GET /api/v1/mail/threads?offset=-1
  GET /api/v1/mail/threads?offset=abc
  GET /api/v1/mail/threads?offset=1e2
  GET /api/v1/mail/threads?offset=1.5
  GET /api/v1/mail/threads?offset=
  GET /api/v1/mail/threads?offset=-9{1000}
  GET /api/v1/mail/threads?offset=9{1000}
  GET /api/v1/mail/threads?offset=x{5000}

  GET /api/v1/mail/messages
  GET /api/v1/mail/messages?agent=eva
  GET /api/v1/mail/messages?agent=eva | authorization: Bearer key-harbour-2
  GET /api/v1/mail/messages?agent=Night_Shift.bot-1
  GET /api/v1/mail/messages?agent=rival
  GET /api/v1/mail/messages?agent=max | authorization: Bearer key-rival
  GET /api/v1/mail/messages?agent=eva&limit=100 | authorization: Bearer key-rival
  GET /api/v1/mail/messages | authorization: Bearer key-rival
  GET /api/v1/mail/messages?agent=max&limit=7&offset=3
  GET /api/v1/mail/messages?limit=1&offset=abc
  GET /api/v1/mail/messages?limit=1&offset=-9{1000}
  GET /api/v1/mail/messages?thread_id=
  GET /api/v1/mail/messages?thread_id=thrd_gone
  GET /api/v1/mail/messages?thread_id=%zz
  GET /api/v1/mail/messages?thread_id=__proto__
  GET /api/v1/mail/messages?limit=100
  GET /api/v1/mail/messages?limit=0
  GET /api/v1/mail/messages?limit=-1
  GET /api/v1/mail/messages?limit=abc
  GET /api/v1/mail/messages?limit=1e2
  GET /api/v1/mail/messages?limit=1.5
  GET /api/v1/mail/messages?limit=
  GET /api/v1/mail/messages?limit=-9{1000}
  GET /api/v1/mail/messages?limit=101
  GET /api/v1/mail/messages?limit=9{1000}
  GET /api/v1/mail/messages?limit=x{5000}

  GET /api/v1/webhooks
  GET /api/v1/webhooks?agent=eva
  GET /api/v1/webhooks?agent=max&event=message.bounced
  GET /api/v1/webhooks?agent=eva&event=message.bounced
  GET /api/v1/webhooks?event=message.received
  GET /api/v1/webhooks?event=message.delivered
  GET /api/v1/webhooks?event=message.bounced
  GET /api/v1/webhooks?event=message.unknown
  GET /api/v1/webhooks?agent=nobody
  GET /api/v1/webhooks?agent=&event=
  GET /api/v1/webhooks?agent=%zz&event=__proto__
  GET /api/v1/webhooks?handle=max&type=message.received
  GET /api/v1/webhooks?limit=1&offset=2
  GET /api/v1/webhooks | authorization: Bearer key-rival
  GET /api/v1/webhooks?agent=eva | authorization: Bearer key-rival
  GET /api/v1/webhooks?agent=max | authorization: Bearer key-rival

  GET /api/v1/identities/eva | authorization:
  GET /api/v1/identities/%zz | authorization:
  GET /api/v1/mail/threads?limit=0 | authorization:
  GET /api/v1/mail/threads?api_key=key-harbour | authorization:
  GET /api/v1/mail/threads | authorization: ; x-api-key: key-harbour
  GET /api/v1/mail/messages | authorization:
  GET /api/v1/webhooks | authorization:
  PATCH /api/v1/identities/eva {"display_name": "x"} | authorization:
  PATCH /api/v1/identities/eva [] | authorization:
  GET /api/v1/identities/@nobody | authorization: Bearer
  GET /api/v1/mail/threads | authorization: Bearer key-harbour key-harbour
  GET /api/v1/mail/threads | authorization: Bearerkey-harbour
  GET /api/v1/mail/messages | authorization: key-harbour
  GET /api/v1/mail/messages | authorization: Token key-harbour
  GET /api/v1/mail/messages | authorization: Basic a2V5Og==
  GET /api/v1/mail/threads?limit=1 | authorization: bearer key-harbour
  GET /api/v1/mail/threads?limit=1 | authorization: BEARER key-harbour
  GET /api/v1/mail/threads?limit=1 | authorization: Bearer  key-harbour

  POST,PUT,DELETE,OPTIONS,HEAD,REPORT /api/v1/identities/eva | authorization:
  POST,DELETE /api/v1/identities/nobody | authorization:
  POST,PUT,PATCH,DELETE,OPTIONS,HEAD,REPORT /api/v1/mail/threads | authorization:
  POST,PATCH,DELETE,OPTIONS,HEAD /api/v1/mail/messages | authorization:
  POST,PATCH,DELETE,OPTIONS,HEAD /api/v1/webhooks | authorization:
  POST /api/v1/webhooks {"url": "https://hooks.example"}
  OPTIONS /api/v1/mail/messages | authorization: ; origin: https://app.example
  GET /api/v1/nothing | authorization:
  GET,POST,PATCH,DELETE,OPTIONS /api/v1/nothing
  GET,PATCH /api/v1
  GET,PATCH /api/v1/
  GET /api/v1/identities
  GET,PATCH,DELETE /api/v1/identities/
  GET /api/v1/identities/eva/keys
  GET /api/v1/mail
  POST /api/v1/mail/drafts x{1000}
  GET /api/v1/mail/threads/thrd_1
  DELETE /api/v1/mail/messages/msg_1
  GET /api/v1/webhooks/whk_1
  GET /api/v1/Webhooks
  GET /api/v1//webhooks
  GET /api/v1/webhooks%2F
  GET /api/v1/%77ebhooks
  GET /api/v1/../v1/nothing
  GET /api/v1/x{5000}
  GET /api/v1/identities/eva/
  GET,DELETE /api/v1/webhooks/
  GET /api/v1/mail/threads/
  GET /attachments/att_000000000000/a.txt

  PATCH /api/v1/identities/nobody {"display_name": "Nobody"}
  PATCH /api/v1/identities/nobody nonsense | content-type:
  PATCH /api/v1/identities/rival {"display_name": "Taken"}
  PATCH /api/v1/identities/eva/ {"display_name": "Slash"}
  PATCH /api/v1/identities/eva {"display_name": 7}
  PATCH /api/v1/identities/eva {"display_name": "Half", "description": []}
  PATCH /api/v1/identities/eva {"display_name": ["Eva"], "description": "Right"}
  PATCH /api/v1/identities/eva {"description": null}
  PATCH /api/v1/identities/eva {"display_name": "Eva L.",}
  PATCH /api/v1/identities/eva {"display_name": "Eva
  PATCH /api/v1/identities/eva [{"display_name": "Eva L."}]
  PATCH /api/v1/identities/eva "display_name"
  PATCH /api/v1/identities/eva 7
  PATCH /api/v1/identities/eva null
  PATCH /api/v1/identities/eva ␠␠
  PATCH /api/v1/identities/eva {"display_name": "Text"} | content-type: text/plain
  PATCH /api/v1/identities/eva display_name=Eva | content-type: application/x-www-form-urlencoded
  PATCH /api/v1/identities/eva {"display_name": "Untyped"} | content-type:
  PATCH /api/v1/identities/eva {"description": "x{1100000}"}
  PATCH /api/v1/identities/eva {"description": "x{1100000}"} | content-type: text/plain
  PATCH /api/v1/identities/eva x{1100000}
`)

/** Updates under the default assumptions. */
export const defaultUpdates = requestsIn(`
  PATCH /api/v1/identities/eva {"display_name": "Eva L.", "description": "Grüße 💡"}
  PATCH /api/v1/identities/@eva {"description": "At"}
  PATCH /api/v1/identities/%40eva {"display_name": "Percent"}
  PATCH /api/v1/identities/eva {"display_name": "", "description": ""}
  PATCH /api/v1/identities/eva {"display_name": "“Eva” \\u0000\\n\\t\\\\"}
  PATCH /api/v1/identities/eva {"__proto__": {"display_name": "x"}, "constructor": 1, "description": "y"}
  PATCH /api/v1/identities/eva {"mood": [{5000}]{5000}, "description": "flat"}
  PATCH /api/v1/identities/eva
  PATCH /api/v1/identities/eva | content-type: application/json
  PATCH /api/v1/identities/max {}
  PATCH /api/v1/identities/max {"mood": "fine", "display_name": "Max M."}
  PATCH /api/v1/identities/max {"description": "1"} | content-type: application/json; charset=utf-8
  PATCH /api/v1/identities/max {"description": "2"} | content-type: Application/JSON
  PATCH /api/v1/identities/eva {"display_name": "Changed"} | authorization: Bearer key-rival
  GET /api/v1/identities/eva
  GET /api/v1/identities/max
  GET /api/v1/identities/eva | authorization: Bearer key-rival
`)
