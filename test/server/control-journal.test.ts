import type { RunningServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { ask } from './control-client.js'
import { authorized, serveDesk } from './desk.js'

const get = ({ url }: RunningServer, path: string, headers: Record<string, string> = authorized) =>
  fetch(`${url}/api/v1/${path}`, { headers }).then((answer) => answer.text())

interface Shown {
  readonly seq: number
  readonly path: string
}

const seqsOf = (exchanges: readonly Shown[]) => exchanges.map(({ seq }) => seq)

describe('GET /_sim/journal', () => {
  it('returns the requests with their answers, without those to the control API', async () => {
    const server = await serveDesk()
    expect(await ask(server, 'GET', '/journal')).toEqual({ status: 200, body: { exchanges: [], missed: 0 } })
    await get(server, 'webhooks?agent=support&x=1&x=2')
    await get(server, 'thread')
    const { exchanges } = (await ask(server, 'GET', '/journal')).body
    expect(exchanges).toEqual(JSON.parse(JSON.stringify(server.simulator.journal.exchanges())))
    expect(exchanges[0]).toMatchObject({
      seq: 1,
      at: '2026-01-05T09:00:00.000Z',
      world: 'world_1',
      operation: 'webhooks.list',
      method: 'GET',
      path: '/api/v1/webhooks',
      query: { agent: 'support', x: ['1', '2'] },
      status: 200,
      fault: null,
      near_miss: null,
    })
    expect(exchanges[1]).toMatchObject({ operation: null, status: 404 })
    expect(exchanges[1].near_miss).toMatch(/GET \/api\/v1\/thread/)
  })

  it('sorts the header fields of a request by name', async () => {
    const server = await serveDesk()
    await get(server, 'webhooks', { ...authorized, 'x-second': '2', 'x-first': '1' })
    const { headers } = (await ask(server, 'GET', '/journal')).body.exchanges[0].request
    expect(headers).toMatchObject({ host: new URL(server.url).host, 'x-first': '1', 'x-second': '2' })
    expect(Object.keys(headers)).toEqual(Object.keys(headers).toSorted())
  })

  it('filters by operation and number, up to a limit', async () => {
    const server = await serveDesk()
    for (const path of ['webhooks', 'mail/threads', 'webhooks', 'mail/messages', 'webhooks'])
      await get(server, path)
    const seqs = async (query: string) =>
      seqsOf((await ask(server, 'GET', `/journal?${query}`)).body.exchanges)
    expect(await seqs('')).toEqual([1, 2, 3, 4, 5])
    expect(await seqs('operation=webhooks.list')).toEqual([1, 3, 5])
    expect(await seqs('since=3')).toEqual([4, 5])
    expect(await seqs('since=0&limit=2')).toEqual([1, 2])
    expect(await seqs('operation=webhooks.list&since=1&limit=1')).toEqual([3])
    expect(await seqs('since=5')).toEqual([])
    expect(await seqs('since=999999999999999')).toEqual([])
  })
})

describe('DELETE /_sim/journal', () => {
  it('clears the journal but continues its numbers', async () => {
    const server = await serveDesk()
    await get(server, 'mail/threads')
    await ask(server, 'POST', '/identities', { body: { handle: 'eva' } })
    expect((await ask(server, 'DELETE', '/journal')).status).toBe(204)
    expect((await ask(server, 'GET', '/journal')).body).toEqual({ exchanges: [], missed: 2 })
    expect((await ask(server, 'GET', '/journal/commands')).body).toEqual({ commands: [], missed: 2 })
    expect((await ask(server, 'GET', '/reliances')).body).toEqual({ reliances: [] })
    await get(server, 'mail/threads')
    expect(seqsOf((await ask(server, 'GET', '/journal')).body.exchanges)).toEqual([3])
    const missedSince = async (seq: number) => (await ask(server, 'GET', `/journal?since=${seq}`)).body.missed
    expect([await missedSince(0), await missedSince(1), await missedSince(2)]).toEqual([2, 1, 0])
    // The number is of another journal.
    expect(await missedSince(4)).toBe(null)
  })
})
