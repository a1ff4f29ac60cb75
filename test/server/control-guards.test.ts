import type { RunningServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { ask, type Operation, operations } from './control-client.js'
import { serveDesk } from './desk.js'
import { requestText, sendRaw } from './raw-request.js'

/** A valid request. */
interface Valid {
  readonly path: string
  readonly body?: string
}

const bodies: Readonly<Record<string, object>> = {
  postMessages: { to: 'support', subject: 'Hello' },
  postIdentities: { handle: 'eva' },
  postWebhooks: { url: 'http://127.0.0.1:9/eva', events: ['message.received'] },
  postMessagesIdDelivered: { recipient: 'ann@mail.example' },
  postMessagesIdBounced: {},
  postClock: { advance: '1m' },
  postFaults: { status: 503 },
  patchReadings: { 'threads.total': 'page-size' },
}

/** Serves a desk with everything that can be changed, and returns a valid request for each operation. */
async function prepared(options: Parameters<typeof serveDesk>[0] = {}) {
  const server = await serveDesk({ receiver: () => new Response(), ...options })
  const { simulator } = server
  const fork = simulator.fork()
  const { thread } = await simulator.mail.receive({ to: 'support', subject: 'Before' })
  const sent = await simulator.mail.send({ from: 'support', to: 'ann@mail.example', text: 'On its way.' })
  const delivery = await simulator.waitFor({ delivery: 'message.received' }, { timeout: '20s' })
  const fault = simulator.faults.add({ operation: 'webhooks.list', status: 500 })
  const [webhook] = simulator.webhooks.list()
  const { threads } = simulator.mailbox.threads({})
  const messages = threads.flatMap(({ id }) => simulator.mailbox.conversation(id).messages)
  const attachment = messages.flatMap(({ attachments }) => attachments)[0]
  const named: Readonly<Record<string, string>> = {
    '/_sim/worlds/{id}': fork.id,
    '/_sim/messages/{id}/delivered': sent.message.id,
    '/_sim/messages/{id}/bounced': sent.message.id,
    '/_sim/deliveries/{id}': delivery.id,
    '/_sim/deliveries/{id}/redeliver': delivery.id,
    '/_sim/messages/{id}/raw': sent.message.id,
    '/_sim/attachments/{id}': attachment?.id ?? '',
    '/_sim/threads/{id}': thread.id,
    '/_sim/threads/{id}/read': thread.id,
    '/_sim/threads/{id}/unread': thread.id,
    '/_sim/identities/{handle}': 'support',
    '/_sim/webhooks/{id}': webhook?.id ?? '',
    '/_sim/faults/{id}': fault.id,
  }
  const valid = ({ id, path, takesBody }: Operation): Valid => {
    const filled = path.replace(/\{\w+\}/, named[path] ?? 'unknown')
    const body = id === 'putSnapshot' ? simulator.snapshot() : (bodies[id] ?? {})
    return { path: filled, ...(takesBody && { body: JSON.stringify(body) }) }
  }
  return { server, valid }
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
    readings: world.readings.current(),
    origins: world.readings.origins(),
  }))
}

const json = { 'content-type': 'application/json' }
const isChange = ({ method }: Operation) => method !== 'GET'
const streams = ({ id }: Operation) => id === 'getEvents'

/** A change to the valid requests, with the expected answer. */
interface Refused {
  readonly operations?: (operation: Operation) => boolean
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the valid body. */
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly query?: string
  readonly answer: readonly [status: number, code: string]
}

type Prepared = Awaited<ReturnType<typeof prepared>>

/** Sends a refused request to every operation and checks that nothing changes. */
async function refuses({ server, valid }: Prepared, refused: Refused): Promise<void> {
  const before = stateOf(server)
  const { headers = {}, query = '', answer } = refused
  for (const operation of operations.filter(refused.operations ?? (() => true))) {
    const { path, body: validBody } = valid(operation)
    const body = refused.body ?? validBody
    const sent = await fetch(`${server.url}${path}${query}`, {
      method: operation.method,
      headers: { ...(body !== undefined && json), ...headers },
      ...(body !== undefined && { body }),
    })
    const { error } = await sent.json()
    const name = `${operation.method} ${operation.path}${query} ${JSON.stringify(headers)}`
    expect([name, sent.status, error.code, typeof error.message]).toEqual([name, ...answer, 'string'])
    expect(sent.headers.get('access-control-allow-origin')).toBeNull()
  }
  expect(stateOf(server), JSON.stringify({ headers, query })).toEqual(before)
}

/** Matches all operations but the health check. */
const butHealth = ({ method, path }: (typeof operations)[number]) =>
  !(method === 'GET' && path.endsWith('/health'))

