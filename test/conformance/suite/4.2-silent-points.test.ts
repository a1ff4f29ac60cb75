import type { Identity } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { expectRefusals } from '../assertions.js'
import { identityPath, jsonOf, type Mailbox, openMailbox, type Sending } from '../mailbox.js'
import { start } from '../scenario.js'
import type { Answer } from '../transport.js'

const json = { 'content-type': 'application/json' }

const patchEva = (mailbox: Mailbox, sending: Sending): Promise<Answer> =>
  mailbox.send('PATCH', identityPath('eva'), sending)

function updatedBy(answer: Answer): Identity {
  expect(answer.status).toBe(200)
  return jsonOf(answer)
}

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
    const mailbox = await openMailbox({ 'identities.patch-empty-body': reading })
    for (const sending of empty) {
      mailbox.simulator.reset()
      const before = await mailbox.identity('eva')
      expect(updatedBy(await patchEva(mailbox, sending))).toEqual({ ...before, updated_at })
      expect(await mailbox.identity('eva')).toEqual({ ...before, updated_at })
    }
  })

  it('4.2 an empty body or {} (rejected)', async () => {
    const mailbox = await openMailbox({ 'identities.patch-empty-body': 'rejected' })
    await expectRefusals(
      mailbox,
      400,
      empty.map((sending) => () => patchEva(mailbox, sending)),
    )
  })
})

it('4.2 property names of every object are unknown fields', async () => {
  const mailbox = await openMailbox()
  const before = await mailbox.identity('eva')
  const body = '{"__proto__": {"display_name": "x"}, "constructor": 1, "toString": "x", "description": "y"}'
  const updated = updatedBy(await patchEva(mailbox, { headers: json, body }))
  expect(updated).toEqual({ ...before, description: 'y', updated_at: start })
})

it.each([
  ['rejected', 400],
  ['unsupported-media-type', 415],
  ['parsed', 200],
] as const)('4.2 a missing or form content type is %s', async (reading, status) => {
  const mailbox = await openMailbox({ 'identities.patch-content-type': reading })
  const types = [{}, { 'content-type': 'application/x-www-form-urlencoded' }]
  const body = JSON.stringify({ display_name: 'Eva L.' })
  const updates = types.map((headers) => () => patchEva(mailbox, { headers, body }))
  if (status !== 200) return expectRefusals(mailbox, status, updates)
  await expectRefusals(mailbox, 400, [() => patchEva(mailbox, { body: 'display_name=Eva' })])
  for (const update of updates) expect(updatedBy(await update()).display_name).toBe('Eva L.')
})

it('4.2 PATCH %40eva updates the same identity', async () => {
  const mailbox = await openMailbox()
  const updated = updatedBy(await mailbox.patch('%40eva', { display_name: 'Eva L.' }))
  expect(updated).toMatchObject({ agent_handle: 'eva', display_name: 'Eva L.' })
  expect(await mailbox.identity('eva')).toEqual(updated)
})

describe('4.2 a wrong body', () => {
  const wrong = {
    'a number for a string': '{"display_name": 7}',
    'one field right, one wrong': '{"display_name": "Eva L.", "description": false}',
    'one field wrong, one right': '{"display_name": ["Eva"], "description": "Right"}',
    'invalid JSON': '{"display_name": "Eva L.",}',
    'truncated JSON': '{"display_name": "Eva',
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
    const mailbox = await openMailbox()
    await expectRefusals(mailbox, 400, [() => patchEva(mailbox, { headers: json, body })])
  })

  it('4.2 deeply nested JSON is an unknown field', async () => {
    const mailbox = await openMailbox()
    const body = `{"mood": ${'['.repeat(5000)}${']'.repeat(5000)}, "description": "flat"}`
    expect(updatedBy(await patchEva(mailbox, { headers: json, body })).description).toBe('flat')
  })
})
