import { defineScenario, type ScenarioInput } from 'agent-mailbox-sim'

/** The start of the story, at which its clock is frozen. */
export const start = '2026-03-02T10:00:00.000Z'

/** Keys of the first organization and of the other. */
export const keys = { own: 'key-harbour', ownSecond: 'key-harbour-2', other: 'key-rival' } as const

/** Bytes that no text encoding leaves unchanged. */
export const lampPhoto = Uint8Array.from({ length: 256 }, (_, index) => (index * 7) % 256)

/** Attachments of the thread "Broken lamp", as they were sent. */
export const lampFiles = [
  { filename: 'lamp photo.png', content_type: 'image/png', content_id: 'photo-1', bytes: lampPhoto },
  {
    filename: "Größe & Maß (1)'s.txt",
    content_type: 'text/plain',
    content_id: null,
    bytes: new TextEncoder().encode('42 × 17 cm\n'),
  },
] as const

/** The number of threads of max, and of messages in each. */
export const bulk = { threads: 130, messagesPerThread: 5 } as const

/** Threads whose order by creation differs from their order by latest message. */
const bulkThreads = Array.from({ length: bulk.threads }, (_, thread) => ({
  key: `bulk-${thread}`,
  subject: `Bulk ${thread}`,
  messages: Array.from({ length: bulk.messagesPerThread }, (_, message) => ({
    from: `Customer ${thread} <customer${thread}@shop.example>`,
    at: `-${hoursBefore(thread, message)}h`,
    text: `Bulk ${thread}, message ${message}`,
  })),
}))

/** All different; the first messages are in another order than the latest ones. */
function hoursBefore(thread: number, message: number): number {
  const latest = (thread * 37) % bulk.threads
  if (message === bulk.messagesPerThread - 1) return 200 + latest
  return 2000 + ((thread * 53) % bulk.threads) + bulk.threads * (bulk.messagesPerThread - message)
}

/** The threads of eva by key; each shows a property of messages or threads. */
const evaThreads = [
  {
    key: 'delivery',
    subject: 'Where is my lamp?',
    messages: [
      {
        from: 'Ann Lee <ann@shop.example>',
        at: '2026-02-25T08:15:30.250Z',
        text: 'Hello,\n\nwhere is my lamp?\n\nAnn',
      },
      { direction: 'outbound', at: '2026-02-26T09:00:00Z', text: 'It ships today.' },
      {
        from: '"Lee, Ann" <ann@shop.example>',
        to: ['Eva.Lind@harbour.example', 'Ben <ben@shop.example>'],
        at: '2026-02-27T11:45:10.999Z',
        text: 'Thank you!',
        html: '<p>Thank <b>you</b>!</p>',
      },
    ],
  },
  {
    key: 'newsletter',
    subject: 'Spring lights',
    messages: [
      {
        from: 'Lumen Post <news@lumenpost.example>',
        at: '2026-02-20T06:00:00Z',
        html: '<h1>Spring</h1><p>Lights &amp; shades</p>',
      },
    ],
  },
  {
    key: 'broken',
    subject: 'Broken lamp',
    messages: [
      {
        from: 'solo@shop.example',
        at: '2026-02-18T12:00:00Z',
        text: 'See the photo.',
        attachments: lampFiles.map(({ filename, content_type, content_id, bytes }) => ({
          filename,
          content_type,
          ...(content_id !== null && { content_id }),
          content: Buffer.from(bytes).toString('base64'),
        })),
      },
    ],
  },
  {
    key: 'thanks',
    subject: 'Thanks',
    unread: false,
    messages: [{ from: 'Ann Lee <ann@shop.example>', at: '2026-02-10T12:00:00Z', text: 'All is well.' }],
  },
] satisfies NonNullable<ScenarioInput['identities']>[number]['threads']

/** Webhooks in another order than that of their creation. */
const webhooks = [
  { url: 'https://hooks.harbour.example/outcomes', events: ['message.delivered', 'message.bounced'] },
  {
    url: 'https://hooks.harbour.example/eva',
    events: ['message.received'],
    agent_handle: 'eva',
    auth_token: 'token-eva',
    created_at: '2026-01-10T00:00:00.500Z',
  },
  {
    url: 'https://hooks.harbour.example/everything',
    events: ['message.received', 'message.delivered', 'message.bounced'],
    auth_token: 'token-everything',
    created_at: '2026-02-20T00:00:00Z',
  },
  {
    url: 'https://hooks.harbour.example/max',
    events: ['message.received', 'message.bounced'],
    agent_handle: 'max',
    created_at: '2026-02-10T00:00:00Z',
  },
] satisfies NonNullable<ScenarioInput['webhooks']>

/** A similar organization whose data must never be visible; one handle is in both. */
const rivalOrganization = {
  name: 'Rival Works',
  api_keys: [keys.other],
  identities: [
    {
      handle: 'rival',
      display_name: 'Rival',
      mailbox_address: 'rival@works.example',
      threads: [secret(1), secret(2)],
    },
    {
      handle: 'eva',
      display_name: 'Another Eva',
      mailbox_address: 'eva@works.example',
      threads: [secret(3)],
    },
  ],
  webhooks: [
    { url: 'https://hooks.works.example/all', events: ['message.received'], auth_token: 'token-rival' },
    { url: 'https://hooks.works.example/eva', events: ['message.received'], agent_handle: 'eva' },
  ],
} satisfies NonNullable<ScenarioInput['organizations']>[number]

function secret(number: number) {
  return {
    key: `secret-${number}`,
    subject: `Secret ${number}`,
    messages: [
      {
        from: 'Spy <spy@works.example>',
        at: `-${number}h`,
        text: 'Secret plans',
        attachments: [{ filename: 'plans.txt', text: `Secret plans ${number}` }],
      },
    ],
  }
}

/** Two organizations whose data shows every silent point of the interface. */
export const conformanceScenario = defineScenario({
  scenario: 'conformance',
  seed: 11,
  start,
  organization: { name: 'Harbour Lamps', api_keys: [keys.own, keys.ownSecond] },
  identities: [
    {
      handle: 'eva',
      display_name: 'Eva Lind',
      description: 'Answers customers',
      mailbox_address: 'Eva.Lind@harbour.example',
      created_at: '2025-08-14T10:20:30.400Z',
      threads: evaThreads,
    },
    { handle: 'max', display_name: 'Max', mailbox_address: 'max@harbour.example', threads: bulkThreads },
    { handle: 'Night_Shift.bot-1', description: '', mailbox_address: 'night@harbour.example' },
  ],
  webhooks,
  organizations: [rivalOrganization],
})
