import { describe, expect, it } from 'vitest'
import { serveDesk } from './desk.js'
import { requestText, sendRaw } from './raw-request.js'

const clock = (url: string, authorization?: string) =>
  fetch(`${url}/_sim/clock`, authorization === undefined ? {} : { headers: { authorization } })

describe('the control API', () => {
  it('answers in JSON what it does not have', async () => {
    const { url } = await serveDesk()
    const missing = await fetch(`${url}/_sim/nothing?x=1`)
    expect([missing.status, (await missing.json()).error.code]).toEqual([404, 'not_found'])
    for (const path of ['/_sim/%zz', '/_sim/Health', '/_sim/health/', '/_SIM/health']) {
      const answer = await fetch(url + path)
      expect([path, answer.status, typeof (await answer.json()).error.message]).toEqual([path, 404, 'string'])
    }
    const post = await fetch(`${url}/_sim/health`, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await fetch(`${url}/_sim/health`, { method: 'HEAD' })).status).toBe(200)
  })

  it('needs the token, where there is one', async () => {
    const { url } = await serveDesk({ controlToken: 'sesame' })
    for (const wrong of [
      undefined,
      'Bearer open',
      'Bearer sesame2',
      'Bearer sesame x',
      'Basic sesame',
      'sesame',
    ]) {
      const answer = await clock(url, wrong)
      expect([answer.status, (await answer.json()).error.code]).toEqual([403, 'forbidden'])
    }
    expect((await clock(url, 'Bearer sesame')).status).toBe(200)
    expect((await fetch(`${url}/_sim/nothing`)).status).toBe(403)
    expect((await fetch(`${url}/_sim/health`)).status).toBe(200)
    expect((await fetch(`${url}/_sim/health`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${url}/_sim/health`, { method: 'POST' })).status).toBe(403)
    expect((await fetch(`${url}/api/v1/webhooks`)).status).toBe(401)
  })

  it('is closed to other machines without a token', async () => {
    const { url } = await serveDesk({ host: '0.0.0.0' })
    expect(url).toMatch('http://127.0.0.1:')
    const answer = await clock(url, 'Bearer undefined')
    expect(answer.status).toBe(403)
    expect((await answer.json()).error.message).toMatch('--control-token')
    // The service itself is what other machines are let in for.
    expect((await fetch(`${url}/api/v1/webhooks`)).status).toBe(401)
  })

  it('is open to other machines with the token', async () => {
    const { url } = await serveDesk({ host: '0.0.0.0', controlToken: 'sesame', allowHosts: ['mail.lan'] })
    expect((await clock(url)).status).toBe(403)
    expect((await clock(url, 'Bearer sesame')).status).toBe(200)
    const headers = { host: 'mail.lan', authorization: 'bearer sesame' }
    expect((await sendRaw(url, requestText('GET /_sim/clock', headers))).status).toBe(200)
  })
})
