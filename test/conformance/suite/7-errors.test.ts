import { describe, expect, it } from 'vitest'
import { expectError, expectRefusals } from '../assertions.js'
import {
  identityPath,
  jsonOf,
  type Mailbox,
  messagesPath,
  openMailbox,
  textOf,
  threadsPath,
} from '../mailbox.js'
import { badRequests, sendFixed } from '../requests.js'
import type { Answer } from '../transport.js'

interface Failure {
  readonly status: number
  readonly title: string
  readonly code: string
  send(mailbox: Mailbox): Promise<Answer>
}

/** One request for each kind of error that needs no special reading. */
const failures: readonly Failure[] = [
  {
    status: 400,
    title: 'Bad Request',
    code: 'invalid_request',
    send: (mailbox) => mailbox.get(threadsPath({ limit: 0 })),
  },
  {
    status: 401,
    title: 'Unauthorized',
    code: 'unauthorized',
    send: (mailbox) => mailbox.get(threadsPath(), { key: null }),
  },
  {
    status: 404,
    title: 'Not Found',
    code: 'not_found',
    send: (mailbox) => mailbox.get(identityPath('nobody')),
  },
  {
    status: 405,
    title: 'Method Not Allowed',
    code: 'method_not_allowed',
    send: (mailbox) => mailbox.send('DELETE', identityPath('eva')),
  },
  {
    status: 413,
    title: 'Content Too Large',
    code: 'content_too_large',
    send: (mailbox) => mailbox.patch('eva', { description: 'x'.repeat(1_100_000) }),
  },
]

/** The bodies of an error by reading. */
const shapes: Readonly<Record<string, (failure: Failure, message: string) => object>> = {
  'error-object': ({ code }, message) => ({ error: { code, message } }),
  flat: ({ code }, message) => ({ code, message }),
  problem: ({ status, title }, detail) => ({ type: 'about:blank', title, status, detail }),
  detail: (_failure, detail) => ({ detail }),
  message: (_failure, message) => ({ message }),
}

function messageIn(body: { error?: { message: string }; message?: string; detail?: string }): string {
  return body.error?.message ?? body.message ?? body.detail ?? ''
}

describe('7 errors.body', () => {
  it.each(Object.entries(shapes))('7 the body of an error (%s)', async (reading, shape) => {
    const mailbox = await openMailbox({ 'errors.body': reading })
    for (const failure of failures) {
      const answer = await failure.send(mailbox)
      const message = messageIn(jsonOf(answer))
      expect(answer.status).toBe(failure.status)
      expect(message).not.toBe('')
      expect(textOf(answer)).toBe(JSON.stringify(shape(failure, message)))
      const type = reading === 'problem' ? 'application/problem+json' : 'application/json'
      expect(answer.headers.get('content-type')).toBe(type)
    }
  })

  it('7 an error repeats only the start of a long value', async () => {
    const mailbox = await openMailbox()
    const long = 'x'.repeat(5000)
    const paths = [
      identityPath(long),
      threadsPath({ limit: long }),
      threadsPath({ offset: long }),
      messagesPath({ limit: long }),
      `/api/v1/${long}`,
      `${identityPath('eva')}/${long}`,
    ]
    for (const path of paths) {
      const answer = await mailbox.get(path)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.body.length).toBeLessThan(500)
    }
  })
})

describe('7 errors.validation-status', () => {
  it.each([400, 422])('7 an invalid request gets %i', async (status) => {
    const mailbox = await openMailbox({
      'errors.validation-status': String(status),
      'messages.offset': 'rejected',
    })
    await expectRefusals(mailbox, status, [
      () => mailbox.get(threadsPath({ limit: 0 })),
      () => mailbox.get(threadsPath({ offset: -1 })),
      () => mailbox.get(messagesPath({ limit: 'abc' })),
      () => mailbox.get(messagesPath({ offset: 1 })),
      () => mailbox.get(identityPath('%zz')),
      () => mailbox.patch('eva', { display_name: 1 }),
      () => mailbox.patch('eva', {}, { body: '{' }),
      () => mailbox.patch('eva', {}, { headers: { 'content-type': 'text/plain' } }),
    ])
  })
})

describe('7 errors.not-found-code', () => {
  const notFound = { 'threads.unknown-agent': 'not-found', 'messages.unknown-thread': 'not-found' } as const
  const missing = [
    [identityPath('nobody'), 'agent_not_found'],
    [identityPath('rival'), 'agent_not_found'],
    [threadsPath({ agent: 'nobody' }), 'agent_not_found'],
    [threadsPath({ mailbox: 'nobody@harbour.example' }), 'mailbox_not_found'],
    [messagesPath({ agent: 'nobody' }), 'agent_not_found'],
    [messagesPath({ thread_id: 'thrd_gone' }), 'thread_not_found'],
    ['/attachments/att_000000000000/a.txt', 'attachment_not_found'],
    ['/api/v1/nothing', 'not_found'],
  ] as const

  it('7 the code of a 404 (generic)', async () => {
    const mailbox = await openMailbox(notFound)
    for (const [path] of missing) expectError(await mailbox.get(path), 404)
  })

  it('7 the code of a 404 (specific)', async () => {
    const mailbox = await openMailbox({ ...notFound, 'errors.not-found-code': 'specific' })
    for (const [path, code] of missing) expectError(await mailbox.get(path), 404, code)
  })
})

describe('7 a refused request', () => {
  it.each(['default', 'worst-case'])('7 changes nothing (%s)', async (profile) => {
    const mailbox = await openMailbox([profile, { 'limits.rate': 'none' }])
    const before = await mailbox.dump()
    for (const request of badRequests) {
      const { status } = await sendFixed(mailbox, request)
      expect(status, request.name).toBeGreaterThanOrEqual(400)
      expect(status, request.name).not.toBe(500)
    }
    expect(await mailbox.dump()).toBe(before)
  })
})
