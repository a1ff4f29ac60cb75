import { defineExtension, defineScenario, type Simulator, type SimulatorOptions } from 'agent-mailbox-sim'
import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { openServer } from '../../src/doors/server/start-server.js'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import { openState } from '../../src/doors/state/logged-worlds.js'
import { askHandlers } from '../support/ask-handlers.js'
import { folderOf } from '../support/temporary-folder.js'

const scenario = defineScenario({
  scenario: 'desk',
  organization: { name: 'Desk', api_keys: ['desk-key', 'other-key'] },
  identities: [
    {
      handle: 'eva',
      threads: [{ subject: 'A question', messages: [{ from: 'Ann <ann@example.com>', text: 'Hi' }] }],
    },
  ],
  organizations: [{ name: 'Rival', api_keys: ['rival-key'], identities: [{ handle: 'eva' }] }],
})

const replayed = { 'common.idempotency': 'replayed' } as const
const mail = { agent: 'eva', to: 'ann@example.com', text: 'Hello' }

async function open(options: SimulatorOptions = {}) {
  const simulator = await createSimulator({ scenario, extend: ['common'], assume: replayed, ...options })
  return { simulator, post: poster(simulator) }
}

/** Returns a function that sends a POST under an `Idempotency-Key` and returns the status and the body. */
function poster(simulator: Simulator) {
  return (path: string, body: object, key = 'k1', headers: Readonly<Record<string, string>> = {}) =>
    askHandlers(simulator, 'POST', path, body, { 'idempotency-key': key, ...headers })
}

/** Returns the latest exchange, in the parts that matter here. */
function latest(simulator: Simulator) {
  const { status, replayed, reliances } = simulator.journal.exchanges().at(-1) ?? expect.unreachable()
  const relied = reliances
    .map(({ gap, instead }) => [gap, ...instead])
    .filter(([gap]) => /idemp/.test(gap ?? ''))
  return { status, replayed, relied }
}

function sentIn({ mailbox }: Simulator): number {
  return mailbox.threads({ agent: 'eva' }).threads.filter(({ subject }) => subject === '').length
}

