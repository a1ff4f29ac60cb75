import type { Identity } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { identitySchema } from '../../../src/contract/resources.js'
import { expectRefusals, expectToFit } from '../assertions.js'
import { identityPath, jsonOf, type Mailbox, openMailbox, type Sending } from '../mailbox.js'
import { start } from '../scenario.js'
import type { Answer, Transport } from '../transport.js'

const json = { 'content-type': 'application/json' }

const patchEva = (mailbox: Mailbox, sending: Sending): Promise<Answer> =>
  mailbox.send('PATCH', identityPath('eva'), sending)

function updatedBy(answer: Answer): Identity {
  expect(answer.status).toBe(200)
  return jsonOf(answer)
}

/** 4.2 Update agent identity: the points it leaves open, and wrong bodies. */
export function describePart(transport: Transport): void {
  describe('4.2 identities.patch-empty-body', () => {
    const empty: Sending[] = [
      {},
      { headers: json },
      { headers: json, body: '{}' },
      { headers: json, body: ' {\n} ' },
    ]

    it.each([
      ['unchanged', '2025-08-14T10:20:30.400Z'],
      ['touched', start],
    ])('4.2 an empty body or {} (%s)', async (reading, updated_at) => {
      const mailbox = await openMailbox(transport, { 'identities.patch-empty-body': reading })
      for (const sending of empty) {
        mailbox.simulator.reset()
        const before = await mailbox.identity('eva')
        expect(updatedBy(await patchEva(mailbox, sending))).toEqual({ ...before, updated_at })
        expect(await mailbox.identity('eva')).toEqual({ ...before, updated_at })
      }
    })

    it('4.2 an empty body or {} (rejected)', async () => {
      const mailbox = await openMailbox(transport, { 'identities.patch-empty-body': 'rejected' })
      await expectRefusals(
        mailbox,
        400,
        empty.map((sending) => () => patchEva(mailbox, sending)),
      )
    })
  })

  describe('4.2 identities.patch-unknown-fields', () => {
    const body = {
      display_name: 'Eva L.',
      mood: 'fine',
      agent_handle: 'owned',
      id: 'ident_1',
      created_at: '',
    }

    it('4.2 only unknown fields are as good as none (ignored)', async () => {
      const mailbox = await openMailbox(transport)
      const before = await mailbox.identity('eva')
      expect(updatedBy(await mailbox.patch('eva', { mood: 'fine' }))).toEqual(before)
    })

    it('4.2 unknown fields make the request invalid (rejected)', async () => {
      const mailbox = await openMailbox(transport, { 'identities.patch-unknown-fields': 'rejected' })
      const wrong = [body, { mood: 'fine' }, { updated_at: start }, { __proto__x: 1 }]
      await expectRefusals(
        mailbox,
        400,
        wrong.map((fields) => () => mailbox.patch('eva', fields)),
      )
    })

    it('4.2 names every object has are unknown fields like others', async () => {
      const mailbox = await openMailbox(transport)
      const before = await mailbox.identity('eva')
      const body =
        '{"__proto__": {"display_name": "x"}, "constructor": 1, "toString": "x", "description": "y"}'
      const updated = updatedBy(await patchEva(mailbox, { headers: json, body }))
      expect(updated).toEqual({ ...before, description: 'y', updated_at: start })
    })
  })

  describe('4.2 identities.patch-null', () => {
    it.each([
      ['empty-string', 'display_name', ''],
      ['empty-string', 'description', ''],
      ['null', 'display_name', null],
      ['null', 'description', null],
    ])('4.2 null is %s for %s', async (reading, field, value) => {
      const mailbox = await openMailbox(transport, { 'identities.patch-null': reading })
      const before = await mailbox.identity('eva')
      const updated = updatedBy(await mailbox.patch('eva', { [field]: null }))
      expectToFit(identitySchema(), updated)
      expect(updated).toEqual({ ...before, [field]: value, updated_at: start })
      expect(await mailbox.identity('eva')).toEqual(updated)
    })
  })

  describe('4.2 identities.patch-content-type', () => {
    const others = [
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
    ]
    const body = JSON.stringify({ display_name: 'Eva L.' })

    it.each([
      ['rejected', 400],
      ['unsupported-media-type', 415],
    ] as const)('4.2 another content type or none (%s)', async (reading, status) => {
      const mailbox = await openMailbox(transport, { 'identities.patch-content-type': reading })
      await expectRefusals(
        mailbox,
        status,
        others.map((headers) => () => patchEva(mailbox, { headers, body })),
      )
    })

    it('4.2 another content type or none (parsed)', async () => {
      const mailbox = await openMailbox(transport, { 'identities.patch-content-type': 'parsed' })
      for (const headers of others) {
        expect(updatedBy(await patchEva(mailbox, { headers, body })).display_name).toBe('Eva L.')
      }
      await expectRefusals(mailbox, 400, [() => patchEva(mailbox, { body: 'display_name=Eva' })])
    })
  })

  describe('4.2 identities.patch-at-handle', () => {
    it.each(['@eva', '%40eva'])('4.2 PATCH %s updates the same identity (same-identity)', async (handle) => {
      const mailbox = await openMailbox(transport)
      const updated = updatedBy(await mailbox.patch(handle, { display_name: 'Eva L.' }))
      expect(updated).toMatchObject({ agent_handle: 'eva', display_name: 'Eva L.' })
      expect(await mailbox.identity('eva')).toEqual(updated)
    })
  })

  describe('4.2 a wrong body', () => {
    const wrong = {
      'a number for a string': '{"display_name": 7}',
      'one field right, one wrong': '{"display_name": "Eva L.", "description": false}',
      'one field wrong, one right': '{"display_name": ["Eva"], "description": "Right"}',
      'invalid JSON': '{"display_name": "Eva L.",}',
      'JSON cut off': '{"display_name": "Eva',
      'an array': '[{"display_name": "Eva L."}]',
      'a string': '"display_name"',
      'a number': '7',
      null: 'null',
      'white space': '  \n',
      'text that is not UTF-8': Uint8Array.of(
        ...new TextEncoder().encode('{"display_name": "'),
        0xff,
        0x22,
        0x7d,
      ),
    }

    it.each(Object.entries(wrong))('4.2 %s changes nothing', async (_name, body) => {
      const mailbox = await openMailbox(transport)
      await expectRefusals(mailbox, 400, [() => patchEva(mailbox, { headers: json, body })])
    })

    it('4.2 deeply nested JSON is an unknown field like others', async () => {
      const mailbox = await openMailbox(transport)
      const body = `{"mood": ${'['.repeat(5000)}${']'.repeat(5000)}, "description": "flat"}`
      expect(updatedBy(await patchEva(mailbox, { headers: json, body })).description).toBe('flat')
    })
  })
}
