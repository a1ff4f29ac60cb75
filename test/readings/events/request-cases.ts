import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, vi } from 'vitest'
import type { Desk } from './desk.js'
import type { EventCases, Happen } from './event-case.js'

/** Receives mail for eva and waits for its delivery. */
const mailForEva: Happen = async (desk) => {
  await desk.receive('eva')
  await desk.advance('0s')
}

/** Reports mail as delivered without subscriptions. */
const nobodyIsTold: Happen = async (desk) => {
  for (const { id } of desk.simulator.webhooks.list()) desk.simulator.webhooks.delete(id)
  await mailForEva(desk)
}

/** The fields of a message in `data` under the default reading. */
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

/** The only body that the subscription of eva received. */
function bodyOf(desk: Desk): Record<string, unknown> {
  const bodies = desk.bodies('eva')
  expect(bodies).toHaveLength(1)
  expect(desk.bodies('all')).toEqual(bodies)
  return bodies[0] ?? {}
}

/** The only request that the subscription of eva received, and its secret. */
function requestOf({ received, simulator }: Desk) {
  const [request] = received.eva
  if (!request) throw new Error('There was no delivery to eva.')
  const webhook = simulator.webhooks.list().find(({ agent_handle }) => agent_handle === 'eva')
  return { ...request, secret: simulator.webhooks.secret(webhook?.id ?? '') }
}

/** Asserts which headers that may carry a token or a signature a request has. */
function expectHeaders({ headers }: { headers: Headers }, names: string[]): void {
  const others = ['content-type', 'user-agent']
  expect([...headers.keys()].filter((name) => !others.includes(name)).toSorted()).toEqual(names.toSorted())
}

/** How receivers meet the gaps of the request of a delivery. */
export const requestCases: Pick<
  EventCases,
  'events.envelope' | 'events.data' | 'events.token-placement' | 'events.signature'
> = {
  'events.envelope': {
    happen: mailForEva,
    sees: {
      'id-event-data': (desk) =>
        expect(bodyOf(desk)).toEqual({
          id: expect.stringMatching(/^evt_/),
          event: 'message.received',
          created_at: desk.simulator.start,
          data: fields,
        }),
      'type-timestamp-data': (desk) => {
        const timestamp = desk.simulator.start
        expect(bodyOf(desk)).toEqual({ type: 'message.received', timestamp, data: fields })
      },
      flat: (desk) => expect(bodyOf(desk)).toEqual({ event: 'message.received', ...fields }),
    },
    quiet: [nobodyIsTold],
  },
  'events.data': {
    happen: mailForEva,
    sees: {
      flat: (desk) => expect(bodyOf(desk)['data']).toEqual(fields),
      nested: (desk) =>
        expect(bodyOf(desk)['data']).toEqual({
          agent_handle: 'eva',
          message: expect.objectContaining({ id: fields.message_id, text: 'Hello', attachments: [] }),
        }),
      'flat-full': (desk) =>
        expect(bodyOf(desk)['data']).toEqual({
          ...fields,
          mailbox_address: 'eva@agents.example',
          text: 'Hello',
          html: '',
          attachments: [],
        }),
    },
    quiet: [nobodyIsTold],
  },
  'events.token-placement': {
    happen: mailForEva,
    sees: {
      'authorization-bearer': (desk) => {
        expectHeaders(requestOf(desk), ['authorization'])
        expect(requestOf(desk).headers.get('authorization')).toBe('Bearer s3cret-token')
      },
      'x-auth-token': (desk) => {
        expectHeaders(requestOf(desk), ['x-auth-token'])
        expect(requestOf(desk).headers.get('x-auth-token')).toBe('s3cret-token')
      },
      'not-sent': (desk) => {
        expectHeaders(requestOf(desk), [])
        expect(JSON.stringify([...requestOf(desk).headers])).not.toContain('s3cret-token')
      },
    },
    // No subscription to max has a token.
    quiet: [
      async (desk) => {
        await desk.receive('max')
        await desk.advance('0s')
      },
      nobodyIsTold,
    ],
  },
  'events.signature': {
    readings: { 'events.token-placement': 'not-sent' },
    happen: mailForEva,
    sees: {
      none: (desk) => expectHeaders(requestOf(desk), []),
      'standard-webhooks': (desk) => {
        const { headers, text, secret } = requestOf(desk)
        expectHeaders({ headers }, ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
        // The verifier refuses signatures of another time than that of the machine.
        vi.setSystemTime(desk.simulator.clock.now())
        expect(new Webhook(secret).verify(text, Object.fromEntries(headers))).toEqual(JSON.parse(text))
        expect(headers.get('webhook-id')).toBe(JSON.parse(text).id)
      },
      'timestamped-hmac': (desk) => {
        const { headers, text, secret } = requestOf(desk)
        expectHeaders({ headers }, ['x-webhook-signature'])
        const [, time = '', mac] =
          /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers.get('x-webhook-signature') ?? '') ?? []
        expect(Number(time) * 1000).toBe(Date.parse(desk.simulator.start))
        expect(mac).toBe(createHmac('sha256', secret).update(`${time}.${text}`).digest('hex'))
      },
    },
    quiet: [nobodyIsTold],
  },
}
