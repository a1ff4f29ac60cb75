import { describe, expect, it } from 'vitest'
import { hasIpv6 } from '../support/ipv6.js'
import { authorized, isUntouched, serveDesk } from './desk.js'
import { requestText, sendRaw } from './raw-request.js'

const patch = 'PATCH /api/v1/identities/support'
const body = '{"display_name":"Mallory"}'
const change = { ...authorized, 'content-type': 'application/json', 'content-length': String(body.length) }

describe('the Host of a request', () => {
  it('may be a name of this machine or an allowed one', async () => {
    const { url } = await serveDesk({ allowHosts: ['mail.test:8025'] })
    const hosts = ['localhost', 'LOCALHOST:1', '127.0.0.1:99', '[::1]:4280', '[0:0::1]']
    for (const host of [...hosts, 'mail.test', 'MAIL.test:80']) {
      const { status } = await sendRaw(url, requestText('GET /_sim/health', { host }))
      expect([host, status]).toEqual([host, 200])
    }
  })

  it('may be below an allowed name that begins with a dot', async () => {
    const { url } = await serveDesk({ allowHosts: ['.mail.test'] })
    const statusOf = async (host: string) =>
      (await sendRaw(url, requestText(patch, { ...change, host }, body))).status
    for (const host of ['mail.test', 'a.b.MAIL.test:80', 'localhost']) {
      expect([host, await statusOf(host)]).toEqual([host, 200])
    }
    for (const host of ['nomail.test', 'mail.test.evil.example']) {
      expect([host, await statusOf(host)]).toEqual([host, 421])
    }
    for (const wrong of ['10.1.0.0/16', '.', 'a/8', '.a b']) {
      await expect(serveDesk({ allowHosts: [wrong] }), wrong).rejects.toThrow('is not a host name or address')
    }
  })

  it('does not matter to health checks, and only to them', async () => {
    const { url } = await serveDesk({ controlToken: 'needed' })
    const answers = ['host: 10.0.0.7:80\r\n', 'host: a b\r\n', ''].map((field) => {
      return sendRaw(url, `GET /_sim/health HTTP/1.1\r\n${field}connection: close\r\n\r\n`)
    })
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
    const posted = await sendRaw(url, requestText('POST /_sim/health', { host: 'evil.example' }))
    expect(posted.status).toBe(421)
  })

  it('may not be any other name', async () => {
    const server = await serveDesk()
    const hosts = ['evil.example', 'app.localhost', 'localhost.', '127.0.0.2', '[::2]:4280', 'mail.test']
    for (const host of hosts) {
      const answer = await sendRaw(server.url, requestText(patch, { ...change, host }, body))
      const { error } = JSON.parse(answer.body)
      expect([host, answer.status, error.code]).toEqual([host, 421, 'misdirected_request'])
      expect(error.message).toMatch(/--allow-host \S+ allows it/)
      expect(await isUntouched(server), host).toBe(true)
    }
  })

  it('is required once and well formed', async () => {
    const server = await serveDesk()
    const addresses = ['[::1', '[::g]', 'localhost:port', 'localhost:99999']
    const names = ['', 'a b', 'user@localhost', 'localhost/x', '%6cocalhost', 'lokäl']
    const malformed = [...names, ...addresses].map((host) => requestText(patch, { ...change, host }, body))
    const counted = ['', 'host: localhost\r\nhost: evil.example\r\n'].map((fields) => {
      return `GET /api/v1/webhooks HTTP/1.1\r\n${fields}connection: close\r\n\r\n`
    })
    for (const request of [...malformed, ...counted]) {
      const answer = await sendRaw(server.url, request)
      expect([request, answer.status, JSON.parse(answer.body).error.code]).toEqual([
        request,
        400,
        'invalid_host',
      ])
      expect(await isUntouched(server), request).toBe(true)
    }
  })

  it.runIf(hasIpv6)('may be the bound IPv6 address, given as in URLs', async () => {
    const { url } = await serveDesk({ host: '[::1]' })
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect((await fetch(`${url}/_sim/health`)).status).toBe(200)
  })

  it('may be the bound address', async () => {
    const { url } = await serveDesk({ host: '127.0.0.2' })
    expect(url).toMatch('http://127.0.0.2:')
    expect((await fetch(`${url}/_sim/health`)).status).toBe(200)
  })
})

