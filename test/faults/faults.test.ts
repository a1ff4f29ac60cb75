import type { Fault, Simulator } from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { startServer } from 'agent-mailbox-sim/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FaultInput } from '../../src/service/faults/fault.js'

/** A way to a small desk, in the test's own process or over HTTP. */
interface Transport {
  readonly sim: Simulator
  readonly url: string
}

const scenario = {
  scenario: 'desk',
  identities: [
    { handle: 'support', threads: [{ messages: [{ at: '-1h', text: 'Hello' }] }] },
    { handle: 'sales' },
  ],
}

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const transports: Record<string, () => Promise<Transport>> = {
  'in-process': async () => {
    const sim = await listen({ scenario, baseUrl: 'http://faults.test' })
    open.push(() => sim.close())
    return { sim, url: 'http://faults.test' }
  },
  'over HTTP': async () => {
    const server = await startServer({ scenario, port: 0, clock: 'frozen' })
    open.push(() => server.close())
    return { sim: server.simulator, url: server.url }
  },
}

function ask(
  { sim, url }: Transport,
  path = '/api/v1/mail/threads',
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${sim.apiKey}`, ...init.headers },
  })
}

/** Changes the name of the agent. */
function rename(transport: Transport, display_name: string, init: RequestInit = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...init.headers }
  const body = JSON.stringify({ display_name })
  return ask(transport, '/api/v1/identities/support', { method: 'PATCH', body, ...init, headers })
}

function nameIn({ sim }: Transport): string | null {
  return sim.identities.get('support').display_name
}

/** Returns what a client receives, or its error. */
async function outcomeOf(response: Promise<Response>): Promise<string> {
  try {
    const answered = await response
    const { status } = answered
    return await answered.text().then(
      (text) => `${status} ${text}`,
      () => `${status}, then the body fails`,
    )
  } catch (error) {
    return error instanceof TypeError ? 'a network error' : String(error)
  }
}

describe.each(Object.entries(transports))('a fault %s', (_, connect) => {
  it.each<[string, Fault, RegExp]>([
    ['gives a status', { status: 503 }, /^503 \{"error":\{"code":"service_unavailable",/],
    ['gives a status and a body', { status: 200, body: { threads: 7 } }, /^200 \{"threads":7\}$/],
    ['gives a body as text', { body: '<html>', content_type: 'text/html' }, /^200 <html>$/],
    ['leaves out the body', { empty: true }, /^200 $/],
    ['breaks the JSON', { malformed: true }, /^200 \{"threads":\[.*"total":1$/],
    ['cuts the body off', { truncate: 20 }, /^200, then the body fails$/],
    ['resets the connection', { reset: true }, /^a network error$/],
    ['has the body drip', { drip: '50ms' }, /^200 \{"threads":\[\{.*"total":1\}$/],
    ['delays the answer', { delay: ['10ms', '30ms'] }, /^200 \{"threads":\[\{.*"total":1\}$/],
  ])('%s', async (_name, fault, expected) => {
    const transport = await connect()
    transport.sim.faults.add({ operation: 'threads.list', times: 1, ...(fault as object) })
    expect(await outcomeOf(ask(transport))).toMatch(expected)
    expect(await outcomeOf(ask(transport))).toMatch(/^200 \{"threads":\[\{.*"total":1\}$/)
    const [disturbed, undisturbed] = transport.sim.journal.exchanges()
    expect(disturbed).toMatchObject({ operation: 'threads.list', fault: { id: 'fault_1', ...fault } })
    expect(undisturbed?.fault).toBeNull()
  })

  it('has Retry-After and a content type', async () => {
    const transport = await connect()
    transport.sim.faults.add({ status: 429, retry_after: '1m30s', content_type: 'text/plain' })
    const { status, headers } = await ask(transport)
    expect([status, headers.get('retry-after'), headers.get('content-type')]).toEqual([
      429,
      '90',
      'text/plain',
    ])
  })

  it.each<[string, Fault]>([
    ['an answer that is delayed', { delay: '1h' }],
    ['a body that drips', { drip: '10h' }],
  ])('times out a client on %s', async (_name, fault) => {
    const transport = await connect()
    transport.sim.faults.add(fault as FaultInput)
    const outcome = await ask(transport, undefined, { signal: AbortSignal.timeout(30) })
      .then((response) => response.text())
      .catch((error: Error) => error.name)
    expect(outcome).toMatch(/^(TimeoutError|AbortError)$/)
  })

  it('is waited out, and the operation then performed, also for a client that has left', async () => {
    const transport = await connect()
    const { sim } = transport
    sim.faults.add({ operation: 'identities.update', delay: '1h' })
    const aborting = new AbortController()
    const outcome = outcomeOf(rename(transport, 'Late', { signal: aborting.signal }))
    await vi.waitFor(() => expect(sim.faults.list()[0]?.hit).toBe(1), { timeout: 10_000 })
    aborting.abort()
    expect(await outcome).toMatch(/AbortError/)
    // By then, a server knows that the client has left.
    await ask(transport)
    await sim.clock.advance('59m')
    expect(nameIn(transport)).toBe('support')
    await sim.clock.advance('1m')
    const exchanges = () => sim.journal.exchanges({ operation: 'identities.update' })
    await vi.waitFor(() => expect(exchanges()).toMatchObject([{ status: 200, fault: { delay: '1h' } }]))
    expect(nameIn(transport)).toBe('Late')
  })

  it('prevents a change if it answers itself, but not if it damages the answer', async () => {
    const transport = await connect()
    transport.sim.faults.add({ operation: 'identities.update', times: 1, status: 500 })
    transport.sim.faults.add({ operation: 'identities.update', times: 1, reset: true })
    expect(await outcomeOf(rename(transport, 'First'))).toMatch(/^500/)
    expect(nameIn(transport)).toBe('support')
    expect(await outcomeOf(rename(transport, 'Second'))).toBe('a network error')
    expect(nameIn(transport)).toBe('Second')
  })

  it.each<[Fault, boolean]>([
    [{ status: 503, retry_after: 1 }, false],
    [{ status: 202 }, false],
    [{ status: 404, body: { gone: true } }, false],
    [{ body: '<html>', content_type: 'text/html' }, false],
    [{ empty: true }, true],
    [{ malformed: true }, true],
    [{ truncate: 20 }, true],
    [{ reset: true }, true],
    [{ drip: '20ms' }, true],
    [{ delay: '20ms' }, true],
    [{ status: 504, delay: '20ms' }, false],
  ])('%o with performed changes only whether the operation happens', async (fault, happens) => {
    const outcomes: string[] = []
    for (const performed of [false, true]) {
      const transport = await connect()
      const { sim } = transport
      sim.faults.add({
        operation: 'identities.update',
        ...(fault as object),
        ...(performed && { performed }),
      })
      outcomes.push(await outcomeOf(rename(transport, 'Changed')))
      expect(nameIn(transport)).toBe(performed || happens ? 'Changed' : 'support')
      const [exchange] = sim.journal.exchanges()
      expect(exchange?.fault).toEqual({
        id: 'fault_1',
        operation: 'identities.update',
        ...fault,
        ...(performed && { performed }),
      })
      open.pop()?.()
    }
    expect(outcomes[1]).toBe(outcomes[0])
  })

  it('delays a performed answer after the change, but any other before it', async () => {
    const transport = await connect()
    const { sim } = transport
    const begin = async (performed: boolean): Promise<Promise<string>[]> => {
      sim.faults.clear()
      sim.faults.add({ operation: 'identities.update', delay: '1h', ...(performed && { performed }) })
      const answer = outcomeOf(rename(transport, `Performed: ${performed}`))
      await vi.waitFor(() => expect(sim.faults.list()[0]?.hit).toBe(1))
      // By then, an operation that did not wait would have happened.
      await rename(transport, `Performed: ${performed}`, { method: 'GET', body: null })
      return [answer]
    }
    const [waiting] = await begin(false)
    expect(nameIn(transport)).toBe('support')
    await sim.clock.advance('1h')
    expect(await waiting).toMatch(/^200 /)
    expect(nameIn(transport)).toBe('Performed: false')
    sim.journal.clear()
    const [late] = await begin(true)
    expect(nameIn(transport)).toBe('Performed: true')
    expect(sim.journal.exchanges({ operation: 'identities.update' })).toMatchObject([{ status: 200 }])
    await sim.clock.advance('1h')
    expect(await late).toMatch(/^200 /)
  })

  it('relies on what decided the change, also if its answer is lost', async () => {
    const transport = await connect()
    const { sim } = transport
    const headers = { authorization: 'Bearer unlisted' }
    sim.faults.add({ status: 503 })
    await rename(transport, 'First', { headers })
    sim.faults.clear()
    sim.faults.add({ status: 503, performed: true })
    await rename(transport, 'Second', { headers })
    await ask(transport, undefined, { headers })
    const relied = sim.journal.exchanges().map(({ reliances }) => reliances.map(({ gap }) => gap).sort())
    expect(relied).toEqual([[], ['auth.keys', 'format.timestamps'], []])
  })

  it('does not affect other requests', async () => {
    const transport = await connect()
    const before = await outcomeOf(ask(transport, '/api/v1/mail/messages'))
    transport.sim.faults.add({ operation: 'threads.list', reset: true })
    expect(await outcomeOf(ask(transport, '/api/v1/mail/messages'))).toBe(before)
  })
})

it('is waited out as well for a call of a tool that is given up', async () => {
  const transport = await (transports['over HTTP'] as () => Promise<Transport>)()
  const { sim, url } = transport
  sim.faults.add({ operation: 'identities.update', delay: '1h' })
  const params = { name: 'identities_update', arguments: { handle: 'support', display_name: 'Late' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    authorization: `Bearer ${sim.apiKey}`,
  }
  const aborting = new AbortController()
  const called = fetch(`${url}/mcp`, { method: 'POST', headers, body, signal: aborting.signal })
  await vi.waitFor(() => expect(sim.faults.list()[0]?.hit).toBe(1), { timeout: 10_000 })
  aborting.abort()
  await expect(called.then((answer) => answer.text())).rejects.toThrow()
  await ask(transport)
  expect(nameIn(transport)).toBe('support')
  await sim.clock.advance('1h')
  await vi.waitFor(() => expect(nameIn(transport)).toBe('Late'))
})
