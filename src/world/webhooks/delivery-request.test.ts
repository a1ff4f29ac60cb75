import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { found, settled } from '../../../test/support/webhooks/settled.js'
import { annsMail, smallWorld, start } from '../../../test/support/world/small-world.js'
import type { EventType } from '../../contract/resources.js'
import type { ReadingChoices } from '../readings.js'
import type { SignedContent } from './delivery-format.js'
import { renderPayload, secretOf, signatureHeaders } from './delivery-request.js'

const gaps = [
  'events.envelope',
  'events.data',
  'format.timestamps',
  'messages.outbound-direction',
  'messages.empty-body',
  'messages.headers',
  'messages.attachment-entry',
  'messages.attachment-url',
] as const

/** What is sent of mail that came in, or of mail that came back. */
function payload(
  choices: ReadingChoices,
  type: EventType = 'message.received',
  recipient: string | null = null,
) {
  const world = smallWorld()
  const { message } =
    type === 'message.received'
      ? world.apply(annsMail({ subject: 'Lamp', text: 'Hello', attachments: [file] }))
      : world.apply({
          type: 'send-message',
          identity_id: 'ident_support',
          to: ['ann@shop.example'],
          text: 'Hi',
        })
  const event = { id: 'evt_1', type, at: start + 1500, message, agentHandle: 'support', recipient }
  const write = (settle: Parameters<typeof renderPayload>[1]['settle']) => {
    return renderPayload(event, { store: world.store, settle, base: 'http://mailbox.test' })
  }
  return { message, write, body: JSON.parse(settled(choices, write).result) }
}

const file = { filename: 'a.txt', content: 'aGVsbG8=' }

/** The single fields of a message, as `data` carries them. */
function fieldsOf({ id, thread_id }: { id: string; thread_id: string }) {
  return {
    message_id: id,
    thread_id,
    agent_handle: 'support',
    direction: 'inbound',
    from: 'Ann <ann@shop.example>',
    to: ['support@agents.example'],
    subject: 'Lamp',
    created_at: '2026-01-05T09:00:00.000Z',
  }
}

describe('the body of a delivery', () => {
  it('has the fields of the message in its data', () => {
    const { body, message } = payload({})
    expect(body).toEqual({
      id: 'evt_1',
      event: 'message.received',
      created_at: '2026-01-05T09:00:01.500Z',
      data: fieldsOf(message),
    })
  })

  it('has its type and time under the names of Standard Webhooks', () => {
    const { body, message } = payload({ 'events.envelope': 'type-timestamp-data' })
    const timestamp = '2026-01-05T09:00:01.500Z'
    expect(body).toEqual({ type: 'message.received', timestamp, data: fieldsOf(message) })
  })

  it('has everything beside the type', () => {
    const { body, message } = payload({ 'events.envelope': 'flat' })
    expect(body).toEqual({ event: 'message.received', ...fieldsOf(message) })
  })

  it('has the message as lists show it', () => {
    const { body, message } = payload({ 'events.data': 'nested', 'messages.attachment-entry': 'url-only' })
    expect(body.data).toEqual({
      agent_handle: 'support',
      message: {
        id: message.id,
        thread_id: message.thread_id,
        direction: 'inbound',
        from: 'Ann <ann@shop.example>',
        to: ['support@agents.example'],
        subject: 'Lamp',
        text: 'Hello',
        html: '',
        attachments: [
          { url: expect.stringMatching(/^http:\/\/mailbox\.test\/attachments\/att_\w+\/a\.txt$/) },
        ],
        created_at: '2026-01-05T09:00:00.000Z',
      },
    })
  })

  it.each(['flat', 'nested', 'flat-full'])('names the recipient in %s data, where one is known', (data) => {
    const choices = { 'events.data': data }
    const { body } = payload(choices, 'message.bounced', 'ann@shop.example')
    expect(body.data.recipient).toBe('ann@shop.example')
    expect(payload(choices, 'message.bounced').body.data).not.toHaveProperty('recipient')
  })

  it('shows mail an agent sent as the lists do', () => {
    const choices = { 'messages.outbound-direction': 'sent', 'format.timestamps': 'seconds' }
    const { body } = payload(choices, 'message.delivered')
    expect(body).toMatchObject({
      created_at: '2026-01-05T09:00:01Z',
      data: { direction: 'sent', created_at: '2026-01-05T09:00:00Z' },
    })
  })
})

