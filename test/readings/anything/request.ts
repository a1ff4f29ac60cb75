import fc from 'fast-check'
import { type AnyRequest, keys } from './office.js'

/** Values, each as often as its weight says. */
function oftenest<T>(...values: readonly (readonly [weight: number, value: T])[]): fc.Arbitrary<T> {
  return fc.oneof(...values.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))
}

/** Each text as likely as the others. */
const among = (values: string) => fc.constantFrom(...values.split(' '))

const authorization = oftenest<string | undefined>(
  [9, `Bearer ${keys.own}`],
  [1, `bearer  ${keys.ownSecond}`],
  [2, `Bearer ${keys.other}`],
  [5, 'Bearer whoever'],
  [2, undefined],
  [1, 'Basic a2V5Og=='],
)
const origin = oftenest<string | undefined>([4, undefined], [1, 'https://app.example'])

const handle = among('eva eva eva tom EVA @eva @EVA Night.bot night.bot nobody @nobody rival RIVAL')
const oddHandle = among(`%40eva e%20va %zz @ @@eva @e%20va ${'x'.repeat(65)}`)
const mailbox = among(
  'Eva@office.example Eva@office.example eva@OFFICE.example tom@office.example gone@x.example',
)
const number = among(`0 1 2 3 7 50 100 101 200 501 -1 -0 abc 1.5 007 ${'9'.repeat(30)} -${'9'.repeat(30)}`)
const event = among('message.received message.received message.bounced message.read')
const unknown = among('colour Limit agents offset thread_id mailbox')
const anyText = fc.constantFrom('', 'red', '1')

type Pair = readonly [name: string, value: string]

/** A parameter of some name, with any of the values. */
const parameter = (name: fc.Arbitrary<string> | string, value: fc.Arbitrary<string>): fc.Arbitrary<Pair> =>
  fc.tuple(typeof name === 'string' ? fc.constant(name) : name, value)

/** A query of up to four parameters, in which names may be unknown or come again. */
function query(...parameters: readonly fc.Arbitrary<Pair>[]): fc.Arbitrary<string> {
  const unasked = parameter(unknown, anyText)
  return fc
    .array(
      fc.oneof(...parameters.map((arbitrary) => ({ arbitrary, weight: 3 })), {
        arbitrary: unasked,
        weight: 1,
      }),
      {
        maxLength: 4,
      },
    )
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`))
}

const agentParameter = parameter('agent', handle)
const threadParameter = parameter(
  'thread_id',
  among('thread#0 thread#1 thread#2 thread#3 thread#4 thrd_gone'),
)
const limitParameter = parameter('limit', number)
const offsetParameter = parameter('offset', number)

const threads = query(agentParameter, parameter('mailbox', mailbox), limitParameter, offsetParameter)
const messages = query(agentParameter, threadParameter, threadParameter, limitParameter, offsetParameter)
const webhooks = query(
  agentParameter,
  parameter(among('agent_handle handle'), handle),
  parameter(among('event event_type type'), event),
)

const field = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('', 'Eva', 'Grüße') },
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant(7) },
)
const fields = fc.record({ display_name: field, description: field, mood: field }, { requiredKeys: [] })
const body = fc.oneof(
  { weight: 12, arbitrary: fields.map((value) => JSON.stringify(value)) },
  { weight: 4, arbitrary: fc.constantFrom(undefined, '', ' ', '{', '[]', 'null', '{"__proto__": 1}') },
  { weight: 2, arbitrary: fc.constant(JSON.stringify({ description: 'x'.repeat(110_000) })) },
)
const contentType = oftenest<string | undefined>(
  [6, 'application/json'],
  [1, 'Application/JSON; charset=utf-8'],
  [3, 'text/plain'],
  [1, undefined],
)

/** Paths that no operation has, or has with another method. */
const otherPath = fc.oneof(
  among('/api/v1/webhooks/ /api/v1/mail/threads/?limit=2 /api/v1/identities/eva/ /api/v1/identities/EVA/'),
  among(
    '/api/v1/webhooks /api/v1/mail/messages /api/v1/identities/eva /api/v1/mail/drafts /api/v1 /api/v1//',
  ),
)
const otherMethod = among('GET GET GET OPTIONS OPTIONS POST PATCH DELETE HEAD')

interface Shape {
  readonly method: string
  readonly path: string
  readonly type?: string | undefined
  readonly body?: string | undefined
}

const at = (path: fc.Arbitrary<string>): fc.Arbitrary<Shape> =>
  path.map((text) => ({ method: 'GET', path: text }))
const inIdentities = (name: fc.Arbitrary<string>) => name.map((text) => `/api/v1/identities/${text}`)

const shape: fc.Arbitrary<Shape> = fc.oneof(
  { weight: 3, arbitrary: at(inIdentities(fc.oneof(handle, handle, oddHandle))) },
  {
    weight: 5,
    arbitrary: fc.record({
      method: fc.constant('PATCH'),
      path: inIdentities(fc.oneof(fc.constant('eva'), fc.constant('eva'), handle, oddHandle)),
      type: contentType,
      body,
    }),
  },
  { weight: 5, arbitrary: at(threads.map((search) => `/api/v1/mail/threads${search}`)) },
  { weight: 6, arbitrary: at(messages.map((search) => `/api/v1/mail/messages${search}`)) },
  { weight: 4, arbitrary: at(webhooks.map((search) => `/api/v1/webhooks${search}`)) },
  { weight: 2, arbitrary: at(among('file#0 file#1 file#2 /attachments/att_0/gone.txt')) },
  { weight: 4, arbitrary: fc.record({ method: otherMethod, path: otherPath }) },
)

/** Any request, right or wrong; `thread#2` and `file#1` in its path stand for one of a story's cast. */
export const anyRequest: fc.Arbitrary<AnyRequest> = fc
  .tuple(shape, authorization, origin)
  .map(([{ method, path, type, body: content }, key, from]) => ({
    method,
    path,
    headers: {
      ...(key !== undefined && { authorization: key }),
      ...(from !== undefined && { origin: from }),
      ...(type !== undefined && { 'content-type': type }),
    },
    ...(content !== undefined && { body: content }),
  }))
