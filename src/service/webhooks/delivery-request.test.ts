import { describe, expect, it } from 'vitest'
import { found, settled } from '../../../test/support/webhooks/settled.js'
import { annsMail, smallWorld, start } from '../../../test/support/world/small-world.js'
import type { EventType } from '../../contract/resources.js'
import type { AssumptionChoices } from '../assumptions/assumptions.js'
import { renderPayload, secretOf } from './delivery-request.js'

const gaps = [
  'events.envelope',
  'events.data',
  'events.body-bytes',
  'format.timestamps',
  'messages.outbound-direction',
  'messages.empty-body',
  'messages.headers',
  'messages.authentication',
  'messages.attachment-entry',
  'messages.attachment-url',
] as const

/** The payload of an event about received mail, or about sent mail with a recipient. */
function payload(
  choices: AssumptionChoices,
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
    return renderPayload(event, { store: world.store, settle, base: 'http://mailbox.test', fields: [] })
  }
  return { message, write, body: JSON.parse(settled(choices, write).result) }
}

const file = { filename: 'a.txt', content: 'aGVsbG8=' }

describe('the body of a delivery', () => {
  it.each(['flat', 'nested', 'flat-full'])('has the recipient in %s data, if known', (data) => {
    const choices = { 'events.data': data }
    const { body } = payload(choices, 'message.bounced', 'ann@shop.example')
    expect(body.data.recipient).toBe('ann@shop.example')
    expect(payload(choices, 'message.bounced').body.data).not.toHaveProperty('recipient')
  })
})

describe('the reliances of the body of a delivery', () => {
  const choices = ['id-event-data', 'type-timestamp-data', 'flat'].flatMap((envelope) =>
    ['flat', 'nested', 'flat-full'].flatMap((data) =>
      (['message.received', 'message.bounced'] as const).map((type) => ({
        type,
        choice: { 'events.envelope': envelope, 'events.data': data },
      })),
    ),
  )

  it.each(choices)('are the assumptions that change it: $type $choice', ({ type, choice }) => {
    const { write } = payload({}, type)
    const { noted } = settled(choice, write)
    expect(noted).toEqual(found(gaps, choice, write))
    expect(Object.keys(noted)).toEqual(expect.arrayContaining(['events.envelope', 'events.data']))
  })
})

describe('the secret of a subscription', () => {
  it('is the same on every machine', () => {
    expect(secretOf(7, 'whk_all')).toMatchInlineSnapshot(`"whsec_nyiMEjxFuaIZcrPQyGgA136QM/UqozLG"`)
  })
})
