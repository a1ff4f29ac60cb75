import type { Identity } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { identitySchema } from '../../../src/contract/resources.js'
import { expectError, expectKeys, expectRefusals, expectToFit } from '../assertions.js'
import { identityPath, jsonOf, type Mailbox, openMailbox, type Sending } from '../mailbox.js'
import { keys, start } from '../scenario.js'

/** Updates an identity and returns the shown result. */
async function update(
  mailbox: Mailbox,
  handle: string,
  fields: object,
  sending?: Sending,
): Promise<Identity> {
  const answer = await mailbox.patch(handle, fields, sending)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  return jsonOf(answer)
}

describe('4.2 Update agent identity', () => {
  it.each([
    { display_name: 'Eva L.' },
    { description: 'On holiday' },
    { display_name: 'Eva L.', description: 'On holiday' },
    { display_name: '', description: '' },
    { display_name: '“Eva” 💡 \u0000\n\t\\', description: 'x'.repeat(10_000) },
  ])('4.2 PATCH sets display_name and description: case %#', async (fields) => {
    const mailbox = await openMailbox()
    const before = await mailbox.identity('eva')
    const updated = await update(mailbox, 'eva', fields)
    expectToFit(identitySchema(), updated)
    expectKeys(updated, Object.keys(before))
    expect(updated).toEqual({ ...before, ...fields, updated_at: start })
    expect(await mailbox.identity('eva')).toEqual(updated)
  })

  it('4.2 updated_at is the time of the update', async () => {
    const mailbox = await openMailbox()
    await mailbox.simulator.clock.advance('1h30m')
    const { updated_at } = await update(mailbox, 'eva', { description: 'Back at noon' })
    expect(updated_at).toBe('2026-03-02T11:30:00.000Z')
  })

  it.each(['milliseconds', 'seconds'])(
    '4.2 updated_at increases with each update on a frozen clock (format.timestamps=%s)',
    async (reading) => {
      const mailbox = await openMailbox({ 'format.timestamps': reading })
      const { created_at, updated_at } = await mailbox.identity('eva')
      const times = [updated_at]
      for (const description of ['one', 'two', 'two', 'three']) {
        const updated = await update(mailbox, 'eva', { description })
        expect(updated.created_at).toBe(created_at)
        times.push(updated.updated_at)
      }
      expect(times).toEqual(times.toSorted())
      expect(new Set(times).size).toBe(times.length)
    },
  )

  it('4.2 nothing but the identity changes', async () => {
    const mailbox = await openMailbox()
    const before = await mailbox.dump()
    const identity = JSON.stringify(await mailbox.identity('max'), null, 1).replaceAll('\n', '\n ')
    const updated = await update(mailbox, 'max', { display_name: 'Maximilian' })
    const expected = JSON.stringify(updated, null, 1).replaceAll('\n', '\n ')
    expect(before).toContain(identity)
    expect(await mailbox.dump()).toBe(before.replace(identity, () => expected))
  })

  it('4.2 Content-Type: application/json may have parameters and any case', async () => {
    const mailbox = await openMailbox()
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=y']) {
      const headers = { 'content-type': type }
      expect((await update(mailbox, 'eva', { description: type }, { headers })).description).toBe(type)
    }
  })

  it('4.2 the handle of another organization is not updated', async () => {
    const mailbox = await openMailbox()
    await expectRefusals(mailbox, 404, [() => mailbox.patch('rival', { display_name: 'Taken' })])
    await update(mailbox, 'eva', { display_name: 'Changed' }, { key: keys.other })
    expect((await mailbox.identity('eva')).display_name).toBe('Eva Lind')
    expect((await mailbox.identity('eva', { key: keys.other })).display_name).toBe('Changed')
  })

  it('4.2 an identity deleted before the body arrives is not found', async () => {
    const mailbox = await openMailbox()
    const pull = (body: ReadableStreamDefaultController<Uint8Array>) => {
      mailbox.simulator.identities.delete('eva')
      body.enqueue(new TextEncoder().encode('{"display_name": "Late"}'))
      body.close()
    }
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    expectError(await mailbox.patch('eva', {}, { body }), 404)
  })

  it('4.2 an unknown handle is not found with any body', async () => {
    const mailbox = await openMailbox()
    expectError(await mailbox.patch('nobody', { display_name: 'x' }), 404)
    expectError(await mailbox.send('PATCH', identityPath('nobody'), { body: 'nonsense' }), 404)
  })
})