describe('what the body of a delivery relies on', () => {
  const choices = ['id-event-data', 'type-timestamp-data', 'flat'].flatMap((envelope) =>
    ['flat', 'nested', 'flat-full'].flatMap((data) =>
      (['message.received', 'message.bounced'] as const).map((type) => ({
        type,
        choice: { 'events.envelope': envelope, 'events.data': data },
      })),
    ),
  )

  it.each(choices)('is what trying every other reading finds: $type $choice', ({ type, choice }) => {
    const { write } = payload({}, type)
    const { noted } = settled(choice, write)
    expect(noted).toEqual(found(gaps, choice, write))
    expect(Object.keys(noted)).toEqual(expect.arrayContaining(['events.envelope', 'events.data']))
  })
})

const signed: SignedContent = {
  eventId: 'evt_1',
  at: Date.parse('2026-01-05T09:00:00.999Z'),
  body: '{"text": "Grüße, \\u2028 👋"}',
  secret: secretOf(7, 'whk_1'),
}

afterEach(() => {
  vi.useRealTimers()
})

async function headersUnder(reading: string, more: Partial<SignedContent> = {}) {
  const parts = { ...signed, ...more }
  const { result, noted } = settled({ 'events.signature': reading }, (settle) =>
    signatureHeaders(parts, settle),
  )
  return { headers: await result, noted: noted['events.signature'] }
}

describe('the signature of a delivery', () => {
  it('is none where a reading says so', async () => {
    const { headers, noted } = await headersUnder('none')
    expect(headers).toEqual({})
    expect(noted).toEqual(['standard-webhooks', 'timestamped-hmac'])
  })

  it('is one that the verifier of Standard Webhooks accepts, at the time of the attempt', async () => {
    const { headers, noted } = await headersUnder('standard-webhooks')
    expect(Object.keys(headers)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    expect(headers).toMatchObject({ 'webhook-id': 'evt_1', 'webhook-timestamp': '1767603600' })
    expect(noted).toEqual(['none', 'timestamped-hmac'])
    vi.useFakeTimers({ now: signed.at })
    expect(new Webhook(signed.secret).verify(signed.body, headers)).toEqual(JSON.parse(signed.body))
    const wrong = [
      () => new Webhook(secretOf(7, 'whk_2')).verify(signed.body, headers),
      () => new Webhook(signed.secret).verify(`${signed.body} `, headers),
      () => new Webhook(signed.secret).verify(signed.body, { ...headers, 'webhook-id': 'evt_2' }),
    ]
    for (const verify of wrong) expect(verify).toThrow()
  })

  it('is one that anybody can check who has the secret: time, a dot and the body', async () => {
    const { headers, noted } = await headersUnder('timestamped-hmac')
    const check = createHmac('sha256', signed.secret).update(`1767603600.${signed.body}`).digest('hex')
    expect(headers).toEqual({ 'x-webhook-signature': `t=1767603600,v1=${check}` })
    expect(noted).toEqual(['none', 'standard-webhooks'])
  })

  it.each(['standard-webhooks', 'timestamped-hmac'])(
    '%s is the same for the same attempt, and another at another time',
    async (reading) => {
      const first = await headersUnder(reading)
      expect(await headersUnder(reading)).toEqual(first)
      const later = await headersUnder(reading, { at: signed.at + 1000 })
      for (const name of Object.keys(first.headers).filter((header) => header !== 'webhook-id')) {
        expect(later.headers[name]).not.toBe(first.headers[name])
      }
    },
  )
})

describe('the secret of a subscription', () => {
  it('is 24 bytes in base64 after whsec_', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string(), (seed, id) => {
        const secret = secretOf(seed, id)
        expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
        expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(24)
      }),
    )
  })

  it('is the same on every machine', () => {
    expect(secretOf(7, 'whk_all')).toMatchInlineSnapshot(`"whsec_nyiMEjxFuaIZcrPQyGgA136QM/UqozLG"`)
  })

  it('is another for another subscription, and for another seed', () => {
    const secrets = [0, 1, 2, 3].flatMap((seed) =>
      ['whk_a', 'whk_b', 'whk_c'].map((id) => secretOf(seed, id)),
    )
    expect(new Set(secrets).size).toBe(secrets.length)
  })
})
