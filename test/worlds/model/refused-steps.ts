import fc from 'fast-check'
import { expect } from 'vitest'
import type { Sent } from '../../server/control-client.js'
import { steps } from './step.js'

const text = { 'content-type': 'text/plain' }

/** What the control API refuses, with the status; whatever is refused has changed nothing. */
const refused: readonly [method: string, path: string, sent: Sent, status: number][] = [
  ['POST', '/messages', { body: '{"to":"eva"' }, 400],
  ['POST', '/messages', { body: { to: 'eva', sbject: 'x' } }, 400],
  ['POST', '/messages', { body: { to: 'eva' }, headers: text }, 415],
  ['POST', '/messages', { body: { to: ['eva', 'nobody'] } }, 400],
  ['POST', '/messages', { body: { to: 'eva', attachments: [{ filename: 'a', content: '%' }] } }, 400],
  ['POST', '/worlds', { body: { scenario: 'no-such-story' } }, 400],
  ['POST', '/worlds', { body: { readings: { 'threads.totl': 'x' } } }, 400],
  ['POST', '/worlds', { body: { clock: 'fast' } }, 400],
  ['DELETE', '/worlds/world_0', {}, 404],
  ['POST', '/clock', { body: { advance: 'soon' } }, 400],
  ['POST', '/clock', { body: { advance: '1m', mode: 'real' } }, 400],
  ['POST', '/clock', { body: { to: '2020-01-01T00:00:00Z' } }, 400],
  ['PATCH', '/readings', { body: { 'threads.total': 'page-size', 'threads.order': 'none' } }, 400],
  ['POST', '/faults', { body: { operation: 'threads.list', method: 'PATCH', reset: true } }, 400],
  ['POST', '/faults', { body: { status: 503, handle: 'nobody' } }, 400],
  ['POST', '/identities', { body: { handle: 'a b' } }, 400],
  ['POST', '/webhooks', { body: { url: 'ftp://mail.example', events: ['message.received'] } }, 400],
  ['PUT', '/snapshot', { body: { version: 99 } }, 400],
  ['PUT', '/snapshot', { body: '[]', headers: text }, 415],
  ['POST', '/reset', { body: '{}', headers: text }, 415],
  ['DELETE', '/webhooks/whk_none', {}, 404],
  ['DELETE', '/identities/nobody', {}, 404],
  ['DELETE', '/faults/fault_0', {}, 404],
  ['POST', '/threads/thrd_none/read', {}, 404],
]

/** A step that does not take. */
export const refusedSteps = [
  steps(
    'be refused',
    fc.record({ world: fc.nat(50), which: fc.constantFrom(...refused) }),
    async ({ which: [method, path, sent, status] }, { control }) => {
      const answer = await control(method, path, sent)
      expect([answer.status, typeof answer.body.error.message]).toEqual([status, 'string'])
    },
  ),
]
