import { Client } from '@modelcontextprotocol/client'
import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'

async function connect(sim: Simulator): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1.0.0' })
  await client.connect(sim.mcp())
  return client
}

const api = '/api/v1'
const attachment = { filename: 'a.txt', content: 'aGk=' }
const mail = { agent: 'support', to: 'ann@example.com', subject: 'Hi', text: 'Ünïcode ✓' }

/** Calls of tools, right and wrong ones, and the request that means the same: its method, path and query, and body. */
const calls: readonly (readonly [tool: string, input: object, request: string, body?: object])[] = [
  ['identities_get', { handle: 'support' }, `GET ${api}/identities/support`],
  ['identities_get', { handle: 'a/b?c#d ü' }, `GET ${api}/identities/a%2Fb%3Fc%23d%20%C3%BC`],
  ['identities_get', { handle: 5 }, `GET ${api}/identities/5`],
  ...[{ display_name: 'Busy' }, { display_name: 5, stray: 'x' }, {}].map((body) => {
    return [
      'identities_update',
      { handle: 'support', ...body },
      `PATCH ${api}/identities/support`,
      body,
    ] as const
  }),
  ['threads_list', {}, `GET ${api}/mail/threads`],
  ['threads_list', { agent: 'support', limit: 1 }, `GET ${api}/mail/threads?agent=support&limit=1`],
  [
    'threads_list',
    { mailbox: '@support', stray: false },
    `GET ${api}/mail/threads?mailbox=%40support&stray=false`,
  ],
  ['threads_list', { limit: [1, 2], offset: -1 }, `GET ${api}/mail/threads?limit=1&limit=2&offset=-1`],
  ['threads_list', { limit: { a: 1 } }, `GET ${api}/mail/threads?limit=%7B%22a%22%3A1%7D`],
  ['threads_list', { limit: null, agent: 'nobody' }, `GET ${api}/mail/threads?agent=nobody`],
  ['messages_list', { thread_id: '{thread}' }, `GET ${api}/mail/messages?thread_id={thread}`],
  ['messages_list', { thread_id: 'x y', limit: 1.5 }, `GET ${api}/mail/messages?thread_id=x%20y&limit=1.5`],
  ['webhooks_list', { event: 'x', agent: '' }, `GET ${api}/webhooks?event=x&agent=`],
  ['threads_get', { thread_id: '{thread}' }, `GET ${api}/mail/threads/{thread}`],
  ['threads_mark_read', { thread_id: '{thread}' }, `POST ${api}/mail/threads/{thread}/read`],
  ['messages_get', { message_id: '{message}' }, `GET ${api}/mail/messages/{message}`],
  ['messages_raw', { message_id: 'msg_missing' }, `GET ${api}/mail/messages/msg_missing/raw`],
  ['messages_send', mail, `POST ${api}/mail/messages`, mail],
  ['messages_send', { ...mail, to: 7 }, `POST ${api}/mail/messages`, { ...mail, to: 7 }],
  ...[1, 2].map(() => {
    // The second one gets the answer to the first.
    const body = { ...mail, attachments: [attachment] }
    return ['messages_send', { ...body, idempotency_key: 'k1' }, `POST ${api}/mail/messages`, body] as const
  }),
  [
    'messages_reply',
    { message_id: '{message}', text: 'Yes' },
    `POST ${api}/mail/messages/{message}/reply`,
    { text: 'Yes' },
  ],
  [
    'messages_reply_all',
    { message_id: '{message}', cc: ['bob@example.com', 'support'] },
    `POST ${api}/mail/messages/{message}/reply-all`,
    { cc: ['bob@example.com', 'support'] },
  ],
  ['identities_create', { agent_handle: 'new' }, `POST ${api}/identities`, { agent_handle: 'new' }],
  ['identities_create', { handle: '' }, `POST ${api}/identities`, { handle: '' }],
  ['webhooks_delete', { webhook_id: 'whk_missing' }, `DELETE ${api}/webhooks/whk_missing`],
  ['keys_whoami', {}, `GET ${api}/whoami`],
]

