/**
 * The story that every door tells, as plain data: the client in Python walks the same steps. Each value of an axis that
 * happens in the story (a trigger, a redelivery, assumptions, a fault) is here, so that no door can leave it out.
 */

/** The beginning of every story, whatever its source. */
export const start = '2026-01-05T09:00:00.000Z'

/** The options of every world, which differ from what its scenario says; its receiver may be slow on a busy machine. */
export const seed = 11
export const assumptions = {
  'threads.snippet': 'first',
  'messages.headers': 'object',
  'events.timeout': '30s',
} as const

/** The header that every request has besides its key. */
export const idempotencyKey = { 'idempotency-key': 'once' } as const

/** The key of the agent's organization. */
export const apiKey = 'test-key'

/** What a client does: one request, or one thing that only a test can do. */
export type Step =
  | { readonly ask: readonly [method: string, path: string, body?: unknown] }
  /** Asks for the first attachment that the last answer names. */
  | { readonly file: true }
  /** Advances the clock to an instant, hours after the start. */
  | { readonly until: number }
  | { readonly assumptions: Readonly<Record<string, string>> }
  /** Tells what the receiver of webhooks got since it was last asked. */
  | { readonly received: true }

/** The agent's identity. */
export const identity = '/api/v1/identities/support'
const threads = '/api/v1/mail/threads?agent=support&limit=50'
const messages = '/api/v1/mail/messages?agent=support&limit=50'

/** The steps before and after a world is moved. */
export const chapters: Readonly<Record<'past' | 'future', readonly Step[]>> = {
  past: [
    { ask: ['GET', identity] },
    { ask: ['GET', '/api/v1/identities/archive'] },
    { ask: ['GET', threads] },
    { ask: ['PATCH', identity, { description: 'At “work”' }] },
    { assumptions: { 'errors.body?': 'detail', 'no.such-gap?': 'any' } },
    // An agent sends mail to the other one, which answers it in the second chapter.
    { ask: ['POST', '/api/v1/desk/note'] },
    { until: 4 },
    { ask: ['GET', threads] },
    { ask: ['GET', messages] },
    { file: true },
    { ask: ['GET', '/api/v1/webhooks'] },
    { received: true },
  ],
  future: [
    { ask: ['GET', '/api/v1/identities/nobody'] },
    { ask: ['POST', '/api/v1/desk/count'] },
    // Every request has one Idempotency-Key, so this one gets the answer of the first chapter again.
    { ask: ['POST', '/api/v1/desk/note'] },
    { ask: ['POST', '/api/v1/desk/answer'] },
    { until: 8 },
    { ask: ['GET', threads] },
    { ask: ['GET', messages] },
    { ask: ['GET', messages] },
    { ask: ['GET', '/api/v1/mail/threads?agent=archive'] },
    { ask: ['GET', '/api/v1/mail/messages?agent=archive'] },
    { ask: ['PATCH', identity, { display_name: 'Busy' }] },
    { ask: ['GET', identity] },
    { received: true },
  ],
}

const mail = (subject: string, thread?: string) => ({
  receive: {
    to: 'support',
    from: `${subject} <${subject.toLowerCase()}@example.com>`,
    subject,
    ...(thread && { thread }),
  },
})

/** What every source says besides its mailboxes: subscriptions, what happens, and what must be true. */
export function storyParts(receiver: string) {
  return {
    start,
    organization: { api_keys: [apiKey] },
    webhooks: [
      { url: receiver, events: ['message.received'], agent_handle: 'support', auth_token: 'hook-secret-7' },
    ],
    timeline: [
      { after: '1h', ...mail('First', 'first') },
      { after: '2h', ...mail('Second') },
      { after: '3h', ...mail('Third') },
      { after: '5h', redeliver: { event: 'message.received', nth: 2 } },
      { after: '6h', receive: { thread: 'first', text: 'Is anybody there?' } },
      { after: '7h', assume: { 'messages.empty-body': 'null' } },
      { after: '7h', fault: { operation: 'messages.list', handle: 'support', status: 503, times: 1 } },
      { when: { delivery: 'message.received', nth: 4 }, ...mail('Delivered') },
      { when: { request: 'threads.list', nth: 3 }, ...mail('Listed') },
      // The end of the story is far from the last step, so that no client is ended before it.
      { after: '20h', update: { identity: 'archive', description: 'Closed' } },
    ],
    expect: [
      { identity: 'support', has: { display_name: 'Busy' } },
      { identity: 'archive', has: { description: 'Closed' } },
      { request: 'threads.list', where: { query: { agent: 'support' } }, at_least: 1 },
      { delivery: 'message.received', at_least: 1 },
    ],
  }
}

/** What is done to a world in the middle of its story, as the words of a session or of the story's chapters. */
export interface Move {
  readonly name: string
  /** `durable`: whether the world outlives its program. */
  words(durable: boolean): readonly Word[]
}

export type Word = 'past' | 'future' | Change

/** A change of a session; it goes on with the world that comes of it. */
export type Change = 'snapshot' | 'restore' | 'fork' | 'original' | 'reset' | 'restart'

/** After any of them, each chapter must be what it is in a story that nothing interrupts. */
export const moves: readonly Move[] = [
  { name: 'snapshot/restore', words: () => ['past', 'snapshot', 'future', 'restore', 'future'] },
  { name: 'fork', words: () => ['past', 'fork', 'past', 'future', 'original', 'future'] },
  { name: 'reset', words: () => ['past', 'reset', 'past', 'future'] },
  {
    name: 'restart',
    words: (durable) => (durable ? ['past', 'restart', 'future'] : ['past', 'restart', 'past', 'future']),
  },
]
