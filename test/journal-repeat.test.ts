import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { repeatExchange } from '../src/doors/controls/judging.js'
import { createSimulator } from '../src/doors/simulator/create-simulator.js'
import type { Simulator } from '../src/doors/simulator/simulator.js'
import { defineExtension } from '../src/service/extensions/define-extension.js'
import { ask, refusal } from './server/control-client.js'
import { authorized, desk, serveDesk } from './server/desk.js'

const open = () => createSimulator({ scenario: desk })

/** Sends a request, and returns the status and body of its answer. */
async function send(sim: Simulator, path: string, init: RequestInit = {}): Promise<[number, string]> {
  const response = await getResponse(sim.handlers, new Request(`http://mailbox.test/api/v1/${path}`, init))
  return [response?.status ?? 0, (await response?.text()) ?? '']
}

/** Repeats the latest request; returns the status and body of the answer. */
async function again(sim: Simulator, assumptions = {}): Promise<[number | undefined, string]> {
  const repeated = await repeatExchange(sim, sim.journal.exchanges().at(-1)?.seq ?? 0, assumptions)
  return [repeated?.status, repeated?.response.body ?? '']
}

const json = { ...authorized, 'content-type': 'application/json' }
const renaming = { method: 'PATCH', headers: json, body: '{"display_name":"Busy"}' }

describe('a repeated request', () => {
  it('has the same key, an invalid one, or none', async () => {
    const sim = await open()
    sim.assumptions.set({ 'auth.keys': 'listed-keys' })
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic ZGVzay1rZXk=' }]) {
      const answer = await send(sim, 'mail/threads', { headers })
      expect(answer[0]).toBe(401)
      expect(await again(sim)).toEqual(answer)
    }
    await send(sim, 'mail/threads', { headers: { authorization: 'Bearer wrong' } })
    expect((await again(sim, { 'auth.keys': 'any-key' }))[0]).toBe(200)
    await send(sim, 'webhooks')
    const [without, listed] = [await again(sim), await again(sim, { 'auth.webhooks': 'not-required' })]
    expect([without[0], listed[0]]).toEqual([401, 200])
  })

  it('is answered by the world it was sent to', async () => {
    const sim = await open()
    const fork = sim.fork()
    await sim.mail.receive({ to: 'support', text: 'Only in the first world' })
    const answer = await send(fork, 'mail/threads', { headers: { authorization: `Bearer ${fork.apiKey}` } })
    expect(await again(fork)).toEqual(answer)
    expect(answer[1]).not.toContain('Only in the first world')
  })

  it('has the ids that the next request would get', async () => {
    const sim = await createSimulator({ scenario: desk, extend: ['common'] })
    const body = '{"agent":"support","to":"ann@shop.example","text":"Hello"}'
    const sending = { method: 'POST', headers: json, body }
    await send(sim, 'mail/messages', sending)
    const repeated = await again(sim)
    expect(await send(sim, 'mail/messages', sending)).toEqual(repeated)
  })

  it('has the same body, with files that are not text', async () => {
    const sim = await createSimulator({ scenario: desk, extend: ['common'] })
    const attachments = [{ filename: 'a.bin', content: 'AP8=' }]
    const body = JSON.stringify({ agent: 'support', to: 'ann@shop.example', attachments })
    await send(sim, 'mail/messages', { method: 'POST', headers: json, body })
    const digest = sim.digest()
    const [status, answer] = await again(sim)
    expect(sim.digest()).toBe(digest)
    expect([status, JSON.parse(answer).attachments]).toEqual([
      201,
      [expect.objectContaining({ filename: 'a.bin', size_bytes: 2 })],
    ])
  })

  it('has the faults it had, even if others were added or removed since', async () => {
    const sim = await open()
    const whole = await send(sim, 'mail/threads', { headers: authorized })
    sim.faults.add({ status: 503 })
    expect(await again(sim)).toEqual(whole)
    sim.faults.clear()
    for (const fault of [
      { status: 503, body: { busy: true } },
      { status: 429, retry_after: 9 },
      { truncate: 9 },
      { malformed: true },
      { performed: true, status: 502 },
    ] as const) {
      sim.faults.add({ ...fault, times: 1 })
      await getResponse(
        sim.handlers,
        new Request('http://mailbox.test/api/v1/mail/threads', { headers: authorized }),
      )
      const [hit] = sim.faults.list().map(({ hit }) => hit)
      sim.faults.clear()
      expect(hit).toBe(1)
      const { seq, status, response } = sim.journal.exchanges().at(-1) ?? expect.unreachable()
      expect(await repeatExchange(sim, seq)).toMatchObject({ status, response })
    }
  })

  it('is answered under the assumptions that its answer relied on, or others', async () => {
    const sim = await open()
    const answer = await send(sim, 'mail/threads?limit=1', { headers: authorized })
    sim.assumptions.set({ 'threads.total': 'page-size', 'format.timestamps': 'seconds' })
    expect(await again(sim)).toEqual(answer)
    const { seq, reliances } = sim.journal.exchanges().at(-1) ?? expect.unreachable()
    expect(reliances.length).toBeGreaterThan(1)
    for (const { gap, instead } of reliances) {
      for (const assumption of instead) {
        const other = await repeatExchange(sim, seq, { [gap]: assumption })
        expect([gap, assumption, other?.response.body]).not.toEqual([gap, assumption, answer[1]])
      }
    }
  })

  it('sends the body, and shows the world as it is now', async () => {
    const sim = await open()
    await send(sim, 'identities/support', renaming)
    await sim.clock.advance('1h')
    const [status, body] = await again(sim)
    expect([status, JSON.parse(body)]).toMatchObject([
      200,
      { display_name: 'Busy', updated_at: '2026-01-05T10:00:00.000Z' },
    ])
  })

  it('changes and records nothing', async () => {
    const sends = defineExtension(({ operation }) => [
      operation({
        id: 'messages.send',
        method: 'POST',
        path: '/api/v1/mail/messages',
        perform: ({ send }) => ({
          sent: send({ from: 'support', to: ['ann@example.com'], text: 'Hello' }).id,
        }),
      }),
    ])
    const timeline = [
      { when: { request: 'identities.update', nth: 2 }, receive: { to: 'support', text: 'Never' } },
    ] as const
    const sim = await createSimulator({ scenario: { ...desk, timeline: [...timeline] }, extend: [sends] })
    sim.faults.add({ operation: 'identities.update', delay: '1ms' })
    const sent = { method: 'POST', headers: json, body: '{}' }
    for (const [path, init] of [
      ['identities/support', renaming],
      ['mail/messages', sent],
    ] as const) {
      await send(sim, path, init)
      const before = [
        sim.digest(),
        sim.journal.exchanges(),
        sim.journal.commands(),
        sim.reliances(),
        sim.faults.list(),
        sim.events.after(0).length,
      ]
      expect((await again(sim))[0]).toBe(200)
      expect([
        sim.digest(),
        sim.journal.exchanges(),
        sim.journal.commands(),
        sim.reliances(),
        sim.faults.list(),
        sim.events.after(0).length,
      ]).toEqual(before)
    }
  })

  it('is nothing for a request that the simulator left to others, or does not keep', async () => {
    const sim = await open()
    await getResponse(sim.handlers, new Request('http://mailbox.test/v1/mail/threads'))
    expect(sim.journal.exchanges().map(({ status }) => status)).toEqual([0])
    expect([await repeatExchange(sim, 1), await repeatExchange(sim, 2)]).toEqual([undefined, undefined])
  })
})

