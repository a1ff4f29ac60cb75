import type { ScenarioInput } from '../../src/story/format/scenario.js'

/** A desk where a repeated reply is one reply, and whose threads stay unread until the agent marks them. */
export const desk = {
  scenario: 'life',
  seed: 7,
  start: '2026-01-05T09:00:00Z',
  extend: 'common',
  organization: { api_keys: ['test-key'] },
  assume: { 'common.idempotency': 'replayed', 'threads.unread-after-read': 'stays-unread' },
  identities: [{ handle: 'support' }],
  expect: [{ invariant: 'acts-once' }, { invariant: 'answers-everyone' }],
} satisfies ScenarioInput
