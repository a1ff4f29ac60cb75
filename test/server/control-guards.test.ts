import type { RunningServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { routes } from '../../src/doors/controls/table.js'
import { type Operation, operations } from './control-client.js'
import { authorized, desk, serveDesk } from './desk.js'
import { requestText, sendRaw } from './raw-request.js'

const bodies: Readonly<Record<string, object>> = {
  postJudge: { expectation: { sent: {}, at_most: 3 } },
  postMessages: { to: 'support', subject: 'Hello' },
  postIdentities: { handle: 'eva' },
  postWebhooks: { url: 'http://127.0.0.1:9/eva', events: ['message.received'] },
  postMessagesIdDelivered: { recipient: 'ann@mail.example' },
  postMessagesIdBounced: {},
  postClock: { advance: '1m' },
  postFaults: { status: 503 },
  patchAssumptions: { 'threads.total': 'page-size' },
  postSentJudge: { sent: { to: 'ann@mail.example' } },
}

/** A valid request. */
interface Valid {
  readonly path: string
  readonly body?: string
}

/** A server with a desk, and a valid request for each operation. */
interface Prepared {
  readonly server: RunningServer
  valid(operation: Operation): Valid
}

/** Serves a desk with everything that can be changed. */
async function prepare(options: Parameters<typeof serveDesk>[0] = {}): Promise<Prepared> {
  const scenario = { ...desk, secrets: { code: 'Kq7wPz4mT9xB' }, attacks: ['common' as const] }
  const server = await serveDesk({ scenario, receiver: () => new Response(), ...options })
  const { simulator } = server
  const fork = simulator.fork()
  const { thread } = await simulator.mail.receive({ to: 'support', subject: 'Before' })
  const sent = await simulator.mail.send({ from: 'support', to: 'ann@mail.example', text: 'On its way.' })
  const delivery = await simulator.waitFor({ delivery: 'message.received' }, { timeout: '20s' })
  const fault = simulator.faults.add({ operation: 'webhooks.list', status: 500 })
  await fetch(`${server.url}/api/v1/identities/support`, { headers: authorized })
  const [webhook] = simulator.webhooks.list()
  const { threads } = simulator.mailbox.threads({})
  const messages = threads.flatMap(({ id }) => simulator.mailbox.conversation(id).messages)
  const attachment = messages.flatMap(({ attachments }) => attachments)[0]
  const ids: readonly (readonly [path: RegExp, id: string | undefined])[] = [
    [/worlds/, fork.id],
    [/messages/, sent.message.id],
    [/deliveries/, delivery.id],
    [/attachments/, attachment?.id],
    [/threads/, thread.id],
    [/identities/, 'support'],
    [/webhooks/, webhook?.id],
    [/faults/, fault.id],
    [/journal/, String(simulator.journal.exchanges()[0]?.seq)],
  ]
  return {
    server,
    valid({ id, path, takesBody }) {
      const named = ids.find(([pattern]) => pattern.test(path))?.[1] ?? ''
      const body = id === 'putSnapshot' ? simulator.snapshot() : (bodies[id] ?? {})
      return { path: path.replace(/\{\w+\}/, named), ...(takesBody && { body: JSON.stringify(body) }) }
    },
  }
}

/** Everything the control API can change. */
function stateOf({ simulator }: RunningServer) {
  return simulator.worlds().map((world) => ({
    id: world.id,
    digest: world.digest(),
    exchanges: world.journal.exchanges(),
    commands: world.journal.commands(),
    deliveries: world.deliveries.list(),
    faults: world.faults.list(),
    clock: [world.clock.now(), world.clock.mode],
    assumptions: world.assumptions.current(),
    origins: world.assumptions.origins(),
  }))
}

const json = { 'content-type': 'application/json' }
const isChange = ({ method }: Operation) => method !== 'GET'
const streams = ({ id }: Operation) => id === 'getEvents'
const isHealth = ({ path }: Operation) => path.endsWith('/health')
const only = (id: string) => (operation: Operation) => operation.id === id

/** Selects all operations for the first of several values, and three for the others: one guard checks them all. */
function inTurn<Value>(
  values: readonly Value[],
): [value: Value, selects: (operation: Operation) => boolean][] {
  const few = ['getWorld', 'postMessages', 'deleteFaultsId']
  return values.map((value, index) => [value, ({ id }) => index === 0 || few.includes(id)])
}

/** A change to the valid requests, with the expected answer. */
interface Refused {
  readonly operations?: (operation: Operation) => boolean
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the valid body. */
  readonly body?: string | Uint8Array<ArrayBuffer> | ((valid: string) => string)
  readonly query?: string
  readonly answer: readonly [status: number, code: string]
}

/** Sends a refused request to every operation and checks that nothing changes. */
async function refuses(prepared: Prepared, { operations: wanted = () => true, ...refused }: Refused) {
  const { server, valid } = prepared
  const { headers: given = {}, query = '', answer } = refused
  const before = stateOf(server)
  const concerned = operations.filter(wanted)
  expect(concerned).not.toEqual([])
  for (const operation of concerned) {
    const { path, body: validBody } = valid(operation)
    const body =
      typeof refused.body === 'function' ? refused.body(validBody ?? '{}') : (refused.body ?? validBody)
    const bytes = Buffer.from(body ?? '')
    const headers = { ...(body !== undefined && json), 'content-length': String(bytes.length), ...given }
    const text = requestText(`${operation.method} ${path}${query}`, headers, bytes.toString('latin1'))
    const sent = await sendRaw(server.url, text)
    const name = `${operation.method} ${operation.path}${query} ${JSON.stringify(given)} ${text.slice(-80)}`
    const { error } = JSON.parse(sent.body)
    expect([name, sent.status, error.code]).toEqual([name, ...answer])
    expect(error.message).toMatch(/\w/)
    expect(sent.headers.has('access-control-allow-origin')).toBe(false)
  }
  expect(stateOf(server), JSON.stringify(refused)).toEqual(before)
}

describe('every operation of the control API', () => {
  it.each([
    ['with another token', { controlToken: 'sesame' }],
    ['on a server without a token that other machines can reach', { host: '0.0.0.0' }],
  ])('is refused %s', async (_name, options) => {
    const desk = await prepare(options)
    await refuses(desk, { operations: (one) => !isHealth(one), answer: [403, 'forbidden'] })
    const tokens = ['Bearer open', 'Bearer undefined', 'Basic sesame', 'Bearer sesame sesame']
    for (const [authorization, selects] of inTurn(tokens)) {
      const operations = (one: Operation) => selects(one) && !isHealth(one)
      await refuses(desk, { operations, headers: { authorization }, answer: [403, 'forbidden'] })
    }
    const { url, controlToken = '' } = desk.server
    expect((await fetch(`${url}/_sim/health`)).status).toBe(200)
    expect((await fetch(`${url}/_SIM/health`)).status).toBe(404)
    const headers = { host: new URL(url).host, authorization: `bearer ${controlToken}` }
    expect((await sendRaw(url, requestText('GET /_sim/clock', headers))).status).toBe(200)
  })

  it('refuses pages of other origins', async () => {
    const desk = await prepare()
    for (const [origin, operations] of inTurn([
      ...['https://evil.example', 'null', '', 'http://localhost:3000', 'http://127.0.0.1'],
      ...['https://127.0.0.1:4280', 'http://127.0.0.1.evil.example'],
    ])) {
      await refuses(desk, { operations, headers: { origin }, answer: [403, 'foreign_origin'] })
    }
  })

  it('refuses pages of other sites in every fetch mode', async () => {
    const desk = await prepare()
    for (const [[site, mode], selects] of inTurn([
      ['cross-site', 'no-cors'],
      ['same-site', 'cors'],
      ['anything', 'websocket'],
      ['cross-site', 'navigate'],
    ] as const)) {
      await refuses(desk, {
        operations: (one) => selects(one) && (mode !== 'navigate' || isChange(one)),
        headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode },
        answer: [403, 'foreign_origin'],
      })
    }
  })

  it('answers pages of its own address and followed links', async () => {
    const { url } = await serveDesk()
    const { host } = new URL(url)
    const own = { host, origin: url, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
    expect((await sendRaw(url, requestText('POST /_sim/reset', own))).status).toBe(200)
    for (const site of ['none', 'cross-site']) {
      const headers = { host, 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }
      expect((await sendRaw(url, requestText('GET /_sim/world', headers))).status).toBe(200)
    }
  })

  it('refuses unknown query parameters', async () => {
    const desk = await prepare()
    await refuses(desk, { query: '?__proto__=1', answer: [400, 'invalid_query'] })
    await refuses(desk, { query: '?x', answer: [400, 'invalid_query'] })
  })

  it('refuses unknown worlds', async () => {
    const desk = await prepare()
    for (const [world, operations] of inTurn(['world_9', 'WORLD_1', '__proto__', ''])) {
      await refuses(desk, { operations, headers: { 'x-sim-world': world }, answer: [404, 'unknown_world'] })
      await refuses(desk, { operations, query: `?world=${world}`, answer: [404, 'unknown_world'] })
    }
  })

  it('refuses other methods', async () => {
    const { server, valid } = await prepare()
    const before = stateOf(server)
    for (const template of new Set(operations.map(({ path }) => path))) {
      const here = operations.filter((one) => one.path === template)
      const { path } = valid(here[0] as Operation)
      const there = here.map(({ method }) => method)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (there.includes(method)) continue
        const body = ['GET', 'OPTIONS'].includes(method) ? {} : { body: '{}', headers: json }
        const answer = await fetch(server.url + path, { method, ...body })
        expect([path, method, answer.status]).toEqual([path, method, 405])
        const allowed = there.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))
        expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(allowed.toSorted())
      }
    }
    expect(stateOf(server)).toEqual(before)
  })
})

