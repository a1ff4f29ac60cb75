import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, vi } from 'vitest'
import type { AssumptionOf, Assumptions } from '../../../src/contract/gaps.js'
import type { EventGap } from '../gap-case.js'
import { type Answers, answerAfter, type Desk, hooks } from './desk.js'

/** Causes an event at a desk and waits for its delivery. */
export type Happen = (desk: Desk) => Promise<void>

/** How a receiver meets a gap, and the result under each assumption. */
export interface EventCase<G extends EventGap> {
  /** Assumptions of other gaps that this case requires. */
  readonly assumptions?: Partial<Omit<Assumptions, G>>
  /** Events that rely on the gap. */
  readonly happen: Happen
  /** Returns what receivers have seen. */
  readonly shows: (desk: Desk) => unknown
  /** What the case shows, assumption by assumption. */
  readonly sees: { readonly [R in AssumptionOf<G>]: unknown }
  /** Similar events whose deliveries do not rely on the gap. */
  readonly quiet: readonly [Happen, ...Happen[]]
}

/** Leaves the subscription of eva alone. */
function onlyEva({ simulator }: Desk): void {
  for (const { id, url } of simulator.webhooks.list()) if (url !== hooks.eva) simulator.webhooks.delete(id)
}

/** Receives mail for eva, whose receiver answers in this way. */
const mailForEva =
  (answers: Answers): Happen =>
  async (desk) => {
    onlyEva(desk)
    desk.answer('eva', answers)
    await desk.receive('eva')
    await desk.advance('48h')
  }

/** Receives several mails for eva at once. */
const manyForEva =
  (count: number): Happen =>
  async (desk) => {
    onlyEva(desk)
    for (let number = 0; number < count; number++) await desk.receive('eva', `Mail ${number}`)
    await desk.advance('1m')
  }

/** Answers the first request in one way and the others with 200. */
const first = (answer: number | Response) => mailForEva((n) => (n === 0 ? answer : 200))

const asking = (status: number, asked: string): Response =>
  new Response(null, { status, headers: { 'retry-after': asked } })

/** Receives mail for an agent. */
const mailFor =
  (agent: 'eva' | 'max'): Happen =>
  async (desk) => {
    await desk.receive(agent)
    await desk.advance('1m')
  }

/** Receives mail without subscriptions. */
const nobodyIsTold: Happen = async (desk) => {
  for (const { id } of desk.simulator.webhooks.list()) desk.simulator.webhooks.delete(id)
  await mailFor('eva')(desk)
}

const deliveries = ({ simulator }: Desk) => simulator.deliveries.list({ url: hooks.eva })
const statuses = (desk: Desk) => deliveries(desk).map(({ status }) => status)

/** The seconds of the story at which eva's receiver got its requests. */
const instants = ({ received }: Desk) => received.eva.map(({ at }) => at)

/** The ids of the messages that eva's receiver was notified of. */
const messages = (desk: Desk) =>
  desk.bodies('eva').map(({ data }) => (data as { message_id: string }).message_id)

/** The only body that the subscription of eva received; that of every agent received the same. */
function bodyOf(desk: Desk): Record<string, unknown> {
  const bodies = desk.bodies('eva')
  expect(bodies).toHaveLength(1)
  expect(desk.bodies('all')).toEqual(bodies)
  return bodies[0] ?? {}
}

/** The headers of the only request to eva that may carry a token or a signature. */
function headersOf({ received }: Desk): Record<string, string> {
  const others = ['content-type', 'user-agent']
  return Object.fromEntries([...(received.eva[0]?.headers ?? [])].filter(([name]) => !others.includes(name)))
}

/** The names of the headers of a signature, whose value must be right. */
function signatureOf(desk: Desk): string[] {
  const { simulator, received } = desk
  const webhook = simulator.webhooks.list().find(({ agent_handle }) => agent_handle === 'eva')
  const secret = simulator.webhooks.secret(webhook?.id ?? '')
  const [headers, text] = [headersOf(desk), received.eva[0]?.text ?? '']
  const signature = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['x-webhook-signature'] ?? '')
  if (signature) {
    expect(Number(signature[1]) * 1000).toBe(Date.parse(simulator.start))
    expect(signature[2]).toBe(createHmac('sha256', secret).update(`${signature[1]}.${text}`).digest('hex'))
  }
  if ('webhook-signature' in headers) {
    // The verifier refuses signatures of another time than that of the machine.
    vi.setSystemTime(simulator.clock.now())
    expect(new Webhook(secret).verify(text, headers)).toEqual(JSON.parse(text))
    expect(headers['webhook-id']).toBe(JSON.parse(text).id)
  }
  return Object.keys(headers).toSorted()
}

