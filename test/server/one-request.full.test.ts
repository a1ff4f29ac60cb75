import { startServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { ask } from './control-client.js'
import { authorized, serveDesk } from './desk.js'

describe('a fault whose path has many wildcards', () => {
  it('is matched with a long path in linear time', async () => {
    const server = await serveDesk()
    for (const path of ['/*a*a*a*b', `/${'*a'.repeat(500)}b`, '/*.*.*.*.*.*x']) {
      expect((await ask(server, 'POST', '/faults', { body: { path, status: 503 } })).status).toBe(201)
    }
    for (const path of ['a'.repeat(12_000), 'a/'.repeat(6_000), '.'.repeat(12_000)]) {
      expect((await fetch(`${server.url}/${path}`, { headers: authorized })).status).toBe(404)
    }
  })
})

describe('a long advance', () => {
  it('does not block requests to other worlds', async () => {
    const receive = { to: 'eva', from: 'Ann <ann@mailbox.example>', text: 'More' }
    const entry = { after: '1s', repeat: { times: 10_000, every: '1s' }, receive }
    const server = await startServer({
      scenario: { scenario: 'long', identities: [{ handle: 'eva' }], timeline: [entry, entry] } as never,
      port: 0,
      clock: 'frozen',
    })
    const { body: other } = await ask(server, 'POST', '/worlds', { body: {} })
    let isOver = false
    const advanced = ask(server, 'POST', '/clock', { body: { advance: '3h' } }).finally(() => {
      isOver = true
    })
    let answered = 0
    while (!isOver) {
      const headers = { authorization: `Bearer ${other.api_key}` }
      expect((await fetch(`${server.url}/api/v1/mail/threads`, { headers })).status).toBe(200)
      answered++
    }
    expect((await advanced).status).toBe(200)
    // Without pauses, only the first requests are answered before the advance begins, and one after it.
    expect(answered).toBeGreaterThan(5)
    await server.close()
  }, 60_000)
})
