import { expect } from 'vitest'
import { expectError } from '../../conformance/assertions.js'
import { identityPath, jsonOf, threadsPath } from '../../conformance/mailbox.js'
import type { Answer } from '../../conformance/transport.js'
import type { GapCases } from '../gap-case.js'
import { refusedWith } from '../seen.js'

const nobody = { path: identityPath('nobody') }
const eva = { path: identityPath('eva') }
const evasThreads = { path: threadsPath({ agent: 'eva' }) }
const message = 'There is no agent "nobody".'

/** Asserts that an answer is a 404 with this body. */
function bodyOf404(body: object, type = 'application/json'): (answer: Answer) => void {
  return (answer) => {
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(jsonOf(answer)).toEqual(body)
  }
}

/** Silent points of errors. */
export const errorCases = {
  'errors.body': {
    request: nobody,
    sees: {
      'error-object': bodyOf404({ error: { code: 'not_found', message } }),
      flat: bodyOf404({ code: 'not_found', message }),
      problem: bodyOf404(
        { type: 'about:blank', title: 'Not Found', status: 404, detail: message },
        'application/problem+json',
      ),
      detail: bodyOf404({ detail: message }),
      message: bodyOf404({ message }),
    },
    quiet: [eva],
  },
  'errors.validation-status': {
    request: { path: threadsPath({ limit: 'abc' }) },
    sees: { 400: refusedWith(400), 422: refusedWith(422) },
    quiet: [{ path: threadsPath({ limit: 1 }) }, { path: threadsPath({ limit: 'abc' }), key: null }],
  },
  'errors.not-found-code': {
    request: nobody,
    sees: { generic: refusedWith(404, 'not_found'), specific: refusedWith(404, 'agent_not_found') },
    quiet: [eva, { path: identityPath('%zz') }],
  },
  'errors.method-not-allowed': {
    request: { method: 'DELETE', path: identityPath('eva') },
    sees: {
      405: (answer) => {
        expectError(answer, 405)
        expect(answer.headers.get('allow')).toBe('GET, PATCH')
      },
      404: (answer) => {
        expectError(answer, 404)
        expect(answer.headers.has('allow')).toBe(false)
      },
    },
    quiet: [eva, { method: 'DELETE', path: '/api/v1/mail/drafts' }],
  },
  'errors.unknown-operation': {
    request: { path: '/api/v1/mail/drafts' },
    sees: { 404: refusedWith(404), 501: refusedWith(501) },
    quiet: [evasThreads, { method: 'DELETE', path: identityPath('eva') }],
  },
} satisfies Partial<GapCases>
