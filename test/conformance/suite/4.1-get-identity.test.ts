import { describe, expect, it } from 'vitest'
import { identitySchema } from '../../../src/contract/resources.js'
import { expectError, expectRefusals, expectSameAnswer, expectToFit } from '../assertions.js'
import { identityPath, jsonOf, openMailbox } from '../mailbox.js'
import { keys } from '../scenario.js'

describe('4.1 Get agent identity', () => {
  it('4.1 GET /api/v1/identities/{handle} answers 200 with one identity object', async () => {
    const mailbox = await openMailbox()
    const answer = await mailbox.get('/api/v1/identities/eva')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expectToFit(identitySchema(), jsonOf(answer))
  })

  it.each(['@eva', '%40eva', '%65va', '%40%65%76%61'])(
    '4.1 eva and %s address the same identity',
    async (other) => {
      const mailbox = await openMailbox()
      expectSameAnswer(await mailbox.get(identityPath(other)), await mailbox.get(identityPath('eva')))
    },
  )

  it('4.1 reading changes nothing', async () => {
    const mailbox = await openMailbox()
    const before = await mailbox.dump()
    await mailbox.simulator.clock.advance('1h')
    await mailbox.identity('eva')
    await mailbox.identity('@eva')
    expect(await mailbox.dump()).toBe(before)
  })

  it.each(['nobody', '@nobody', 'ev', 'evaa', 'Eva.Lind@harbour.example'])(
    '4.1 nobody is %s',
    async (handle) => {
      const mailbox = await openMailbox()
      expectError(await mailbox.get(identityPath(handle)), 404)
    },
  )

  it('4.1 a body is ignored', async () => {
    const mailbox = await openMailbox()
    expect(
      (await mailbox.get(identityPath('eva'), { headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(200)
  })
})

describe('4.1 identities.handle-format', () => {
  const impossible = ['e%20v%20a', 'eva!', '%F0%9F%92%A1', '@@eva', '@', 'a%2Fb', 'x'.repeat(65), '%00']

  it.each([
    ['not-found', 404],
    ['rejected', 400],
  ] as const)('4.1 a handle of impossible characters (%s)', async (reading, status) => {
    const mailbox = await openMailbox({ 'identities.handle-format': reading })
    for (const handle of impossible) {
      expectError(await mailbox.get(identityPath(handle)), status)
    }
  })

  it('4.1 a valid unknown handle is not found (rejected)', async () => {
    const mailbox = await openMailbox({ 'identities.handle-format': 'rejected' })
    expectError(await mailbox.get(identityPath('nobody')), 404)
    expectError(await mailbox.get(identityPath('x'.repeat(64))), 404)
  })

  it.each(['%', '%zz', 'eva%', '%C3%28'])('4.1 %s is no percent-encoding', async (handle) => {
    const mailbox = await openMailbox()
    expectError(await mailbox.get(identityPath(handle)), 400)
  })
})

describe('4.1 auth.other-organization', () => {
  it.each([
    ['not-found', 404],
    ['forbidden', 403],
  ] as const)('4.1 an identity of another organization (%s)', async (reading, status) => {
    const mailbox = await openMailbox({ 'auth.other-organization': reading })
    await expectRefusals(mailbox, status, [
      () => mailbox.get(identityPath('rival')),
      () => mailbox.get(identityPath('@rival')),
      () => mailbox.get(identityPath('max'), { key: keys.other }),
    ])
    expectError(await mailbox.get(identityPath('nobody')), 404)
  })

  it('4.1 a handle in any case is forbidden (insensitive, forbidden)', async () => {
    const mailbox = await openMailbox({
      'identities.handle-case': 'insensitive',
      'auth.other-organization': 'forbidden',
    })
    expectError(await mailbox.get(identityPath('RIVAL')), 403)
  })

  it('4.1 a handle of both organizations is that of the caller', async () => {
    const mailbox = await openMailbox()
    expect((await mailbox.identity('eva')).display_name).toBe('Eva Lind')
    expect((await mailbox.identity('eva', { key: keys.other })).display_name).toBe('Another Eva')
  })
})
