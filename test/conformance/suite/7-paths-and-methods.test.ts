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

const documented = [
  [identityPath('eva'), ['GET', 'PATCH']],
  [identityPath('nobody'), ['GET', 'PATCH']],
  [threadsPath(), ['GET']],
  [messagesPath(), ['GET']],
  [webhooksPath(), ['GET']],
] as const

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'REPORT']

const unknown = [
  '/api/v1',
  '/api/v1/',
  '/api/v1/nothing',
  '/api/v1/identities',
  '/api/v1/identities/',
  '/api/v1/identities/eva/keys',
  '/api/v1/mail',
  '/api/v1/mail/drafts',
  '/api/v1/mail/threads/thrd_1',
  '/api/v1/mail/messages/msg_1',
  '/api/v1/webhooks/whk_1',
  '/api/v1/Webhooks',
  '/api/v1//webhooks',
  '/api/v1/webhooks%2F',
  '/api/v1/%77ebhooks',
  '/api/v1/../v1/nothing',
]

/** Sends every undocumented method of a path; a HEAD has no body to check. */
async function others(mailbox: Mailbox, path: string, allowed: readonly string[]): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const method of methods.filter((name) => !allowed.includes(name))) {
    const answer = await mailbox.send(method, path, { key: null })
    expect(answer.headers.get('content-type')).toBe('application/json')
    if (method === 'HEAD') expect(answer.body.length).toBe(0)
    answers.push(
      method === 'HEAD' ? { ...answer, body: new TextEncoder().encode(bodyOfHead(answer)) } : answer,
    )
  }
  return answers
}

function bodyOfHead({ status }: Answer): string {
  const code = { 404: 'not_found', 405: 'method_not_allowed' }[status]
  return JSON.stringify({ error: { code, message: 'Not sent.' } })
}

describe('7 errors.method-not-allowed', () => {
  it.each(documented)('7 %s accepts only %j (405)', async (path, allowed) => {
    const mailbox = await openMailbox()
    for (const answer of await others(mailbox, path, allowed)) {
      expectError(answer, 405)
      expect(answer.headers.get('allow')).toBe(allowed.join(', '))
    }
  })

  it.each(documented)('7 %s does not exist for other methods than %j (404)', async (path, allowed) => {
    const mailbox = await openMailbox({ 'errors.method-not-allowed': '404' })
    for (const answer of await others(mailbox, path, allowed)) {
      expectError(answer, 404)
      expect(answer.headers.has('allow')).toBe(false)
    }
  })
})

describe('7 errors.unknown-operation', () => {
  it.each([404, 501])('7 an unknown path below /api/v1 with any method (%i)', async (status) => {
    const mailbox = await openMailbox({ 'errors.unknown-operation': String(status) })
    for (const path of unknown) {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS']) {
        expectError(await mailbox.send(method, path), status)
      }
      expectError(await mailbox.get(path, { key: null }), status)
    }
  })
})

describe('7 path.trailing-slash', () => {
  const paths = [identityPath('eva'), threadsPath(), messagesPath(), webhooksPath()]

  it('7 a trailing slash makes another path (not-found)', async () => {
    const mailbox = await openMailbox()
    for (const path of paths) {
      expectError(await mailbox.get(`${path}/`), 404)
      expectError(await mailbox.send('DELETE', `${path}/`), 404)
    }
    expectError(await mailbox.patch('eva/', { display_name: 'Slash' }), 404)
    expect((await mailbox.identity('eva')).display_name).toBe('Eva Lind')
  })

  it('7 a trailing slash has no effect (same)', async () => {
    const mailbox = await openMailbox({ 'path.trailing-slash': 'same' })
    for (const path of paths) {
      expectSameAnswer(await mailbox.get(`${path}/`), await mailbox.get(path))
      expectError(await mailbox.get(`${path}/`, { key: null }), 401)
      expectError(await mailbox.send('DELETE', `${path}/`), 405)
      expectError(await mailbox.get(`${path}//`), 404)
    }
    expectError(await mailbox.get('/api/v1/identities/'), 404)
    expect((await mailbox.get('/api/v1/mail/threads/?limit=1')).status).toBe(200)
  })

  it('7 an update accepts a trailing slash (same)', async () => {
    const mailbox = await openMailbox({ 'path.trailing-slash': 'same' })
    const answer = await mailbox.patch('eva/', { display_name: 'Slash' })
    expect(answer.status).toBe(200)
    expect(await mailbox.identity('eva')).toEqual(jsonOf(answer))
  })
})
