import { expect } from 'vitest'
import { expectError } from '../../conformance/assertions.js'
import { identityPath, threadsPath, webhooksPath } from '../../conformance/mailbox.js'
import type { GapCases } from '../gap-case.js'
import { refusedWith, sameAsBefore } from '../seen.js'

const evasThreads = threadsPath({ agent: 'eva' })

/** Silent points of authentication. */
export const authenticationCases = {
  'auth.webhooks': {
    before: { path: webhooksPath() },
    request: { path: webhooksPath(), key: null },
    sees: { required: refusedWith(401), 'not-required': sameAsBefore },
    quiet: [{ path: webhooksPath() }],
  },
  'auth.keys': {
    before: { path: evasThreads },
    request: { path: evasThreads, key: 'whoever' },
    sees: { 'any-key': sameAsBefore, 'listed-keys': refusedWith(401) },
    quiet: [{ path: evasThreads }, { path: evasThreads, key: null }],
  },
  'auth.missing-status': {
    request: { path: evasThreads, key: null },
    sees: {
      401: (answer) => {
        expectError(answer, 401)
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      },
      403: (answer) => {
        expectError(answer, 403)
        expect(answer.headers.has('www-authenticate')).toBe(false)
      },
    },
    quiet: [{ path: evasThreads }],
  },
  'auth.other-organization': {
    request: { path: identityPath('rival') },
    sees: { 'not-found': refusedWith(404), forbidden: refusedWith(403) },
    quiet: [{ path: identityPath('nobody') }, { path: identityPath('eva') }],
  },
} satisfies Partial<GapCases>
