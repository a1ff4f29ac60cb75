import fc from 'fast-check'
import type { Simulator } from '../../src/doors/simulator/simulator.js'

/** A call of a tool, and the request that means the same. */
export interface GeneratedCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly method: string
  /** Below the base URL, with the query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** What a call consists of: parameters of the path, of the query, and fields of the body. */
interface Parts {
  readonly path?: fc.Arbitrary<Record<string, unknown>>
  readonly query?: fc.Arbitrary<Record<string, unknown>>
  readonly body?: fc.Arbitrary<Record<string, unknown>>
  readonly key?: true
}

/** Generates calls of every operation of the interface and of `common`, right and wrong ones, for the mail of a simulator. */
export function generatedCalls(sim: Simulator): fc.Arbitrary<GeneratedCall> {
  const { threads } = sim.mailbox.threads({ limit: 8 })
  const messages = threads.flatMap(({ id }) => sim.mailbox.conversation(id).messages).slice(0, 20)
  const oneOf = (...values: unknown[]) => fc.constantFrom(...values)
  const some = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] })
  const handle = oneOf(
    'support',
    '@support',
    'sales',
    'SUPPORT',
    'nobody',
    'support@northwind.example',
    '',
    5,
    'a/b?c#d ü',
  )
  const thread = oneOf(...threads.map(({ id }) => id), 'thrd_missing', 'x y')
  const message = oneOf(...messages.map(({ id }) => id), 'msg_missing')
  const limit = oneOf(0, 1, 3, 50, 100, 101, -1, 1.5, 'x', '7', true, null, [1, 2], { a: 1 })
  const stray = oneOf('x', 1, false)
  const to = oneOf('ann@example.com', ['bob@example.com', 'support'], 'no address', 7)
  const text = fc.constantFrom('Hello', 'Ünïcode ✓', '')
  const mail = some({
    to,
    subject: text,
    text,
    cc: to,
    attachments: oneOf([], [{ filename: 'a.txt', content: 'aGk=' }]),
  })
  const operations: Record<string, readonly [request: string, parts: Parts]> = {
    identities_get: ['GET /identities/{handle}', { path: fc.record({ handle }) }],
    identities_update: [
      'PATCH /identities/{handle}',
      {
        path: fc.record({ handle }),
        body: some({ display_name: oneOf('Busy', '', 5, null), description: text, stray }),
      },
    ],
    threads_list: [
      'GET /mail/threads',
      { query: some({ agent: handle, mailbox: handle, limit, offset: limit, stray }) },
    ],
    messages_list: [
      'GET /mail/messages',
      { query: some({ thread_id: thread, agent: handle, limit, stray }) },
    ],
    webhooks_list: [
      'GET /webhooks',
      { query: some({ agent: handle, event: oneOf('message.received', 'x'), stray }) },
    ],
    threads_get: ['GET /mail/threads/{thread_id}', { path: fc.record({ thread_id: thread }) }],
    threads_mark_read: ['POST /mail/threads/{thread_id}/read', { path: fc.record({ thread_id: thread }) }],
    messages_get: ['GET /mail/messages/{message_id}', { path: fc.record({ message_id: message }) }],
    messages_raw: ['GET /mail/messages/{message_id}/raw', { path: fc.record({ message_id: message }) }],
    messages_send: [
      'POST /mail/messages',
      {
        body: fc.tuple(mail, some({ agent: handle, thread_id: thread })).map(([a, b]) => ({ ...a, ...b })),
        key: true,
      },
    ],
    messages_reply: [
      'POST /mail/messages/{message_id}/reply',
      { path: fc.record({ message_id: message }), body: mail, key: true },
    ],
    messages_reply_all: [
      'POST /mail/messages/{message_id}/reply-all',
      { path: fc.record({ message_id: message }), body: mail },
    ],
    identities_create: [
      'POST /identities',
      { body: some({ handle: text, agent_handle: oneOf('new', 'support'), stray }) },
    ],
    webhooks_delete: [
      'DELETE /webhooks/{webhook_id}',
      { path: fc.record({ webhook_id: oneOf('whk_missing') }) },
    ],
    keys_whoami: ['GET /whoami', {}],
  }
  return fc.constantFrom(...Object.entries(operations)).chain(([tool, [request, parts]]) => {
    const { path = fc.constant({}), query = fc.constant({}), body } = parts
    const key = parts.key
      ? fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined })
      : fc.constant(undefined)
    return fc
      .tuple(path, query, body ?? fc.constant({}), key)
      .map(([inPath, inQuery, fields, idempotencyKey]): GeneratedCall => {
        const [method = '', pattern = ''] = request.split(' ')
        const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
        const filled = pattern.replace(/\{(\w+)\}/g, (_, name) => {
          return encodeURIComponent(asText((inPath as Record<string, unknown>)[name]))
        })
        // In a call, null means that an optional argument is absent.
        const given = (values: object) => Object.entries(values).filter(([, value]) => value !== null)
        const search = given(inQuery).flatMap(([name, value]) => {
          return [value].flat().map((one) => `${name}=${encodeURIComponent(asText(one))}`)
        })
        return {
          tool,
          input: {
            ...inPath,
            ...inQuery,
            ...fields,
            ...(idempotencyKey && { idempotency_key: idempotencyKey }),
          },
          method,
          target: `/api/v1${filled}${search.length === 0 ? '' : `?${search.join('&')}`}`,
          headers: {
            ...(body && { 'content-type': 'application/json' }),
            ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
          },
          body: body && JSON.stringify(Object.fromEntries(given(fields))),
        }
      })
  })
}
