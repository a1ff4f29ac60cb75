import { startServer } from 'agent-mailbox-sim/server'
import { expect, it, vi } from 'vitest'
import { desk } from './desk.js'
import { openSocket, readAnswers, requestText } from './raw-request.js'

it('close() ends every connection, however it stands, and lets go of the port', async () => {
  const server = await startServer({ scenario: desk, port: 0 })
  const { url } = server
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
  for (const socket of sockets) socket.end()
  await Promise.all(ends)
  await expect(fetch(`${url}/_sim/health`)).rejects.toThrow()
  const again = await startServer({ scenario: desk, port: Number(new URL(url).port) })
  await again.close()
})

it('close() lets go of the simulator, once', async () => {
  const { simulator, close } = await startServer({ scenario: desk, port: 0 })
  const closeSimulator = vi.spyOn(simulator, 'close')
  await Promise.all([close(), close()])
  await close()
  expect(closeSimulator).toHaveBeenCalledOnce()
})
