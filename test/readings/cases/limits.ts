import { expect } from 'vitest'
import { expectError } from '../../conformance/assertions.js'
import { identityPath, threadsPath } from '../../conformance/mailbox.js'
import { keys } from '../../conformance/scenario.js'
import { askForEva, update } from '../asked.js'
import type { GapCases } from '../gap-case.js'
import { identityIn, notUpdated, threadsIn, updatedTo } from '../seen.js'

const ofEva = { path: threadsPath({ agent: 'eva' }) }
const origin = 'https://app.example'
const long = { description: 'x'.repeat(200_000) }

/** Silent points of limits and of the format of answers. */
export const limitCases = {
  'limits.rate': {
    prepare: async (mailbox) => {
      for (let count = 0; count < 60; count++) await mailbox.threads({ agent: 'eva' })
    },
    before: { ...ofEva, key: keys.ownSecond },
    request: ofEva,
    sees: {
      none: (answer) => expect(threadsIn(answer)).toHaveLength(4),
      '60-per-minute': async (answer, { mailbox }) => {
        expectError(answer, 429)
        expect(answer.headers.get('retry-after')).toBe('60')
        await mailbox.simulator.clock.advance('1m')
        expect((await mailbox.threads({ agent: 'eva' })).threads).toHaveLength(4)
      },
    },
    quiet: [
      { ...ofEva, key: keys.ownSecond },
      { ...ofEva, key: null },
    ],
  },
  'limits.body-size': {
    before: askForEva,
    request: update('eva', long),
    sees: { '1mb': updatedTo(long), '100kb': notUpdated(413) },
    quiet: [update('eva', { description: 'x'.repeat(100_000) })],
  },
  'format.timestamps': {
    request: askForEva,
    sees: {
      milliseconds: (answer) => expect(identityIn(answer).created_at).toBe('2025-08-14T10:20:30.400Z'),
      seconds: (answer) => expect(identityIn(answer).created_at).toBe('2025-08-14T10:20:30Z'),
    },
    quiet: [{ path: identityPath('nobody') }, { path: threadsPath({ agent: 'Night_Shift.bot-1' }) }],
  },
  'format.cors': {
    request: { ...ofEva, headers: { origin } },
    sees: {
      none: (answer) => {
        expect(threadsIn(answer)).toHaveLength(4)
        expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      },
      permissive: async (answer, { mailbox }) => {
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
        const preflight = await mailbox.send('OPTIONS', ofEva.path, { key: null, headers: { origin } })
        expect(preflight.status).toBe(204)
        expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      },
    },
    quiet: [ofEva],
  },
} satisfies Partial<GapCases>