describe('the target of a request', () => {
  it('may be absolute with an allowed host', async () => {
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

  it('is refused with any other host', async () => {
    const server = await serveDesk()
    for (const [target, status, code] of [
      ['//evil.example/api/v1/identities/support', 400, 'invalid_target'],
      ['/\\evil.example/api/v1/identities/support', 400, 'invalid_target'],
      ['//localhost/api/v1/identities/support', 400, 'invalid_target'],
      ['http://localhost//evil.example/api/v1/identities/support', 400, 'invalid_target'],
      ['http://user:word@localhost/api/v1/identities/support', 400, 'invalid_target'],
      ['https://localhost/api/v1/identities/support', 400, 'invalid_target'],
      ['http://[::g]/api/v1/identities/support', 400, 'invalid_target'],
      ['http://evil.example/api/v1/identities/support', 421, 'misdirected_request'],
      ['*', 400, 'invalid_target'],
    ] as const) {
      const answer = await sendRaw(server.url, requestText(`PATCH ${target}`, change, body))
      expect([target, answer.status, JSON.parse(answer.body).error.code]).toEqual([target, status, code])
      expect(await isUntouched(server), target).toBe(true)
    }
  })

  it('is normalized before routing', async () => {
    const { url } = await serveDesk({ controlToken: 'needed' })
    for (const target of ['/_sim/../api/v1/webhooks', '/./api/v1/webhooks', '/api/v1/%2e%2e/v1/webhooks']) {
      const answer = await sendRaw(url, requestText(`GET ${target}`, authorized))
      const keys = Object.keys(JSON.parse(answer.body))
      expect([target, answer.status, keys]).toEqual([target, 200, ['webhooks', 'total']])
    }
  })

  it('cannot bypass the control token', async () => {
    const { url } = await serveDesk({ controlToken: 'needed' })
    for (const target of [
      '/x/../_sim/world',
      '/_sim/health/../world',
      'http://localhost/_sim/world',
      '/_sim/Health',
    ]) {
      expect((await sendRaw(url, requestText(`GET ${target}`))).status).toBe(403)
    }
  })
})

describe('a link in a delivery', () => {
  it.each<[string, string[], RegExp]>([
    ['127.0.0.1', ['mail.test'], /^http:\/\/127\.0\.0\.1:(?!8080)\d+\//],
    ['0.0.0.0', [], /^http:\/\/127\.0\.0\.1:\d+\//],
    ['0.0.0.0', ['mail.test', 'other.test'], /^http:\/\/mail\.test:\d+\//],
    ['0.0.0.0', ['mail.test:8080'], /^http:\/\/mail\.test:8080\//],
  ])(
    'has the address that other machines use: --host %s --allow-host %o',
    async (host, allowHosts, address) => {
      const assumptions = { 'events.data': 'nested' } as const
      const { simulator } = await serveDesk({ host, allowHosts, controlToken: 'token', assume: assumptions })
      const bodies: { readonly data: { readonly message: { readonly attachments: { url: string }[] } } }[] =
        []
      simulator.webhooks.on('http://127.0.0.1:9/hook', async (request) => {
        bodies.push((await request.json()) as (typeof bodies)[number])
        return new Response()
      })
      const attachments = [{ filename: 'a.txt', contentType: 'text/plain', content: 'aGVsbG8=' }]
      await simulator.mail.receive({ to: 'support', text: 'Hello', attachments })
      await simulator.clock.advance('1s')
      expect(bodies.map(({ data }) => data.message.attachments[0]?.url)).toEqual([
        expect.stringMatching(address),
      ])
    },
  )
})
