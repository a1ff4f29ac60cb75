import { request } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { authorized, serveDesk } from './desk.js'
import { openSocket, readAnswers, requestText } from './raw-request.js'

const patch = 'PATCH /api/v1/identities/support'
const json = { ...authorized, 'content-type': 'application/json' }

const nameAfter = ({ simulator }: Awaited<ReturnType<typeof serveDesk>>) =>
  simulator.identities.get('support').display_name

describe('a body that is too large', () => {
  it('is refused by its declared length before it arrives', async () => {
    const server = await serveDesk()
    const socket = await openSocket(server.url)
    // Nothing of the body is ever sent.
    socket.write(requestText(patch, { ...json, connection: 'keep-alive', 'content-length': '1048577' }))
    const answers = readAnswers(socket)
    socket.once('data', () => socket.end())
    const [answer] = await answers
    expect([answer?.status, JSON.parse(answer?.body ?? '').error.code]).toEqual([413, 'content_too_large'])
    expect(nameAfter(server)).toBe('Support')
  })

  it.each([
    [patch, json, 413],
    [patch, {}, 401],
    ['GET /api/v1/webhooks', authorized, 200],
    ['POST /api/v1/webhooks', authorized, 405],
    ['POST /nowhere', {}, 404],
    ['POST /attachments/att_1/a.txt', {}, 405],
    ['POST /_sim/health', {}, 405],
    ['POST /_sim/health', { host: 'evil.example' }, 421],
  ])('is not read endlessly: %s %o', async (line, headers, status) => {
    const server = await serveDesk()
    const socket = await openSocket(server.url)
    socket.write(requestText(line, { connection: 'keep-alive', ...headers, 'transfer-encoding': 'chunked' }))
    const endless = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const send = (): void => {
      while (socket.writable && socket.write(endless));
      if (socket.writable) socket.once('drain', send)
    }
    const answers = readAnswers(socket)
    send()
    expect((await answers).map((answer) => answer.status)).toEqual([status])
    expect(nameAfter(server)).toBe('Support')
    expect((await fetch(`${server.url}/_sim/health`)).status).toBe(200)
  })
})

describe('an unexpected body', () => {
  it('leaves the connection usable', async () => {
    const { url } = await serveDesk()
    const socket = await openSocket(url)
    const answers = readAnswers(socket)
    const body = '{"display_name":"Nobody"}'.padEnd(300_000)
    const headers = { connection: 'keep-alive', 'content-length': String(body.length) }
    socket.write(requestText(patch, headers, body))
    socket.write(requestText('POST /nowhere', headers, body))
    socket.write(requestText('GET /_sim/health'))
    expect((await answers).map(({ status }) => status)).toEqual([401, 404, 200])
  })
})

describe('a truncated body', () => {
  it.each([
    ['with a length', patch, { 'content-length': '26' }, '{"display_name":'],
    ['in chunks', patch, { 'transfer-encoding': 'chunked' }, '10\r\n{"display_name":\r\n'],
    ['to the control API', 'POST /_sim/identities', { 'content-length': '99' }, '{"handle":'],
  ])('%s is refused if the client still listens', async (_how, line, headers, body) => {
    const server = await serveDesk()
    const socket = await openSocket(server.url)
    const answers = readAnswers(socket)
    socket.end(requestText(line, { ...json, ...headers }, body))
    expect((await answers).map(({ status }) => status)).toEqual([400])
    expect(nameAfter(server)).toBe('Support')
  })

  it('changes nothing if the client has disconnected', async () => {
    const onDefect = vi.fn()
    const server = await serveDesk({ onDefect })
    const { port } = new URL(server.url)
    const path = '/api/v1/identities/support'
    const headers = { ...json, 'content-length': 26, expect: '100-continue' }
    const sent = request({ port, host: '127.0.0.1', method: 'PATCH', path, headers })
    // By then the server has the request; a connection that ends sooner may take it along.
    sent.once('continue', () => sent.write('{"display_name":', () => sent.destroy(new Error('gone'))))
    await new Promise<void>((resolve) => {
      sent.once('error', () => resolve())
      sent.flushHeaders()
    })
    await expect.poll(() => server.simulator.journal.exchanges().map(({ status }) => status)).toEqual([400])
    expect((await fetch(`${server.url}/_sim/health`)).status).toBe(200)
    expect(nameAfter(server)).toBe('Support')
    expect(onDefect).not.toHaveBeenCalled()
  })
})