describe('every change over the control API', () => {
  const unsupported = [415, 'unsupported_media_type'] as const

  it('refuses other content types, even without a body', async () => {
    const desk = await prepare()
    for (const [type, selects] of inTurn([
      ...['text/plain', 'text/json', 'application/jsonx', 'application/octet-stream'],
      ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
      // Browsers send these to other sites without asking first, too.
      ...['application/csp-report', 'application/reports+json', 'text/ping'],
    ])) {
      const headers = { 'content-type': type }
      const changes = (operation: Operation) => selects(operation) && isChange(operation)
      await refuses(desk, { operations: changes, headers, body: '{}', answer: unsupported })
      const alone = (operation: Operation) => changes(operation) && !operation.takesBody
      await refuses(desk, { operations: alone, headers, answer: unsupported })
    }
  })

  it('refuses bodies without a content type', async () => {
    const { server, valid } = await prepare()
    const before = stateOf(server)
    for (const operation of operations.filter(isChange)) {
      const { path, body = '{}' } = valid(operation)
      const { length } = body
      for (const [headers, sent] of [
        [{ 'content-length': String(length) }, body],
        [{ 'transfer-encoding': 'chunked' }, `${length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
      ] as const) {
        const answer = await sendRaw(server.url, requestText(`${operation.method} ${path}`, headers, sent))
        expect([operation.id, answer.status]).toEqual([operation.id, 415])
      }
    }
    expect(stateOf(server)).toEqual(before)
  })

  it('refuses JSON that is malformed, nested too deep or not UTF-8', async () => {
    const desk = await prepare()
    for (const [body, selects] of inTurn([
      ...['{"status": 503', '{} {}', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
      `{"status":503,"body":${'[['.repeat(5000)}1${']]'.repeat(5000)}}`,
      Uint8Array.from(Buffer.from('{"handle":"ev\xff"}', 'latin1')),
    ])) {
      const operations = (one: Operation) => selects(one) && isChange(one)
      await refuses(desk, { operations, body, answer: [400, 'invalid_json'] })
    }
  })

  it('refuses other JSON values and unknown keys', async () => {
    const desk = await prepare()
    const others = ['[]', 'null', '"x"', '7', '1e999'].map((other) => () => other)
    const keys = ['unknown', 'constructor', '__proto__'].map((key) => (body: string) => {
      return body === '{}' ? `{"${key}":{"x":1}}` : `{"${key}":{"x":1},${body.slice(1)}`
    })
    for (const [body, selects] of [...inTurn(others), ...inTurn(keys)]) {
      const wanted = (one: Operation) => selects(one) && isChange(one)
      await refuses(desk, { operations: wanted, body, answer: [400, expect.any(String)] })
    }
  })

  it('refuses a body that is too large', async () => {
    const desk = await prepare()
    const answer = [413, 'content_too_large'] as const
    const large = ['postMessages', 'postWorlds', 'putSnapshot']
    const others = (one: Operation) => isChange(one) && !large.includes(one.id)
    await refuses(desk, { operations: others, body: '{}'.padEnd(65_537), answer })
    await refuses(desk, { operations: only('postWorlds'), body: '{}'.padEnd(10_485_761), answer })
    for (const operation of operations.filter(({ id }) => ['postWorlds', 'putSnapshot'].includes(id))) {
      const { path, body = '' } = desk.valid(operation)
      const init = { method: operation.method, headers: json, body: body.padEnd(100_000) }
      const { status } = await fetch(desk.server.url + path, init)
      expect([operation.id, status < 300]).toEqual([operation.id, true])
    }
    // test/server/large.full.test.ts sends larger ones.
  })

  it('accepts no body or an empty object if nothing is required', async () => {
    const silent = operations.filter((one) => isChange(one) && (!one.takesBody || one.id === 'postWorlds'))
    expect(silent.length).toBeGreaterThan(5)
    const ways = [
      [{}, ''],
      [{ 'content-length': '0' }, ''],
      [{ ...json, 'content-length': '0' }, ''],
      [{ 'content-type': 'Application/JSON; charset=utf-8', 'content-length': '2' }, '{}'],
    ] as const
    const { server } = await prepare()
    for (const [headers, body] of ways) {
      const { status } = await sendRaw(server.url, requestText('POST /_sim/reset', headers, body))
      expect([headers, status]).toEqual([headers, 200])
    }
    for (const [index, operation] of silent.entries()) {
      const { server, valid } = await prepare()
      const [headers, body] = ways[index % ways.length] as (typeof ways)[number]
      const text = requestText(`${operation.method} ${valid(operation).path}`, headers, body)
      const { status } = await sendRaw(server.url, text)
      expect([operation.id, status < 300]).toEqual([operation.id, true])
    }
  })
})

it('HEAD on a document of the control API returns its headers without the body', async () => {
  const { server, valid } = await prepare()
  for (const operation of operations.filter((one) => one.method === 'GET' && !streams(one))) {
    const { path } = valid(operation)
    const head = await fetch(server.url + path, { method: 'HEAD' })
    const whole = await fetch(server.url + path)
    expect([operation.id, head.status, await head.text()]).toEqual([operation.id, whole.status, ''])
    expect(head.headers.get('content-type')).toBe(whole.headers.get('content-type'))
  }
})

describe('the control API of a judged agent', () => {
  const tokens = ({ agentAccess, controlToken }: RunningServer) => [
    undefined,
    agentAccess?.token,
    controlToken,
  ]
  const status = async (
    server: RunningServer,
    token: string | undefined,
    method: string,
    path: string,
    body?: object,
  ) => {
    const answer = await fetch(`${server.controlUrl}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return answer.status === 403 ? JSON.parse(text).error.code : answer.status
  }

  it('lets it advance the clock and read its health and its secret, nothing else', async () => {
    const server = await serveDesk({ agentControls: 'some', controlToken: 'the-owners' })
    const [none, agent, owner] = tokens(server)
    expect(agent).not.toBe(owner)
    const left: [string, string, object?][] = [
      ['GET', '/health'],
      ['GET', '/webhooks'],
      ['POST', '/clock', { advance: '1m' }],
      ['POST', '/clock', { to: '2026-01-05T12:00:00Z' }],
    ]
    for (const one of left) expect(await status(server, agent, ...one), one.join(' ')).toBeLessThan(300)
    const paths = routes.map(({ route }) => route.replace(/\{\w+\}/g, 'x').split(' ') as [string, string])
    const others = paths.filter(([, path]) => !['/health', '/webhooks', '/clock'].includes(path))
    expect(others.length).toBeGreaterThan(30)
    const refused: [string, string, object?][] = [
      ...others.map(([method, path]): [string, string, object?] =>
        method === 'GET' ? [method, path] : [method, path, {}],
      ),
      ['GET', '/clock'],
      ['POST', '/clock', { mode: 'real' }],
      ['POST', '/webhooks', { url: 'http://127.0.0.1:1/', events: ['message.received'] }],
      ['POST', '//reset'],
      ['POST', '/%72eset'],
    ]
    for (const one of refused) {
      expect(await status(server, agent, ...one), one.join(' ')).toBeOneOf(['not_for_agents', 404])
      expect(await status(server, none, ...one), one.join(' ')).toBeOneOf(['forbidden', 404])
    }
    expect(server.agentAccess?.refused).toContain('POST /_sim/reset')
    expect(server.simulator.journal.usage.commands).toBe(0)
    expect(await status(server, owner, 'DELETE', '/journal')).toBe(204)
    expect(await status(server, owner, 'POST', '/reset')).toBe(200)
  })

  it('needs no token for that where others need none, and says in a sentence what is refused', async () => {
    const server = await serveDesk({ agentControls: 'some' })
    expect(await status(server, undefined, 'GET', '/webhooks')).toBe(200)
    const answer = await fetch(`${server.controlUrl}/reset`, { method: 'POST' })
    expect([answer.status, (await answer.json()).error.message]).toEqual([
      403,
      'POST /_sim/reset is not left to the agent that is judged; --agent-controls all allows it.',
    ])
  })

  it.each([
    ['all', 200, 200],
    ['none', 'not_for_agents', 'not_for_agents'],
  ] as const)('leaves it %s of them if that is wanted', async (agentControls, reset, read) => {
    const server = await serveDesk({ agentControls })
    const [, agent] = tokens(server)
    expect(await status(server, agent, 'POST', '/reset')).toBe(reset)
    expect(await status(server, agent, 'GET', '/world')).toBe(read)
    expect(await status(server, agent, 'GET', '/health')).toBe(200)
  })
})
