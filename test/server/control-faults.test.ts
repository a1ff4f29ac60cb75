import type { RunningServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { ask } from './control-client.js'
import { authorized, serveDesk } from './desk.js'

const threads = async ({ url }: RunningServer) =>
  (await fetch(`${url}/api/v1/mail/threads`, { headers: authorized })).status

const fault = { operation: 'threads.list', status: 503, retry_after: '30s', times: 2 }

describe('the faults of a world', () => {
  it('disturb answers until removed and count their hits', async () => {
    const server = await serveDesk()
    const rule = { id: 'fault_1', fault, matched: 0, hit: 0 }
    expect(await ask(server, 'POST', '/faults', { body: fault })).toEqual({ status: 201, body: rule })
    expect([await threads(server), await threads(server), await threads(server)]).toEqual([503, 503, 200])
    expect((await ask(server, 'GET', '/faults')).body).toEqual({ faults: [{ ...rule, matched: 3, hit: 2 }] })
    const { exchanges } = (await ask(server, 'GET', '/journal')).body
    expect(exchanges.map((exchange: { fault: object | null }) => exchange.fault)).toEqual([
      { id: 'fault_1', ...fault },
      { id: 'fault_1', ...fault },
      null,
    ])
  })

  it('are removed one by one or all at once', async () => {
    const server = await serveDesk()
    for (const status of [500, 502, 503]) await ask(server, 'POST', '/faults', { body: { status } })
    expect((await ask(server, 'DELETE', '/faults/fault_2')).status).toBe(204)
    const left = (await ask(server, 'GET', '/faults')).body.faults
    expect(left.map(({ id }: { id: string }) => id)).toEqual(['fault_1', 'fault_3'])
    expect((await ask(server, 'DELETE', '/faults')).status).toBe(204)
    expect((await ask(server, 'GET', '/faults')).body).toEqual({ faults: [] })
    expect(await threads(server)).toBe(200)
  })
})
