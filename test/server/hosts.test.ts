import { describe, expect, it } from 'vitest'
import { authorized, isUntouched, serveDesk } from './desk.js'
import { requestText, sendRaw } from './raw-request.js'

const patch = 'PATCH /api/v1/identities/support'
const body = '{"display_name":"Mallory"}'
const change = { ...authorized, 'content-type': 'application/json', 'content-length': String(body.length) }

describe('the Host of a request', () => {
  it.each([
    'localhost',
    'LOCALHOST:1',
    '127.0.0.1:99',
    '[::1]:4280',
    '[0:0::1]',
    'mail.test',
    'MAIL.test:80',
  ])('may be %s', async (host) => {
    const { url } = await serveDesk({ allowHosts: ['mail.test:8025'] })
    const answer = await sendRaw(url, requestText('GET /_sim/health', { host }))
    expect(answer.status).toBe(200)
  })

  it.each(['evil.example', 'app.localhost', 'localhost.', '127.0.0.2', '[::2]:4280', 'mail.test'])(
    'may not be %s',
    async (host) => {
      const server = await serveDesk()
      const answer = await sendRaw(server.url, requestText(patch, { ...change, host }, body))
      expect(answer.status).toBe(421)
      const { error } = JSON.parse(answer.body)
      expect(error.code).toBe('misdirected_request')
      expect(error.message).toMatch(/--allow-host \S+ adds it/)
      expect(await isUntouched(server)).toBe(true)
    },
  )

  it.each([
    '',
    'a b',
    'user@localhost',
    'localhost:port',
    'localhost:99999',
    'localhost/x',
    '%6cocalhost',
    '[::1',
    '[::g]',
    'lokäl',
  ])('cannot be "%s"', async (host) => {
    const server = await serveDesk()
    const answer = await sendRaw(server.url, requestText(patch, { ...change, host }, body))
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([400, 'invalid_host'])
    expect(await isUntouched(server)).toBe(true)
  })

  it.each([
    ['is missing', `connection: close\r\n`],
    ['is given twice', `host: localhost\r\nhost: evil.example\r\nconnection: close\r\n`],
  ])('is refused when it %s', async (_case, fields) => {
    const server = await serveDesk()
    const answer = await sendRaw(server.url, `GET /api/v1/webhooks HTTP/1.1\r\n${fields}\r\n`)
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([400, 'invalid_host'])
    expect(await isUntouched(server)).toBe(true)
  })

  it('may be the one the server was bound to', async () => {
    const { url } = await serveDesk({ host: '127.0.0.2' })
    expect(url).toMatch('http://127.0.0.2:')
    expect((await fetch(`${url}/_sim/health`)).status).toBe(200)
  })
})

describe('the target of a request', () => {
  it('may be absolute, with a host the server goes by', async () => {
    const server = await serveDesk({ allowHosts: ['mail.test'] })
    const line = 'GET http://mail.test:8025/api/v1/mail/messages?limit=1'
    const answer = await sendRaw(server.url, requestText(line, authorized))
    expect(answer.status).toBe(200)
    expect(answer.body).toBe(
      (await sendRaw(server.url, requestText('GET /api/v1/mail/messages?limit=1', authorized))).body,
    )
    const whole = await sendRaw(
      server.url,
      requestText('GET http://mail.test:8025/api/v1/mail/messages', authorized),
    )
    expect(whole.body).toMatch('http://mail.test:8025/attachments/')
  })

  it.each([
    ['//evil.example/api/v1/identities/support', 400],
    ['/\\evil.example/api/v1/identities/support', 400],
    ['//localhost/api/v1/identities/support', 400],
    ['http://localhost//evil.example/api/v1/identities/support', 400],
    ['http://user:word@localhost/api/v1/identities/support', 400],
    ['https://localhost/api/v1/identities/support', 400],
    ['http://[::g]/api/v1/identities/support', 400],
    ['http://evil.example/api/v1/identities/support', 421],
    ['*', 400],
  ])('is refused when it is %s', async (target, status) => {
    const server = await serveDesk()
    const answer = await sendRaw(server.url, requestText(`PATCH ${target}`, change, body))
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body).error.code).toBe(status === 400 ? 'invalid_target' : 'misdirected_request')
    expect(await isUntouched(server)).toBe(true)
  })

  it('is refused by the handlers when its percent-encoding is wrong', async () => {
    const server = await serveDesk()
    const line = 'PATCH /api/v1/identities/%zz'
    const answer = await sendRaw(server.url, requestText(line, change, body))
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body).error.code).toBe('invalid_request')
    expect(server.simulator.identities.get('support').display_name).toBe('Support')
  })

  it.each(['/_sim/../api/v1/webhooks', '/./api/v1/webhooks', '/api/v1/%2e%2e/v1/webhooks'])(
    'means the same path to the server and the handlers when it is %s',
    async (target) => {
      const { url } = await serveDesk({ controlToken: 'needed' })
      const answer = await sendRaw(url, requestText(`GET ${target}`, authorized))
      expect([answer.status, Object.keys(JSON.parse(answer.body))]).toEqual([200, ['webhooks', 'total']])
    },
  )

  it('cannot go around the control token', async () => {
    const { url } = await serveDesk({ controlToken: 'needed' })
    for (const target of ['/x/../_sim/health', '/_sim/./health', 'http://localhost/_sim/health']) {
      expect((await sendRaw(url, requestText(`GET ${target}`))).status).toBe(403)
    }
  })
})
