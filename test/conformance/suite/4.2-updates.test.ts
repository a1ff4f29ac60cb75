import type { Identity } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { expectError } from '../assertions.js'
import { jsonOf, type Mailbox, openMailbox } from '../mailbox.js'

/** Updates an identity and returns the shown result. */
async function update(mailbox: Mailbox, handle: string, fields: object): Promise<Identity> {
  const answer = await mailbox.patch(handle, fields)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  return jsonOf(answer)
}

describe('4.2 Update agent identity', () => {
  it.each(['milliseconds', 'seconds'])(
    '4.2 updated_at is the time of the update, and increases on a frozen clock (format.timestamps=%s)',
    async (assumption) => {
      const mailbox = await openMailbox({ 'format.timestamps': assumption } as never)
      const { created_at, updated_at } = await mailbox.identity('eva')
      const times = [updated_at]
      for (const description of ['one', 'two', 'two', 'x'.repeat(10_000)]) {
        const updated = await update(mailbox, 'eva', { description })
        expect(updated).toMatchObject({ created_at, description })
        expect(await mailbox.identity('eva')).toEqual(updated)
        times.push(updated.updated_at)
      }
      expect(times).toEqual(times.toSorted())
      expect(new Set(times).size).toBe(times.length)
      await mailbox.simulator.clock.advance('1h30m')
      const later = await update(mailbox, 'eva', { description: 'Back at noon' })
      expect(later.updated_at).toBe(`2026-03-02T11:30:00${assumption === 'seconds' ? '' : '.000'}Z`)
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

  it('4.2 a body that is not UTF-8 is invalid', async () => {
    const mailbox = await openMailbox()
    const body = Uint8Array.from(Buffer.from('{"display_name": "\xff"}', 'latin1'))
    expectError(await mailbox.patch('eva', {}, { body }), 400)
    expect((await mailbox.identity('eva')).display_name).toBe('Eva Lind')
  })
})