describe('a call of a tool', () => {
  it.each(['default', 'worst-case'])('is a request of its operation, with assumptions %s', async (assume) => {
    const onUndocumented = () => undefined
    const options = { scenario: 'refund-conversation', extend: ['common'], assume, onUndocumented } as const
    const [byHttp, byTool] = [await createSimulator(options), await createSimulator(options)]
    const client = await connect(byTool)
    const [first] = byHttp.mailbox.threads().threads
    const { thread, messages } = byHttp.mailbox.conversation(first?.id ?? '')
    for (const call of calls) {
      const text = JSON.stringify(call)
        .replaceAll('{thread}', thread.id)
        .replaceAll('{message}', messages[0]?.id ?? '')
      const [tool, input, line, body] = JSON.parse(text)
      const [method, target] = line.split(' ')
      const { idempotency_key: key } = input
      const request = new Request(`${byHttp.baseUrl}${target}`, {
        method,
        headers: {
          authorization: `Bearer ${byHttp.apiKey}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(key && { 'idempotency-key': key }),
        },
        body: body ? JSON.stringify(body) : null,
      })
      const response = (await getResponse([...byHttp.handlers], request)) as Response
      const answer = await response.text()
      const result = await client.callTool({ name: tool, arguments: input })
      expect(result.content[0], text).toEqual({ type: 'text', text: answer })
      expect(result.isError ?? false).toBe(!response.ok)
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      if (response.ok && isJson) expect(result.structuredContent).toEqual(JSON.parse(answer))
    }
    const journal = (sim: Simulator) =>
      sim.journal.exchanges().map(({ duration_ms, request, via, ...exchange }) => ({
        ...exchange,
        body: request.body,
      }))
    expect(journal(byTool)).toEqual(journal(byHttp))
    expect(new Set(byTool.journal.exchanges().map(({ via }) => via))).toEqual(new Set(['mcp']))
    expect(byHttp.journal.exchanges().some((exchange) => 'via' in exchange)).toBe(false)
    expect(byTool.digest()).toBe(byHttp.digest())
    expect(byTool.reliances()).toEqual(byHttp.reliances())
    expect(byTool.sent()).toEqual(byHttp.sent())
    expect(byTool.sent().length).toBeGreaterThan(0)
  })

  const open = async () => {
    const sim = await createSimulator({ scenario: 'refund-conversation', extend: ['common'] })
    return { sim, client: await connect(sim) }
  }

  it('takes null for an optional argument, and empty lists of further recipients, as absent', async () => {
    const { sim, client } = await open()
    const plain = { agent: 'support', to: 'ann@example.com', text: 'Hello' }
    const absent = [
      {},
      { cc: [], bcc: '', html: null },
      { cc: null, reply_to: [''], thread_id: null, subject: null },
    ]
    for (const more of absent) {
      const { isError } = await client.callTool({ name: 'messages_send', arguments: { ...plain, ...more } })
      expect(isError, JSON.stringify(more)).toBeFalsy()
    }
    const { isError } = await client.callTool({
      name: 'threads_list',
      arguments: { agent: 'support', mailbox: null },
    })
    expect(isError).toBeFalsy()
    const contents = sim.sent().map(({ to, cc, html, subject }) => ({ to, cc, html, subject }))
    expect(contents).toEqual(absent.map(() => ({ to: ['ann@example.com'], cc: [], html: null, subject: '' })))
    expect(sim.journal.exchanges().map(({ status }) => status)).toEqual([201, 201, 201, 200])
    const refused = await client.callTool({ name: 'messages_send', arguments: { ...plain, to: null } })
    expect(refused.isError).toBe(true)
  })

  it('is in the journal as a mistake if there is no such tool, or its arguments give no request', async () => {
    const { sim, client } = await open()
    const calls = [
      { name: 'message_send', arguments: { to: 'ann@example.com' } },
      { name: 'messages_reply', arguments: { text: 'Hi', message_id: null } },
      { name: 'threads_list', arguments: { agent: 'x'.repeat(20_000) } },
    ]
    for (const call of calls) await client.callTool(call).catch(() => undefined)
    expect(sim.journal.exchanges()).toMatchObject([
      {
        operation: null,
        status: 404,
        via: 'mcp',
        request: { body: '{"tool":"message_send","arguments":{"to":"ann@example.com"}}' },
        near_miss: 'There is no tool "message_send"; did you mean "messages_send"?',
      },
      { status: 400, near_miss: 'The argument "message_id" is missing.' },
      { status: 414 },
    ])
    expect(sim.journal.exchanges()[0]?.response.body).toContain('did you mean')
  })
})
