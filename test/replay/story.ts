import type { ScenarioInput } from '../../src/story/format/scenario.js'

/** A short story with a question that is repeated after ten seconds. */
export function story(more: Partial<ScenarioInput> = {}): ScenarioInput {
  return {
    scenario: 'question',
    describe: 'Somebody asks twice.',
    start: '2026-01-05T09:00:00Z',
    assume: { 'threads.unread-after-read': 'becomes-read' },
    organization: { api_keys: ['test-key'] },
    identities: [
      {
        handle: 'support',
        display_name: 'Support',
        threads: [
          {
            key: 'question',
            subject: 'When do you open?',
            messages: [{ from: 'Ann <ann@shop.example>', at: '-1h', text: 'When do you open?' }],
          },
        ],
      },
    ],
    timeline: [{ key: 'again', after: '10s', receive: { thread: 'question', text: 'Still there?' } }],
    expect: [
      { describe: 'The agent shows that it is busy.', identity: 'support', has: { display_name: 'Busy' } },
      {
        describe: 'It asked for its own threads.',
        request: 'threads.list',
        where: { query: { agent: 'support' } },
      },
    ],
    ...more,
  }
}

/** The thread has been read at the end. */
export const readAgain = {
  describe: 'It has read the second question.',
  thread: 'question',
  has: { unread: false },
}