/** The same with headers that `fetch` does not send. */
async function refusesRaw(
  { server, valid }: Prepared,
  { operations: wanted = () => true, headers: given = {}, answer }: Refused,
): Promise<void> {
  const before = stateOf(server)
  for (const operation of operations.filter(wanted)) {
    const { path, body = '' } = valid(operation)
    const headers = { ...given, ...json, 'content-length': String(Buffer.byteLength(body)) }
    const sent = await sendRaw(server.url, requestText(`${operation.method} ${path}`, headers, body))
    const name = `${operation.id} ${JSON.stringify(given)}`
    expect([name, sent.status, JSON.parse(sent.body).error.code]).toEqual([name, ...answer])
  }
  expect(stateOf(server), JSON.stringify(given)).toEqual(before)
}

describe('every operation of the control API', () => {
  it('accepts a valid request', async () => {
    for (const operation of operations.filter((one) => !streams(one))) {
      const { server, valid } = await prepared()
      const { path, body } = valid(operation)
      const sent = { method: operation.method, ...(body !== undefined && { headers: json, body }) }
      const { status } = await fetch(server.url + path, sent)
      expect([operation.id, status < 300]).toEqual([operation.id, true])
    }
  })

  it('requires the token if one is set', async () => {
    const desk = await prepared({ controlToken: 'sesame' })
    for (const authorization of ['Bearer open', 'Basic sesame', 'Bearer sesame sesame']) {
      await refuses(desk, { operations: butHealth, headers: { authorization }, answer: [403, 'forbidden'] })
    }
    await refuses(desk, { operations: butHealth, answer: [403, 'forbidden'] })
    expect((await fetch(`${desk.server.url}/_sim/health`)).status).toBe(200)
  })

  it('is closed to other machines without a token', async () => {
    const desk = await prepared({ host: '0.0.0.0' })
    await refuses(desk, {
      operations: butHealth,
      headers: { authorization: 'Bearer undefined' },
      answer: [403, 'forbidden'],
    })
  })

  it('refuses pages of other origins', async () => {
    const desk = await prepared()
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost:3000',
      'http://127.0.0.1',
      'https://127.0.0.1:4280',
      'http://127.0.0.1.evil.example',
      '',
    ]) {
      await refuses(desk, { headers: { origin }, answer: [403, 'foreign_origin'] })
    }
  })

  it('refuses pages of other sites in every fetch mode', async () => {
    const desk = await prepared()
    for (const [site, mode] of [
      ['cross-site', 'no-cors'],
      ['same-site', 'cors'],
      ['anything', 'websocket'],
      ['cross-site', 'navigate'],
    ] as const) {
      await refusesRaw(desk, {
        operations: (one) => mode !== 'navigate' || isChange(one),
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

  it('refuses other hosts', async () => {
    const desk = await prepared()
    for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.']) {
      await refusesRaw(desk, { headers: { host }, answer: [421, 'misdirected_request'] })
    }
  })

  it('refuses unknown query parameters', async () => {
    const desk = await prepared()
    await refuses(desk, { query: '?__proto__=1', answer: [400, 'invalid_query'] })
    await refuses(desk, { query: '?x', answer: [400, 'invalid_query'] })
  })

  it('refuses unknown worlds', async () => {
    const desk = await prepared()
    for (const world of ['world_9', 'WORLD_1', '__proto__', '']) {
      await refuses(desk, { headers: { 'x-sim-world': world }, answer: [404, 'unknown_world'] })
      await refuses(desk, { query: `?world=${world}`, answer: [404, 'unknown_world'] })
    }
  })

  it('refuses two worlds', async () => {
    const desk = await prepared()
    const headers = { 'x-sim-world': 'world_1' }
    await refuses(desk, { headers, query: '?world=world_2', answer: [400, 'invalid_query'] })
    await refuses(desk, { query: '?world=world_1&world=world_1', answer: [400, 'invalid_query'] })
  })

  it('refuses other methods', async () => {
    const { server, valid } = await prepared()
    const before = stateOf(server)
    for (const { path } of operations) {
      const there = operations.filter((one) => one.path === path)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (there.some((one) => one.method === method)) continue
        const asked = valid({ ...(there[0] as Operation), takesBody: false }).path
        const body = ['GET', 'OPTIONS'].includes(method) ? {} : { body: '{}', headers: json }
        const answer = await fetch(server.url + asked, { method, ...body })
        expect([path, method, answer.status]).toEqual([path, method, 405])
      }
      expect(stateOf(server), path).toEqual(before)
    }
  })
})

describe('every change over the control API', () => {
  it('refuses other content types, even without a body', async () => {
    const desk = await prepared()
    const answer = [415, 'unsupported_media_type'] as const
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      // Browsers send these to other sites without asking first, too.
      'application/csp-report',
      'application/reports+json',
      'text/ping',
      'text/json',
      'application/jsonx',
      'application/octet-stream',
    ]) {
      const headers = { 'content-type': type }
      await refuses(desk, { operations: isChange, headers, body: '{}', answer })
      const alone = (operation: Operation) => isChange(operation) && !operation.takesBody
      await refuses(desk, { operations: alone, headers, answer })
    }
  })

  it('refuses bodies without a content type', async () => {
    const { server, valid } = await prepared()
    const before = stateOf(server)
    for (const operation of operations.filter(isChange)) {
      const { path, body = '{}' } = valid(operation)
      for (const headers of [
        { 'content-length': String(Buffer.byteLength(body)) },
        { 'transfer-encoding': 'chunked' },
      ]) {
        const chunks =
          'content-length' in headers
            ? body
            : `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`
        const answer = await sendRaw(server.url, requestText(`${operation.method} ${path}`, headers, chunks))
        expect([operation.id, answer.status]).toEqual([operation.id, 415])
        expect(stateOf(server)).toEqual(before)
      }
    }
  })

  it('refuses JSON that is malformed, nested too deep or not UTF-8', async () => {
    const desk = await prepared()
    for (const body of [
      '{"status": 503',
      '{} {}',
      '\u{feff}',
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      `{"status":503,"body":${'[['.repeat(5000)}1${']]'.repeat(5000)}}`,
      Uint8Array.from(Buffer.from('{"handle":"ev\xff"}', 'latin1')),
    ]) {
      await refuses(desk, { operations: isChange, body, answer: [400, 'invalid_json'] })
    }
  })

  it('refuses other JSON values and unknown keys', async () => {
    const { server, valid } = await prepared()
    const before = stateOf(server)
    const others = ['[]', 'null', '"x"', '7', '1e999'].map((other) => () => other)
    const keys = ['unknown', 'constructor', '__proto__'].map((key) => (body: string) => {
      return body === '{}' ? `{"${key}":{"x":1}}` : `{"${key}":{"x":1},${body.slice(1)}`
    })
    for (const change of [...others, ...keys]) {
      for (const operation of operations.filter(isChange)) {
        const { path, body: validBody = '{}' } = valid(operation)
        const body = change(validBody)
        const answer = await fetch(server.url + path, { method: operation.method, headers: json, body })
        expect([operation.id, body, answer.status]).toEqual([operation.id, body, 400])
        expect((await answer.json()).error.message).toMatch(/\w/)
      }
      expect(stateOf(server), change('{}')).toEqual(before)
    }
  })

  it('refuses a body that is too large', async () => {
    const desk = await prepared()
    const answer = [413, 'content_too_large'] as const
    const only = (id: string) => (operation: Operation) => operation.id === id
    const others = (one: Operation) => {
      return isChange(one) && !['postMessages', 'postWorlds', 'putSnapshot'].includes(one.id)
    }
    await refuses(desk, { operations: others, body: '{}'.padEnd(65_537), answer })
    await refuses(desk, { operations: only('postWorlds'), body: '{}'.padEnd(10_485_761), answer })
    await refuses(desk, { operations: only('postMessages'), body: '{}'.padEnd(52_428_801), answer })
    const headers = { 'content-type': 'message/rfc822' }
    const mail = 'x'.repeat(36_700_161)
    await refuses(desk, { operations: only('postMessages'), headers, body: mail, answer })
  })

  it('accepts no body or an empty object if nothing is required', async () => {
    const silent = operations.filter((one) => isChange(one) && (!one.takesBody || one.id === 'postWorlds'))
    expect(silent.length).toBeGreaterThan(5)
    for (const operation of silent) {
      for (const headers of [
        {},
        { 'content-length': '0' },
        { ...json, 'content-length': '0' },
        { 'content-type': 'application/json; charset=utf-8', 'content-length': '2' },
      ]) {
        const { server, valid } = await prepared()
        const body = 'content-length' in headers && headers['content-length'] === '2' ? '{}' : ''
        const text = requestText(`${operation.method} ${valid(operation).path}`, headers, body)
        // A 204 has no length to go by.
        const { status } = await sendRaw(server.url, text)
        expect([operation.id, status < 300]).toEqual([operation.id, true])
      }
    }
  })
})

it('HEAD on a document of the control API returns its headers without the body', async () => {
  const { server, valid } = await prepared()
  for (const operation of operations.filter((one) => one.method === 'GET' && !streams(one))) {
    const { path } = valid(operation)
    const head = await fetch(server.url + path, { method: 'HEAD' })
    const whole = await fetch(server.url + path)
    expect([operation.id, head.status, await head.text()]).toEqual([operation.id, whole.status, ''])
    expect(head.headers.get('content-type')).toBe(whole.headers.get('content-type'))
  }
  expect((await ask(server, 'GET', '/health')).status).toBe(200)
})
