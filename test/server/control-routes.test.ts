import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { defaultAssumptions } from '../../src/contract/gaps.js'
import { createOpenApi } from '../../src/contract/openapi.js'
import { serveDesk } from './desk.js'
import { requestText, sendRaw } from './raw-request.js'

describe('GET /_sim/openapi.json', () => {
  it('returns the documented interface with the current assumptions', async () => {
    const server = await serveDesk()
    server.simulator.assumptions.set({ 'threads.total': 'page-size' })
    const { version } = packageJson
    const assumptions = { ...defaultAssumptions, 'threads.total': 'page-size' } as const
    const expected = createOpenApi({ version, assumptions, server: server.url })
    const answer = await fetch(`${server.controlUrl}/openapi.json`)
    expect([answer.status, await answer.json()]).toEqual([200, JSON.parse(JSON.stringify(expected))])
  })
})

describe('the control API', () => {
  it('names the methods of a route', async () => {
    const server = await serveDesk()
    const post = await fetch(`${server.controlUrl}/health`, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await fetch(`${server.url}/_SIM/health`)).status).toBe(404)
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