describe('POST /_sim/journal/{seq}/repeat', () => {
  it('returns the answer under the assumptions', async () => {
    const server = await serveDesk()
    const { simulator, url } = server
    const fork = simulator.fork()
    await fetch(`${url}/api/v1/identities/nobody`, { headers: { authorization: `Bearer ${fork.apiKey}` } })
    const world = { headers: { 'x-sim-world': fork.id } }
    const repeated = await ask(server, 'POST', '/journal/1/repeat', {
      ...world,
      body: { assumptions: { 'errors.body': 'detail' } },
    })
    expect(repeated).toMatchObject({
      status: 200,
      body: { status: 404, response: { body: expect.stringMatching(/^\{"detail":/) } },
    })
    const { status, response } = fork.journal.exchanges()[0] ?? expect.unreachable()
    expect((await ask(server, 'POST', '/journal/1/repeat', world)).body).toEqual({ status, response })
    expect(JSON.stringify(repeated)).not.toContain(fork.apiKey)
    expect(fork.journal.exchanges()).toHaveLength(1)
  })

  it('refuses unknown requests and assumptions', async () => {
    const server = await serveDesk()
    await fetch(`${server.url}/api/v1/webhooks`)
    for (const seq of [2, 'x'])
      expect(await refusal(server, 'POST', `/journal/${seq}/repeat`)).toMatch(
        /^404 not_found: .*GET \/_sim\/journal/,
      )
    const body = { assumptions: { 'threads.total': 'nothing' } }
    expect(await refusal(server, 'POST', '/journal/1/repeat', { body })).toMatch(
      /^400 .*not an assumption of threads.total/,
    )
  })
})
