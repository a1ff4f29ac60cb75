import { describe, expect, it, vi } from 'vitest'
import { defaultReadings } from '../../src/contract/gaps.js'
import { ask } from './control-client.js'
import { serveDesk } from './desk.js'
import { openSocket, readAnswers, requestText } from './raw-request.js'

const json = { 'content-type': 'application/json' }
const change = { 'threads.total': 'all-threads', 'threads.unscoped': 'empty' }
const wish = JSON.stringify(change)

describe('PATCH /_sim/readings', () => {
  it('answers a truncated body', async () => {
    const onDefect = vi.fn()
    const server = await serveDesk({ onDefect })
    const socket = await openSocket(server.url)
    const answers = readAnswers(socket)
    socket.end(requestText('PATCH /_sim/readings', { ...json, 'content-length': '99' }, wish))
    expect((await answers).map(({ status }) => status)).toEqual([400])
    expect((await ask(server, 'GET', '/readings')).body.readings).toEqual(defaultReadings)
    expect(onDefect).not.toHaveBeenCalled()
  })
})
