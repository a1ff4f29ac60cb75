import { Client } from '@modelcontextprotocol/client'
import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import fc from 'fast-check'
import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { generatedCalls } from './generated-calls.js'

async function connect(sim: Simulator): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1.0.0' })
  await client.connect(sim.mcp())
  return client
}

describe('a call of a tool', () => {
  it.each([
    ['default', 70],
    ['worst-case', 30],
  ])('is a request of its operation, with assumptions %s', async (assumptions, numRuns) => {
    const onUndocumented = () => undefined
    const options = {
      scenario: 'refund-conversation',
      extend: ['common'],
      assume: assumptions,
      onUndocumented,
    } as const
    const [byHttp, byTool] = [await createSimulator(options), await createSimulator(options)]
    const client = await connect(byTool)
    for (const call of fc.sample(generatedCalls(byHttp), { numRuns, seed: 11 })) {
      const { tool, input, method, target, headers, body } = call
      const request = new Request(`${byHttp.baseUrl}${target}`, {
        method,
        headers: { authorization: `Bearer ${byHttp.apiKey}`, ...headers },
        body: body ?? null,
      })
      const response = (await getResponse([...byHttp.handlers], request)) as Response
      const text = await response.text()
      const result = await client.callTool({ name: tool, arguments: input })
      expect(result.content[0], JSON.stringify(call)).toEqual({ type: 'text', text })
      expect(result.isError ?? false).toBe(!response.ok)
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      if (response.ok && isJson) expect(result.structuredContent).toEqual(JSON.parse(text))
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
    const mail = { agent: 'support', to: 'ann@example.com', text: 'Hello' }
    const absent = [
      {},
      { cc: [], bcc: '', html: null },
      { cc: null, reply_to: [''], thread_id: null, subject: null },
    ]
    for (const more of absent) {
      const { isError } = await client.callTool({ name: 'messages_send', arguments: { ...mail, ...more } })
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
    const refused = await client.callTool({ name: 'messages_send', arguments: { ...mail, to: null } })
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
