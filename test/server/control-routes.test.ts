import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { defaultReadings } from '../../src/contract/gaps.js'
import { createOpenApi } from '../../src/contract/openapi.js'
import { ask, refusal } from './control-client.js'
import { authorized, serveDesk } from './desk.js'
import { requestText, sendRaw } from './raw-request.js'

describe('GET /_sim/reliances', () => {
  it('returns the gaps that requests relied on, with reading, operations and count', async () => {
    const server = await serveDesk()
    const reliances = async () => (await ask(server, 'GET', '/reliances')).body.reliances
    expect(await reliances()).toEqual([])
    for (const _ of [1, 2]) await fetch(`${server.url}/api/v1/mail/threads`, { headers: authorized })
    const noted = await reliances()
    expect(noted).toContainEqual({
      gap: 'threads.unscoped',
      reading: 'all',
      operations: ['threads.list'],
      count: 2,
    })
    expect(noted).toEqual(server.simulator.reliances())
    // A request to the control API relies on nothing.
    expect(await reliances()).toEqual(noted)
  })
})

describe('GET /_sim/openapi.json', () => {
  it('returns the documented interface with the current readings', async () => {
    const server = await serveDesk()
    server.simulator.readings.set({ 'threads.total': 'page-size' })
    const { version } = packageJson
    const readings = { ...defaultReadings, 'threads.total': 'page-size' } as const
    const expected = createOpenApi({ version, readings, server: server.url })
    const answer = await fetch(`${server.controlUrl}/openapi.json`)
    expect([answer.status, await answer.json()]).toEqual([200, JSON.parse(JSON.stringify(expected))])
  })
})

describe('the control API', () => {
  it('answers unknown paths and methods in JSON and suggests the nearest route', async () => {
    const server = await serveDesk()
    expect(await refusal(server, 'GET', '/reading?x=1')).toBe(
      '404 not_found: The control API has no /_sim/reading; did you mean "/_sim/readings"? GET /_sim/control.json describes all routes.',
    )
    expect(await refusal(server, 'GET', '/nothing-of-the-kind')).toBe(
      '404 not_found: The control API has no /_sim/nothing-of-the-kind. GET /_sim/control.json describes all routes.',
    )
    for (const path of ['/_sim/%zz', '/_sim/Health', '/_sim/health/', '/_SIM/health']) {
      const answer = await fetch(server.url + path)
      expect([path, answer.status, typeof (await answer.json()).error.message]).toEqual([path, 404, 'string'])
    }
    const post = await fetch(`${server.controlUrl}/health`, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    const put = await refusal(server, 'PUT', '/readings', { body: {} })
    expect(put).toMatch(/^405 .*\/_sim\/readings.* not PUT/)
    expect(await refusal(server, 'GET', '/threads/msg_none')).toMatch(/"msg_none".*the id of a message/)
    expect(await refusal(server, 'GET', '/messages/thrd_none/raw')).toMatch(/the id of a thread.*\/threads/)
  })

  it('requires the token if one is set, except for the health check', async () => {
    const { url } = await serveDesk({ host: '0.0.0.0', controlToken: 'sesame', allowHosts: ['mail.lan'] })
    const status = async (path: string, authorization = '', method = 'GET') =>
      (await fetch(url + path, { method, headers: { authorization } })).status
    for (const wrong of ['', 'Bearer sesame2', 'Bearer sesame x', 'sesame']) {
      expect([wrong, await status('/_sim/clock', wrong)]).toEqual([wrong, 403])
    }
    expect(await status('/_sim/clock', 'Bearer sesame')).toBe(200)
    expect(await status('/_sim/nothing')).toBe(403)
    expect(await status('/_sim/health', '', 'HEAD')).toBe(200)
    expect(await status('/_sim/health', '', 'POST')).toBe(403)
    expect(await status('/api/v1/webhooks')).toBe(401)
    const headers = { host: 'mail.lan', authorization: 'bearer sesame' }
    expect((await sendRaw(url, requestText('GET /_sim/clock', headers))).status).toBe(200)
  })
})