/** The fields of a message in `data` under the default assumption. */
const fields = {
  message_id: expect.stringMatching(/^msg_/),
  thread_id: expect.stringMatching(/^thrd_/),
  agent_handle: 'eva',
  direction: 'inbound',
  from: expect.any(String),
  to: [expect.any(String)],
  subject: expect.any(String),
  created_at: expect.any(String),
}

const start = '2026-01-05T09:00:00.000Z'

/** How receivers meet each gap of deliveries; a missing gap or assumption does not compile. */
export const cases: { readonly [G in EventGap]: EventCase<G> } = {
  'events.envelope': {
    happen: mailFor('eva'),
    shows: bodyOf,
    sees: {
      'id-event-data': {
        id: expect.stringMatching(/^evt_/),
        event: 'message.received',
        created_at: start,
        data: fields,
      },
      'type-timestamp-data': { type: 'message.received', timestamp: start, data: fields },
      flat: { event: 'message.received', ...fields },
    },
    quiet: [nobodyIsTold],
  },
  'events.data': {
    happen: mailFor('eva'),
    shows: (desk) => bodyOf(desk)['data'],
    sees: {
      flat: fields,
      nested: {
        agent_handle: 'eva',
        message: expect.objectContaining({ id: fields.message_id, text: 'Hello', attachments: [] }),
      },
      'flat-full': {
        ...fields,
        mailbox_address: 'eva@agents.example',
        text: 'Hello',
        html: '',
        attachments: [],
        headers: expect.objectContaining({ to: 'eva@agents.example' }),
      },
    },
    quiet: [nobodyIsTold],
  },
  'events.body-bytes': {
    assumptions: { 'events.signature': 'timestamped-hmac', 'events.data': 'flat-full' },
    happen: async (desk) => {
      onlyEva(desk)
      await desk.receive('eva', 'Größe/Preis')
      await desk.advance('1m')
    },
    shows: (desk) => {
      expect(signatureOf(desk)).toContain('x-webhook-signature')
      return desk.received.eva[0]?.text.match(/"(event|text)".*?,/g)
    },
    sees: {
      compact: ['"event":"message.received",', '"text":"Größe/Preis",'],
      spaced: ['"event": "message.received",', '"text": "Größe/Preis",'],
      escaped: ['"event":"message.received",', '"text":"Gr\\u00f6\\u00dfe\\/Preis",'],
    },
    quiet: [nobodyIsTold],
  },
  'events.token-placement': {
    happen: mailFor('eva'),
    shows: headersOf,
    sees: {
      'authorization-bearer': { authorization: 'Bearer s3cret-token' },
      'x-auth-token': { 'x-auth-token': 's3cret-token' },
      'not-sent': {},
    },
    // No subscription to max has a token.
    quiet: [mailFor('max'), nobodyIsTold],
  },
  'events.signature': {
    assumptions: { 'events.token-placement': 'not-sent' },
    happen: mailFor('eva'),
    shows: signatureOf,
    sees: {
      none: [],
      'standard-webhooks': ['webhook-id', 'webhook-signature', 'webhook-timestamp'],
      'timestamped-hmac': ['x-webhook-signature'],
    },
    quiet: [nobodyIsTold],
  },
  'events.retries': {
    happen: mailForEva(() => 500),
    shows: (desk) => [statuses(desk), instants(desk)],
    sees: {
      // Each wait is four times the one before, of 10 s, and up to a tenth longer.
      'exponential-5': [['failed'], [0, 10.708, 51.714, 218.193, 895.097, 3525.657]],
      none: [['failed'], [0]],
      svix: [['failed'], [0, 5, 305, 2105, 9305, 27_305, 63_305, 99_305]],
    },
    quiet: [mailForEva(() => 200)],
  },
  'events.retry-after': {
    assumptions: { 'events.retries': 'svix' },
    happen: first(asking(503, '120')),
    shows: instants,
    sees: { ignored: [0, 5], honoured: [0, 120] },
    quiet: [
      first(503),
      first(asking(503, 'soon')),
      first(asking(503, '5')),
      mailForEva(() => asking(200, '120')),
    ],
  },
  'events.gone': {
    assumptions: { 'events.retries': 'svix' },
    happen: async (desk) => {
      await first(410)(desk)
      await desk.receive('eva')
      await desk.advance('48h')
    },
    shows: (desk) => [statuses(desk), instants(desk)],
    sees: {
      retried: [
        ['succeeded', 'succeeded'],
        [0, 5, 48 * 3600],
      ],
      final: [
        ['failed', 'succeeded'],
        [0, 48 * 3600],
      ],
    },
    quiet: [first(404), mailForEva(() => 200)],
  },
  'events.timeout': {
    assumptions: { 'events.retries': 'none' },
    happen: async (desk) => {
      onlyEva(desk)
      const seconds = [3, 7, 12, 20, 40]
      desk.answer('eva', (n) => answerAfter(seconds[n] ?? 0))
      for (const _ of seconds) await desk.receive('eva')
      await desk.pass(200)
    },
    shows: (desk) =>
      deliveries(desk).map(({ attempts }) =>
        attempts
          .map(({ duration_ms, error }) => (error ? `${error.code} after ${duration_ms} ms` : 'in time'))
          .join(),
      ),
    sees: {
      '10s': ['in time', 'in time', ...Array(3).fill('timeout after 10000 ms')],
      '5s': ['in time', ...Array(4).fill('timeout after 5000 ms')],
      '15s': ['in time', 'in time', 'in time', ...Array(2).fill('timeout after 15000 ms')],
      '30s': [...Array(4).fill('in time'), 'timeout after 30000 ms'],
    },
    quiet: [
      async (desk) => {
        desk.answer('eva', () => answerAfter(3))
        await desk.receive('eva')
        await desk.pass(60)
      },
      mailForEva(() => 500),
    ],
  },
  'events.success': {
    assumptions: { 'events.retries': 'none' },
    happen: async (desk) => {
      const answers = [200, 204, Response.redirect(hooks.max), 299, 300, 500]
      desk.answer('eva', (n) => answers[n] ?? 200)
      await manyForEva(answers.length)(desk)
    },
    shows: (desk) => [...statuses(desk), desk.received.max.length],
    sees: {
      '2xx': ['succeeded', 'succeeded', 'failed', 'succeeded', 'failed', 'failed', 0],
      '200-only': ['succeeded', 'failed', 'failed', 'failed', 'failed', 'failed', 0],
    },
    quiet: [mailForEva(() => 200), mailForEva(() => 302), mailForEva(() => 500)],
  },
  'events.duplicates': {
    happen: manyForEva(10),
    // The requests, and the messages, events and bodies among them.
    shows: (desk) => [
      messages(desk).length,
      new Set(messages(desk)).size,
      new Set(desk.bodies('eva').map(({ id }) => id)).size,
      new Set(desk.received.eva.map(({ text }) => text)).size,
    ],
    sees: { 'exactly-once': [10, 10, 10, 10], 'occasional-duplicate': [13, 10, 10, 10] },
    quiet: [mailForEva(() => 500)],
  },
  'events.order': {
    happen: manyForEva(10),
    shows: (desk) => {
      const inOrder = deliveries(desk).map(({ message_id }) => message_id)
      return messages(desk).map((id) => inOrder.indexOf(id))
    },
    sees: { 'in-order': [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], shuffled: [1, 9, 3, 5, 2, 4, 0, 6, 7, 8] },
    quiet: [
      manyForEva(1),
      async (desk) => {
        for (let second = 0; second < 5; second++) {
          await desk.receive('eva')
          await desk.advance('1s')
        }
      },
    ],
  },
  'events.bounced-sender': {
    happen: async (desk) => {
      await desk.outcome('eva', 'bounced')
      await desk.outcome('eva', 'delivered')
      await desk.advance('1m')
    },
    // The number of requests of each receiver.
    shows: ({ received: { all, eva, max, bounces } }) => [all.length, eva.length, max.length, bounces.length],
    sees: { 'sending-agent': [2, 2, 0, 1], organization: [2, 2, 2, 1] },
    quiet: [
      mailFor('eva'),
      async (desk) => {
        onlyEva(desk)
        await desk.outcome('eva', 'bounced')
        await desk.advance('1m')
      },
    ],
  },
}
