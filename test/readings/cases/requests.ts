import { expect } from 'vitest'
import { threadsPath, webhooksPath } from '../../conformance/mailbox.js'
import type { GapCases } from '../gap-case.js'
import { refusedWith, sameAsBefore, subjectsOf, threadsIn } from '../seen.js'

const evasThreads = { path: threadsPath({ agent: 'eva' }) }

/** Silent points of queries and paths. */
export const requestCases = {
  'query.unknown-parameters': {
    before: evasThreads,
    request: { path: threadsPath('agent=eva&colour=red') },
    sees: { ignored: sameAsBefore, rejected: refusedWith(400) },
    quiet: [evasThreads],
  },
  'query.repeated-parameter': {
    request: { path: threadsPath('agent=eva&agent=max') },
    sees: {
      first: (answer) => expect(subjectsOf(threadsIn(answer))).toContain('Broken lamp'),
      last: (answer) => expect(subjectsOf(threadsIn(answer))).toContain('Bulk 0'),
      rejected: refusedWith(400),
    },
    quiet: [{ path: threadsPath('agent=eva&limit=2') }],
  },
  'path.trailing-slash': {
    before: { path: webhooksPath() },
    request: { path: `${webhooksPath()}/` },
    sees: { 'not-found': refusedWith(404), same: sameAsBefore },
    quiet: [{ path: webhooksPath() }, { path: '/api/v1/mail/drafts/' }],
  },
} satisfies Partial<GapCases>
