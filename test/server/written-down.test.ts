import type { AnsweredRequest } from 'agent-mailbox-sim/server'
import { describe, expect, it, vi } from 'vitest'
import { formatAnswered } from '../../src/cli/running-server.js'
import { logDefect } from '../../src/doors/simulator/create-simulator.js'
import { ExtensionFailure } from '../../src/service/operations/request-error.js'
import { serveDesk } from './desk.js'

describe('the log line of a request', () => {
  it.each([
    ['/api/v1/webhooks?api_key=abc', {}, '/api/v1/webhooks?api_key=***'],
    ['/api/v1/webhooks?agent=support', {}, '/api/v1/webhooks?agent=support'],
    ['/api/v1/desk-key/x', {}, '/api/v1/***/x'],
    ['/elsewhere/my-own-key', { authorization: 'bearer my-own-key' }, '/elsewhere/***'],
    ['/_sim/health?token=abc', {}, '/_sim/health?token=***'],
  ])('masks the keys in %s', async (path, headers, shown) => {
    const answered: AnsweredRequest[] = []
    const { url } = await serveDesk({ onAnswer: (request) => answered.push(request) })
    await (await fetch(url + path, { headers: headers as Record<string, string> })).text()
    await expect.poll(() => answered).toHaveLength(1)
    expect(formatAnswered(answered[0] as AnsweredRequest)).toMatch(/^GET \S+ \d{3} \d+\.\d ms\n$/)
    expect(answered[0]?.target).toBe(shown)
  })

  it('masks the key of a fork', async () => {
    const answered: AnsweredRequest[] = []
    const { url, simulator } = await serveDesk({ onAnswer: (request) => answered.push(request) })
    const { apiKey } = simulator.fork()
    await (await fetch(`${url}/api/v1/identities/${apiKey}?x=${apiKey}`)).text()
    await expect.poll(() => answered).toHaveLength(1)
    expect(answered[0]?.target).toBe('/api/v1/identities/***?x=***')
  })
})

describe('the report of a defect', () => {
  it('masks the keys of the request', () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const headers = { authorization: 'Bearer my-own-key' }
    const error = new Error('a defect with my-own-key', { cause: new Error('a cause with my-own-key') })
    logDefect(error, new Request('http://mailbox.test/my-own-key?token=x', { headers }))
    logDefect(
      new ExtensionFailure({ id: 'x.y' } as never, 'no my-own-key'),
      new Request('http://mailbox.test/', { headers }),
    )
    const [[defect], failure] = written.mock.calls as [[string], unknown]
    expect(defect).toMatch(
      /^agent-mailbox-sim failed on GET http:\/\/mailbox\.test\/\*\*\*\?token=\*\*\*\nError: a defect with \*\*\*\n +at /,
    )
    expect(defect).toContain('\ncaused by: Error: a cause with ***\n')
    expect(failure).toEqual(["agent-mailbox-sim: The extension's operation x.y failed: no ***"])
    written.mockRestore()
  })
})
