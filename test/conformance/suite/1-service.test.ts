import { describe, expect, it } from 'vitest'
import { expectError, expectSameAnswer } from '../assertions.js'
import {
  identityPath,
  jsonOf,
  type Mailbox,
  messagesPath,
  openMailbox,
  threadsPath,
  webhooksPath,
} from '../mailbox.js'
import type { Answer } from '../transport.js'

const lists = [threadsPath(), messagesPath(), webhooksPath()]
const paths = [identityPath('eva'), ...lists]

const origin = { origin: 'https://app.example' }

function preflight(mailbox: Mailbox, path: string, method = 'GET'): Promise<Answer> {
  const headers = {
    ...origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type',
  }
  return mailbox.send('OPTIONS', path, { key: null, headers })
}

describe('1 All requests and responses use JSON', () => {
  it.each(paths)('1 %s is answered in JSON', async (path) => {
    const mailbox = await openMailbox()
    const answer = await mailbox.get(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(jsonOf(answer)).toBeTypeOf('object')
    expect(answer.headers.get('content-length')).toBe(String(answer.body.length))
  })

  it.each(['*/*', 'text/html', 'application/xml'])('1 Accept: %s has no effect', async (accept) => {
    const mailbox = await openMailbox()
    const answer = await mailbox.get(threadsPath(), { headers: { accept } })
    expectSameAnswer(answer, await mailbox.get(threadsPath()))
  })

  it('1 text of any language is unchanged', async () => {
    const mailbox = await openMailbox()
    const text = 'Grüße aus Zürich — 灯りをください 💡 "quoted" \\ \u2028'
    const subject = 'Ünïcödé 💡'
    await mailbox.simulator.mail.receive({ to: 'eva', subject, text })
    expect(await mailbox.messagesOf(subject)).toMatchObject([{ subject, text }])
  })

  it('1 the same request has the same answer', async () => {
    const mailbox = await openMailbox()
    for (const path of paths) expectSameAnswer(await mailbox.get(path), await mailbox.get(path))
  })
})

describe('1 format.cors', () => {
  it('1 preflights are answered (permissive)', async () => {
    const mailbox = await openMailbox({ 'format.cors': 'permissive' })
    for (const path of paths) {
      const answer = await preflight(mailbox, path, path === paths[0] ? 'PATCH' : 'GET')
      expect(answer.status).toBe(204)
      expect(answer.body.length).toBe(0)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-headers')).toBe('authorization, content-type')
      const methods = path === paths[0] ? 'GET, PATCH, OPTIONS' : 'GET, OPTIONS'
      expect(answer.headers.get('access-control-allow-methods')).toBe(methods)
    }
    expectError(await preflight(mailbox, '/api/v1/nothing'), 404)
  })
})
