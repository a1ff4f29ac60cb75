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
    ['default', 200],
    ['worst-case', 60],
  ])('is a request of its operation, with readings %s', async (readings, numRuns) => {
    const onUndocumented = () => undefined
    const options = { scenario: 'refund-conversation', extend: ['common'], readings, onUndocumented } as const
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
      if (response.ok && text !== '') expect(result.structuredContent).toEqual(JSON.parse(text))
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
})
