import { expect } from 'vitest'
import { expectError } from '../../conformance/assertions.js'
import { identityPath, type Mailbox, threadsPath, webhooksPath } from '../../conformance/mailbox.js'
import { fetchPhoto } from '../asked.js'
import type { GapCases } from '../gap-case.js'
import { refusedWith, sameAsBefore } from '../seen.js'

const evasThreads = threadsPath({ agent: 'eva' })

/** Fetches a stored file by its URL alone. */
const openFile = (key: string | null) => async (mailbox: Mailbox) => ({ ...(await fetchPhoto(mailbox)), key })

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
    quiet: [{ path: evasThreads }, { path: evasThreads, key: null }, openFile('whoever')],
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
    quiet: [{ path: evasThreads }, openFile(null)],
  },
  'auth.other-organization': {
    request: { path: identityPath('rival') },
    sees: { 'not-found': refusedWith(404), forbidden: refusedWith(403) },
    quiet: [{ path: identityPath('nobody') }, { path: identityPath('eva') }],
  },
} satisfies Partial<GapCases>
