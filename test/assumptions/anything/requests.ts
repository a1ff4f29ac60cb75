import fc from 'fast-check'
import { type AnyRequest, keys } from './office.js'
import { anyQuery, handle, oddHandle } from './queries.js'
import type { Subject } from './subjects.js'

/** Returns values with their weights. */
function oftenest<T>(...values: readonly (readonly [weight: number, value: T])[]): fc.Arbitrary<T> {
  return fc.oneof(...values.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))
}

const authorization = oftenest<string | undefined>(
  [14, `Bearer ${keys.own}`],
  [1, `bearer  ${keys.ownSecond}`],
  [2, `Bearer ${keys.other}`],
  [4, 'Bearer whoever'],
  [2, undefined],
  [1, 'Basic a2V5Og=='],
)
const origin = oftenest<string | undefined>([4, undefined], [1, 'https://app.example'])

const field = oftenest<unknown>([3, 'Eva'], [1, ''], [1, 'Grüße 💡'], [4, null], [1, 7])
const fields = fc.record({ display_name: field, description: field, mood: field }, { requiredKeys: [] })
const body = fc.oneof(
  { weight: 12, arbitrary: fields.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.constantFrom(undefined, '', '{}') },
  { weight: 2, arbitrary: fc.constantFrom(' ', '{', '[]', 'null', '{"__proto__": 1}') },
  { weight: 2, arbitrary: fc.constant(JSON.stringify({ description: 'x'.repeat(110_000) })) },
)
const contentType = oftenest<string | undefined>(
  [6, 'application/json'],
  [1, 'Application/JSON; charset=utf-8'],
  [2, 'text/plain'],
  [1, undefined],
)

/** Paths without an operation, or with one of another method. */
const elsewhere = fc.constantFrom(
  '/api/v1/webhooks/',
  '/api/v1/mail/threads/?limit=2',
  '/api/v1/identities/eva/',
  '/api/v1/identities/EVA/',
  '/api/v1/webhooks',
  '/api/v1/mail/messages',
  '/api/v1/identities/eva',
  '/api/v1/mail/drafts',
  '/api/v1',
  '/api/v1//',
)
const file = fc.constantFrom('file#0', 'file#1', 'file#2', '/attachments/att_0/gone.txt')

interface Shape {
  readonly method: string
  readonly path: string
  readonly type?: string | undefined
  readonly body?: string | undefined
}

const gets = (paths: fc.Arbitrary<string>): fc.Arbitrary<Shape> =>
  paths.map((path) => ({ method: 'GET', path }))
const identityPaths = (...handles: readonly fc.Arbitrary<string>[]) =>
  fc.oneof(...handles).map((text) => `/api/v1/identities/${text}`)

const shapes: { readonly [S in Subject]: fc.Arbitrary<Shape> } = {
  identity: gets(identityPaths(handle, handle, oddHandle)),
  update: fc.record({
    method: fc.constant('PATCH'),
    path: identityPaths(fc.constant('eva'), fc.constant('eva'), handle, oddHandle),
    type: contentType,
    body,
  }),
  threads: gets(anyQuery.threads.map((query) => `/api/v1/mail/threads${query}`)),
  messages: gets(anyQuery.messages.map((query) => `/api/v1/mail/messages${query}`)),
  webhooks: gets(anyQuery.webhooks.map((query) => `/api/v1/webhooks${query}`)),
  files: fc.record({ method: fc.constantFrom('GET', 'GET', 'HEAD'), path: file }),
  elsewhere: fc.record({
    method: fc.constantFrom('GET', 'GET', 'OPTIONS', 'POST', 'PATCH', 'DELETE', 'HEAD'),
    path: elsewhere,
  }),
}

/** Any request about a subject, valid or not; `thread#2` and `file#1` refer to those of a story. */
export function anyRequestAbout(subject: Subject): fc.Arbitrary<AnyRequest> {
  return fc.record({ shape: shapes[subject], authorization, origin }).map(({ shape, ...sent }) => ({
    method: shape.method,
    path: shape.path,
    headers: {
      ...(sent.authorization !== undefined && { authorization: sent.authorization }),
      ...(sent.origin !== undefined && { origin: sent.origin }),
      ...(shape.type !== undefined && { 'content-type': shape.type }),
    },
    ...(shape.body !== undefined && { body: shape.body }),
  }))
}
