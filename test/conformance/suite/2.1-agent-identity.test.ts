import { describe, expect, it } from 'vitest'
import { identitySchema } from '../../../src/contract/resources.js'
import { expectKeys, expectToFit, isoMilliseconds } from '../assertions.js'
import { openMailbox } from '../mailbox.js'

const fields = [
  'id',
  'agent_handle',
  'display_name',
  'description',
  'mailbox_address',
  'created_at',
  'updated_at',
]

describe('2.1 Agent identity', () => {
  it.each(['eva', 'max', 'Night_Shift.bot-1'])('2.1 %s has the seven fields, all strings', async (handle) => {
    const mailbox = await openMailbox()
    const identity = await mailbox.identity(handle)
    expectKeys(identity, fields)
    expectToFit(identitySchema(), identity)
    for (const value of Object.values(identity)) expect(value).toBeTypeOf('string')
  })

  it('2.1 id is prefixed ident_ followed by an opaque string', async () => {
    const mailbox = await openMailbox()
    const [eva, max] = [await mailbox.identity('eva'), await mailbox.identity('max')]
    for (const { id, agent_handle } of [eva, max]) {
      expect(id).toMatch(/^ident_[A-Za-z0-9]{8,}$/)
      expect(id).not.toContain(agent_handle)
    }
    expect(eva.id).not.toBe(max.id)
  })

  it.each([
    ['eva', 'eva'],
    ['@eva', 'eva'],
    ['%40eva', 'eva'],
    ['@Night_Shift.bot-1', 'Night_Shift.bot-1'],
  ])('2.1 agent_handle of %s is %s, without a leading @', async (given, handle) => {
    const mailbox = await openMailbox()
    expect((await mailbox.identity(given)).agent_handle).toBe(handle)
  })

  it('2.1 display_name, description and mailbox_address are those of the identity', async () => {
    const mailbox = await openMailbox()
    expect(await mailbox.identity('eva')).toMatchObject({
      display_name: 'Eva Lind',
      description: 'Answers customers',
      mailbox_address: 'Eva.Lind@harbour.example',
    })
  })

  it('2.1 mailbox_address is the address of mail to the agent', async () => {
    const mailbox = await openMailbox()
    const { mailbox_address } = await mailbox.identity('max')
    const { messages } = await mailbox.messages({ agent: 'max', limit: 1 })
    expect(messages[0]?.to).toEqual([mailbox_address])
  })

  it('2.1 created_at and updated_at are ISO 8601 UTC timestamps', async () => {
    const mailbox = await openMailbox()
    const { created_at, updated_at } = await mailbox.identity('eva')
    expect([created_at, updated_at]).toEqual(['2025-08-14T10:20:30.400Z', '2025-08-14T10:20:30.400Z'])
    expect(created_at).toMatch(isoMilliseconds)
  })

  it('2.1 an identity added later has the same fields and is found by its handle', async () => {
    const mailbox = await openMailbox()
    const created = mailbox.simulator.identities.create({ handle: 'new_one', description: 'Just hired' })
    const identity = await mailbox.identity('new_one')
    expect(identity).toEqual(created)
    expectKeys(identity, fields)
    expectToFit(identitySchema(), identity)
    expect(identity.created_at).toBe(mailbox.simulator.clock.now())
  })
})
