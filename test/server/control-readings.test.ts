import { describe, expect, it, vi } from 'vitest'
import { defaultReadings, gapIds } from '../../src/contract/gaps.js'
import { ask } from './control-client.js'
import { authorized, serveDesk } from './desk.js'
import { openSocket, readAnswers, requestText } from './raw-request.js'

const json = { 'content-type': 'application/json' }
const change = { 'threads.total': 'all-threads', 'threads.unscoped': 'empty' }
const wish = JSON.stringify(change)

describe('GET /_sim/readings', () => {
  it('returns the reading of every gap with its origin', async () => {
    const server = await serveDesk({
      readings: [{ from: '--reading', input: { 'threads.total': 'page-size' } }],
    })
    const { body } = await ask(server, 'GET', '/readings')
    const fromDefault = Object.fromEntries(gapIds.map((gap) => [gap, 'default']))
    expect(body).toMatchObject({
      readings: { ...defaultReadings, 'threads.total': 'page-size' },
      origins: { ...fromDefault, 'threads.total': '--reading' },
    })
    expect(body.gaps.map(({ gap }: { gap: string }) => gap)).toEqual(gapIds)
    const total = body.gaps.find(({ gap }: { gap: string }) => gap === 'threads.total')
    expect(total).toMatchObject({ reading: 'page-size', from: '--reading' })
    expect(total.readings.map(({ name }: { name: string }) => name)).toContain('all-matches')
  })
})

describe('PATCH /_sim/readings', () => {
  it('changes readings for the next answers', async () => {
    const server = await serveDesk()
    const { status, body } = await ask(server, 'PATCH', '/readings', { body: change })
    expect([status, body.readings]).toEqual([200, { ...defaultReadings, ...change }])
    expect(body.origins).toMatchObject({
      'threads.total': 'set while running',
      'threads.unscoped': 'set while running',
      'threads.order': 'default',
    })
    expect(body).toEqual((await ask(server, 'GET', '/readings')).body)
    const threads = await fetch(`${server.url}/api/v1/mail/threads`, { headers: authorized })
    expect(await threads.json()).toEqual({ threads: [], total: 1 })
  })

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
