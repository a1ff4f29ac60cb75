import { describe, expect, it } from 'vitest'
import { authorized, isUntouched, serveDesk } from './desk.js'
import { openSocket, readAnswers, requestText, sendRaw } from './raw-request.js'

const patch = 'PATCH /api/v1/identities/support'
const json = { ...authorized, 'content-type': 'application/json' }

describe('methods', () => {
  it('TRACE and CONNECT are refused', async () => {
    const server = await serveDesk()
    for (const line of ['TRACE /api/v1/webhooks', 'TRACE /_sim/health', 'CONNECT evil.example:443']) {
      const answer = await sendRaw(server.url, requestText(line, authorized))
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, PATCH'])
      expect(JSON.parse(answer.body).error.code).toBe('method_not_allowed')
    }
    expect(await isUntouched(server)).toBe(true)
  })

  it('unusual ones are refused by the handlers', async () => {
    const { url } = await serveDesk()
    const answer = await sendRaw(url, requestText('M-SEARCH /api/v1/webhooks', authorized))
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET'])
  })
})

describe('a request that is not HTTP', () => {
  const long = 'x'.repeat(100_000)
  const chunked = { ...json, 'transfer-encoding': 'chunked' }
  it.each([
    ['no request line', 'hello\r\n\r\n', 400],
    ['a method nobody knows', requestText('TRACK /'), 400],
    ['a header without a name', requestText('GET /', { ' ': 'x' }), 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x05\x00\x01\x00', 400],
    ['two lengths', requestText(patch, { ...json, 'content-length': '2\r\ncontent-length: 3' }, '{}'), 400],
    ['a length and chunks', requestText(patch, { ...chunked, 'content-length': '2' }, '{}'), 400],
    ['a chunk without a size', requestText(patch, chunked, 'zz\r\n'), 400],
    ['headers without end', requestText('GET /', { 'x-long': long }), 431],
    ['a target without end', requestText(`GET /${long}`), 431],
  ])('is refused: %s', async (_what, text, status) => {
    const server = await serveDesk()
    const answer = await sendRaw(server.url, text)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json'])
    const code = status === 431 ? 'request_header_fields_too_large' : 'malformed_request'
    expect(JSON.parse(answer.body).error.code).toBe(code)
    expect(server.simulator.identities.get('support').display_name).toBe('Support')
    expect((await fetch(`${server.url}/_sim/health`)).status).toBe(200)
  })

  it('is refused after the previous request is answered', async () => {
    const { url, simulator } = await serveDesk()
    const body = '{"display_name":"Renamed"}'
    const headers = { ...json, connection: 'keep-alive', 'content-length': String(body.length) }
    const socket = await openSocket(url)
    socket.write(requestText(patch, headers, `${body}and then some\r\n\r\n`))
    const [first, second] = await readAnswers(socket)
    expect([first?.status, second?.status]).toEqual([200, 400])
    expect(simulator.identities.get('support').display_name).toBe('Renamed')
  })
})

it('ignores an unknown Expect header and an upgrade', async () => {
  const { url } = await serveDesk()
  for (const headers of [{ expect: 'a miracle' }, { connection: 'upgrade, close', upgrade: 'websocket' }]) {
    expect((await sendRaw(url, requestText('GET /_sim/health', headers))).status).toBe(200)
  }
})
