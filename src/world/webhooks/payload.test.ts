import { describe, expect, it } from 'vitest'
import type { EventType } from '../../contract/events.js'
import type { ReadingChoices } from '../readings.js'
import { annsMail, smallWorld, start } from '../small-world.fixture.js'
import { payloadOf } from './payload.js'
import { found, settled } from './settled.fixture.js'

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
  const write = (settle: Parameters<typeof payloadOf>[1]['settle']) => {
    return payloadOf(event, { store: world.store, settle, base: 'http://mailbox.test' })
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

  it.each(['flat', 'nested'])('names the recipient in %s data, where one is known', (data) => {
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
    ['flat', 'nested'].flatMap((data) =>
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
