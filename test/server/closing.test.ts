import { once } from 'node:events'
import type { Socket } from 'node:net'
import { startServer } from 'agent-mailbox-sim/server'
import { expect, it, vi } from 'vitest'
import { authorized, desk, serveDesk } from './desk.js'
import { openSocket, readAnswers, requestText } from './raw-request.js'

it('close() ends connections in any state, frees the port and closes the simulator once', async () => {
  const server = await startServer({ scenario: desk, port: 0 })
  const { url } = server
  const closeSimulator = vi.spyOn(server.simulator, 'close')
  const sent = [
    '',
    'GET /half-a-request HTT',
    requestText('GET /_sim/health', { connection: 'keep-alive' }),
    requestText('PATCH /api/v1/identities/support', {
      authorization: 'Bearer desk-key',
      'content-length': '9',
    }),
    requestText('CONNECT evil.example:443'),
    'no HTTP\r\n\r\n',
  ]
  const sockets = await Promise.all(sent.map(() => openSocket(url)))
  const ends = sockets.map((socket, index) => {
    socket.allowHalfOpen = true
    socket.write(sent[index] as string)
    return readAnswers(socket)
  })
  // By the time this is answered, the server has all the connections.
  await fetch(`${url}/_sim/health`)
  await Promise.all([server.close(), server.close()])
  await server.close()
  expect(closeSimulator).toHaveBeenCalledOnce()
  for (const socket of sockets) socket.end()
  await Promise.all(ends)
  await expect(fetch(`${url}/_sim/health`)).rejects.toThrow()
  const again = await startServer({ scenario: desk, port: Number(new URL(url).port) })
  await again.close()
})

/** Resolves once a connection has brought a text. */
function isSent(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve) => {
    let sent = ''
    socket.on('data', function read(part) {
      sent += part
      if (!sent.includes(text)) return
      socket.off('data', read)
      resolve()
    })
  })
}

it('close({ drain }) answers earlier requests and refuses later ones', async () => {
  const { url, simulator, close } = await serveDesk()
  simulator.faults.add({ operation: 'webhooks.list', delay: '5m' })
  const sockets = await Promise.all([url, url, url].map(openSocket))
  const [slow, idle, stream] = sockets as [Socket, Socket, Socket]
  const keep = { connection: 'keep-alive' }
  stream.write(requestText('GET /_sim/events', keep))
  await isSent(stream, 'text/event-stream')
  slow.write(requestText('GET /api/v1/webhooks', { ...keep, ...authorized }))
  idle.write(requestText('GET /_sim/health', keep))
  // Answered after the request that is slow has arrived.
  await isSent(idle, '"ok"')
  const ended = once(idle, 'close')
  const closed = close({ drain: 60_000 })
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  await ended
  const answers = readAnswers(slow)
  simulator.clock.advance('5m')
  const [answer] = await answers
  expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'close'])
  await closed
  stream.destroy()
})

it('close({ drain }) waits no longer than its limit', async () => {
  const { url, simulator, close } = await serveDesk()
  simulator.faults.add({ operation: 'webhooks.list', delay: '5m' })
  const answered = fetch(`${url}/api/v1/webhooks`, { headers: authorized })
  answered.catch(() => undefined)
  await fetch(`${url}/_sim/health`)
  await close({ drain: 1 })
  await expect(answered).rejects.toThrow('fetch failed')
})
