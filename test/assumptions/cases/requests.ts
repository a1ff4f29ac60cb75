import { expect } from 'vitest'
import { expectError } from '../../conformance/assertions.js'
import { identityPath, jsonOf, type Mailbox, threadsPath, webhooksPath } from '../../conformance/mailbox.js'
import { keys, lampPhoto } from '../../conformance/scenario.js'
import type { Answer } from '../../conformance/transport.js'
import { type Asked, eva, type GapCases, given, rowsIn, same, size, update } from '../gap-case.js'

const evasThreads: Asked = { path: threadsPath({ agent: 'eva' }) }
const nobody: Asked = { path: identityPath('nobody') }
const webhooks: Asked = { path: webhooksPath() }
const message = 'There is no agent "nobody".'
const long = { description: 'x'.repeat(200_000) }
const fromPage = { origin: 'https://app.example' }

/** Fetches a stored file by its URL. */
export const photo = (key: string | null) => async (mailbox: Mailbox) => {
  const [first] = await mailbox.messagesOf('Broken lamp')
  const { url, download_url } = first?.attachments[0] ?? {}
  return { path: (url ?? download_url ?? '').slice(mailbox.baseUrl.length), key }
}

/** Returns the status of a refusal in the default shape, and a header. */
const refusalWith = (name: string) => (answer: Answer) => {
  expectError(answer, answer.status)
  return [answer.status, answer.headers.get(name)]
}

const codeOf = (answer: Answer) => [answer.status, jsonOf<{ error: { code: string } }>(answer).error.code]

/** Silent points of authentication, errors, queries, paths and limits. */
export const requestCases = {
  'auth.webhooks': {
    before: webhooks,
    request: { ...webhooks, key: null },
    sees: { required: 401, 'not-required': same },
    quiet: [webhooks],
  },
  'auth.keys': {
    before: evasThreads,
    request: { ...evasThreads, key: 'whoever' },
    sees: { 'any-key': same, 'listed-keys': 401 },
    quiet: [evasThreads, { ...evasThreads, key: null }, photo('whoever')],
  },
  'auth.missing-status': {
    request: { ...evasThreads, key: null },
    shows: refusalWith('www-authenticate'),
    sees: { 401: [401, 'Bearer'], 403: [403, null] },
    quiet: [evasThreads, photo(null)],
  },
  'auth.other-organization': {
    request: { path: identityPath('rival') },
    sees: { 'not-found': 404, forbidden: 403 },
    quiet: [nobody, eva],
  },
  'errors.body': {
    request: nobody,
    shows: (answer) => [answer.status, answer.headers.get('content-type'), jsonOf(answer)],
    sees: {
      'error-object': [404, 'application/json', { error: { code: 'not_found', message } }],
      flat: [404, 'application/json', { code: 'not_found', message }],
      problem: [
        404,
        'application/problem+json',
        { type: 'about:blank', title: 'Not Found', status: 404, detail: message },
      ],
      detail: [404, 'application/json', { detail: message }],
      message: [404, 'application/json', { message }],
    },
    quiet: [eva],
  },
  'errors.validation-status': {
    request: { path: threadsPath({ limit: 'abc' }) },
    sees: { 400: 400, 422: 422 },
    quiet: [{ path: threadsPath({ limit: 1 }) }, { path: threadsPath({ limit: 'abc' }), key: null }],
  },
  'errors.not-found-code': {
    request: nobody,
    shows: codeOf,
    sees: { generic: [404, 'not_found'], specific: [404, 'agent_not_found'] },
    quiet: [eva, { path: identityPath('%zz') }],
  },
  'errors.method-not-allowed': {
    request: { method: 'DELETE', path: identityPath('eva') },
    shows: refusalWith('allow'),
    sees: { 405: [405, 'GET, PATCH'], 404: [404, null] },
    quiet: [eva, { method: 'DELETE', path: '/api/v1/mail/drafts' }],
  },
  'errors.unknown-operation': {
    request: { path: '/api/v1/mail/drafts' },
    sees: { 404: 404, 501: 501 },
    quiet: [evasThreads, { method: 'DELETE', path: identityPath('eva') }],
  },
  'query.unknown-parameters': {
    before: evasThreads,
    request: { path: threadsPath('agent=eva&colour=red') },
    sees: { ignored: same, rejected: 400 },
    quiet: [evasThreads],
  },
  'query.repeated-parameter': {
    request: { path: threadsPath('agent=eva&agent=max') },
    shows: size,
    sees: { first: [4, 4], last: [50, 130], rejected: 400 },
    quiet: [{ path: threadsPath('agent=eva&limit=2') }],
  },
  'path.trailing-slash': {
    before: webhooks,
    request: { path: `${webhooksPath()}/` },
    sees: { 'not-found': 404, same },
    quiet: [webhooks, { path: '/api/v1/mail/drafts/' }],
  },
  'limits.rate': {
    prepare: async (mailbox) => {
      for (let count = 0; count < 60; count++) await mailbox.threads({ agent: 'eva' })
    },
    before: { ...evasThreads, key: keys.ownSecond },
    request: evasThreads,
    shows: async ({ status, headers }, mailbox) => {
      await mailbox.simulator.clock.advance('1m')
      const { threads } = await mailbox.threads({ agent: 'eva' })
      return [status, headers.get('retry-after'), threads.length]
    },
    sees: { none: [200, null, 4], '60-per-minute': [429, '60', 4] },
    quiet: [
      { ...evasThreads, key: keys.ownSecond },
      { ...evasThreads, key: null },
    ],
  },
  'limits.body-size': {
    before: eva,
    request: update('eva', long),
    shows: (answer) => given(answer),
    sees: { '1mb': expect.objectContaining(long), '100kb': 413 },
    quiet: [update('eva', { description: 'x'.repeat(100_000) })],
  },
  'format.timestamps': {
    request: eva,
    shows: (answer) => given<{ created_at: string }>(answer).created_at,
    sees: { milliseconds: '2025-08-14T10:20:30.400Z', seconds: '2025-08-14T10:20:30Z' },
    quiet: [nobody, { path: threadsPath({ agent: 'Night_Shift.bot-1' }) }],
  },
  'format.cors': {
    request: { ...evasThreads, headers: fromPage },
    shows: async (answer, mailbox) => {
      const preflight = await mailbox.send('OPTIONS', evasThreads.path, { key: null, headers: fromPage })
      const allowed = [answer, preflight].map(({ headers }) => headers.get('access-control-allow-origin'))
      return [rowsIn(answer).length, preflight.status, ...allowed]
    },
    sees: { none: [4, 405, null, null], permissive: [4, 204, '*', '*'] },
    quiet: [evasThreads],
  },
  'messages.attachment-url': {
    request: photo(null),
    shows: ({ status, body }) => [status, [...body]],
    sees: { open: [200, [...lampPhoto]], required: 401 },
    quiet: [photo(keys.own), { path: '/attachments/att_000000000000/a.txt' }],
  },
} satisfies Partial<GapCases>
