import type { RunningServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { ask, refusal } from './control-client.js'
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
    expect(await refusal(server, 'DELETE', '/faults/fault_2')).toMatch(
      /^404 not_found: There is no fault "fault_2"/,
    )
    expect((await ask(server, 'DELETE', '/faults')).status).toBe(204)
    expect((await ask(server, 'GET', '/faults')).body).toEqual({ faults: [] })
    expect(await threads(server)).toBe(200)
  })

  it.each([
    [{}, /^400 invalid_body: .*expected something that it does/s],
    [{ status: 503, operation: 'threads.lst' }, /^400 invalid_body: .*did you mean "threads.list"/],
    [{ status: 99 }, /^400 invalid_body/],
    [{ status: 503, times: 0 }, /^400 invalid_body/],
    [{ status: 503, handel: 'support' }, /^400 invalid_body: .*"handel"/s],
    [{ delay: 'long' }, /^400 invalid_body: .*250ms or 30s/s],
    [{ reset: true, status: 503 }, /^400 invalid_body: .*reset has no status/s],
    [{ status: 503, handle: 'nobody' }, /^400 impossible: .*no agent has the handle "nobody"/],
    [{ status: 503, path: '/api/v2/*' }, /^400 impossible: .*nothing is served at/],
    [{ status: 503, operation: 'threads.list', method: 'PATCH' }, /^400 impossible/],
    [{ status: 503, probability: 0 }, /^400 impossible/],
  ])('refuse %j', async (body, message) => {
    const server = await serveDesk()
    expect(await refusal(server, 'POST', '/faults', { body })).toMatch(message)
    expect(server.simulator.faults.list()).toEqual([])
    // The next one is the first.
    expect((await ask(server, 'POST', '/faults', { body: { status: 500 } })).body.id).toBe('fault_1')
  })
})