describe('a POST with an Idempotency-Key', () => {
  it.each([
    ['/mail/messages', mail, { ...mail, text: 'Bye' }],
    ['/mail/messages/ask/reply', { text: 'Hello' }, { text: 'Bye' }],
    ['/identities', { agent_handle: 'max' }, { agent_handle: 'moe' }],
    [
      '/webhooks',
      { url: 'http://127.0.0.1:9/a', events: ['message.received'], auth_token: 'secret-token' },
      { url: 'http://127.0.0.1:9/b', events: ['message.received'] },
    ],
  ])('to %s has its effect once', async (to, body, other) => {
    const { simulator, post } = await open()
    const [{ id: asked = '' } = {}] = (await askHandlers(simulator, 'GET', '/mail/messages')).body.messages
    const path = to.replace('ask', asked)
    const first = await post(path, body)
    expect([first.status, latest(simulator)]).toEqual([201, { status: 201, replayed: null, relied: [] }])
    const changed = simulator.journal.commands().length
    expect(await post(path, body)).toEqual(first)
    expect(latest(simulator)).toEqual({
      status: 201,
      replayed: simulator.journal.exchanges().at(-2)?.seq,
      relied: [['common.idempotency', 'ignored']],
    })
    expect(simulator.journal.commands()).toHaveLength(changed)
    const another = await post(path, other, 'k2')
    expect([another.status, latest(simulator).replayed]).toEqual([201, null])
    expect(another.body).not.toEqual(first.body)
    expect(JSON.stringify(simulator.snapshot({ secrets: 'masked' }))).not.toContain('secret-token')
  })

  it('has its effect each time if keys are ignored', async () => {
    const { simulator, post } = await open({ assume: {} })
    const first = await post('/mail/messages', mail)
    expect(latest(simulator)).toEqual({ status: 201, replayed: null, relied: [] })
    const second = await post('/mail/messages', mail)
    expect(second.body.id).not.toBe(first.body.id)
    const relied = [['common.idempotency', 'replayed']]
    expect(latest(simulator)).toEqual({ status: 201, replayed: null, relied })
    simulator.assumptions.set(replayed)
    expect(await post('/mail/messages', mail)).toEqual(first)
  })

  it.each([
    ['ignored', 201, ['conflict', 'unprocessable']],
    ['conflict', 409, ['ignored', 'unprocessable']],
    ['unprocessable', 422, ['ignored', 'conflict']],
  ])('of another body is %s: %i', async (assumption, status, instead) => {
    const { simulator, post } = await open({
      assume: { ...replayed, 'common.idempotency-mismatch': assumption as never },
    })
    const first = await post('/mail/messages', mail)
    // Equal JSON in another spelling is the same body.
    expect(await post('/mail/messages', Object.fromEntries(Object.entries(mail).reverse()))).toEqual(first)
    const other = await post('/mail/messages', { ...mail, text: 'Bye' })
    expect(other.status).toBe(status)
    if (status === 201) expect(other).toEqual(first)
    const relied = [
      ['common.idempotency', 'ignored'],
      ['common.idempotency-mismatch', ...instead],
    ]
    expect(latest(simulator)).toEqual({
      status,
      replayed: status === 201 ? simulator.journal.exchanges()[0]?.seq : null,
      relied,
    })
    expect(sentIn(simulator)).toBe(1)
  })

  it('may repeat a request that was refused, which has had no effect', async () => {
    const { simulator, post } = await open()
    expect((await post('/mail/messages', { ...mail, agent: 'max' })).status).toBe(404)
    expect((await post('/mail/messages', mail)).status).toBe(201)
    expect(latest(simulator)).toEqual({ status: 201, replayed: null, relied: [] })
  })

  it('belongs to its operation and to the organization of its API key', async () => {
    const { simulator, post } = await open()
    const first = await post('/mail/messages', mail)
    const as = (key: string) => post('/mail/messages', mail, 'k1', { authorization: `Bearer ${key}` })
    expect(await as('other-key')).toEqual(first)
    expect((await as('rival-key')).body.id).not.toBe(first.body.id)
    expect((await post('/identities', { agent_handle: 'max' })).body.agent_handle).toBe('max')
    expect(latest(simulator).replayed).toBeNull()
  })

  it('repeats any answer of an extension byte for byte, however long that takes', async () => {
    let performed = 0
    const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0xff, 0)
    const extension = defineExtension(({ operation }) => [
      operation({
        id: 'agents.add',
        method: 'POST',
        path: '/api/v1/agents/{name}',
        idempotency: (_, { isSame }) => isSame,
        async perform({ params, apply }) {
          apply({ type: 'create-identity', agent_handle: `${params.name}${performed++}` })
          await new Promise(setImmediate)
          return new Response(bytes, { status: 202, headers: { 'x-count': String(performed) } })
        },
      }),
    ])
    const simulator = await createSimulator({ scenario, extend: [extension] })
    const ask = async (path: string) => {
      const headers = { authorization: 'Bearer desk-key', 'idempotency-key': 'k1' }
      const request = new Request(`http://mailbox.test/api/v1/agents/${path}`, { method: 'POST', headers })
      const answer = (await getResponse(simulator.handlers, request)) ?? expect.unreachable()
      return [answer.status, answer.headers.get('x-count'), new Uint8Array(await answer.arrayBuffer())]
    }
    expect(await Promise.all([ask('a'), ask('a')])).toEqual([
      [202, '1', bytes],
      [202, '1', bytes],
    ])
    // The operation compares what was asked: this is another request.
    expect((await ask('b'))[1]).toBe('2')
  })

  it('is forgotten after 24 hours of the story', async () => {
    const { simulator, post } = await open({ clock: 'frozen' })
    const first = await post('/mail/messages', mail)
    await simulator.clock.advance('23h59m')
    expect(await post('/mail/messages', mail)).toEqual(first)
    await simulator.clock.advance('1m')
    expect((await post('/mail/messages', mail)).body.id).not.toBe(first.body.id)
    await post('/mail/messages', mail)
    const shown = simulator.journal.exchanges()
    expect(shown.map(({ replayed }) => replayed)).toEqual([null, shown[0]?.seq, null, shown[2]?.seq])
  })

  it('is known to a restored snapshot, but not after a reset or in a fork', async () => {
    const { simulator, post } = await open()
    const first = await post('/mail/messages', mail)
    const snapshot = JSON.parse(JSON.stringify(simulator.snapshot()))
    const digest = simulator.digest()
    simulator.reset()
    expect((await post('/mail/messages', { ...mail, text: 'Bye' })).status).toBe(201)
    simulator.restore(snapshot)
    expect([await post('/mail/messages', mail), simulator.digest()]).toEqual([first, digest])
    // The journal of the first request is gone.
    expect(latest(simulator).replayed).toBe(0)
    const fork = simulator.fork()
    const inFork = await poster(fork)('/mail/messages', { ...mail, text: 'Bye' })
    expect(inFork.body.text).toBe('Bye')
  })

  it('is known to a server that has restarted', async () => {
    const directory = await folderOf()
    const ask = async () => {
      const state = openState({ place: directory, warn: () => undefined })
      const options = { scenario, extend: ['common'], assume: replayed, port: 0, state } as const
      const server = await openServer({ ...options, clock: 'frozen' })
      const headers = {
        authorization: 'Bearer desk-key',
        'content-type': 'application/json',
        'idempotency-key': 'k1',
      }
      const request = { method: 'POST', headers, body: JSON.stringify(mail) }
      const answer = await fetch(`${server.url}/api/v1/mail/messages`, request)
      const shown = [answer.status, await answer.text(), sentIn(server.simulator), server.simulator.digest()]
      await server.close()
      return shown
    }
    expect(await ask()).toEqual(await ask())
  })

  it('keeps no address of its server: files have that of the present one', async () => {
    const attachments = [{ filename: 'a.txt', content_type: 'text/plain', content: 'QQ==' }]
    const send = async ({ handlers }: Simulator, baseUrl: string) => {
      const headers = {
        authorization: 'Bearer desk-key',
        'content-type': 'application/json',
        'idempotency-key': 'k1',
      }
      const body = JSON.stringify({ ...mail, attachments })
      const request = new Request(`${baseUrl}/api/v1/mail/messages`, { method: 'POST', headers, body })
      return (await getResponse([...handlers], request))?.json()
    }
    const digests: string[] = []
    let snapshot: unknown
    for (const baseUrl of ['http://one.test', 'http://two.test']) {
      const { simulator } = await open({ baseUrl })
      const first = await send(simulator, baseUrl)
      expect(first.attachments[0].url).toContain(`${baseUrl}/attachments/att_`)
      expect(await send(simulator, baseUrl)).toEqual(first)
      digests.push(simulator.digest())
      snapshot = simulator.snapshot()
    }
    expect(digests[0]).toBe(digests[1])
    const baseUrl = 'http://three.test'
    const { simulator } = await open({ baseUrl })
    simulator.restore(snapshot)
    expect((await send(simulator, baseUrl)).attachments[0].url).toContain(`${baseUrl}/attachments/att_`)
  })
})
