import { describe, expect, it } from 'vitest'
import { expectError, expectRefusals, expectSameAnswer } from '../assertions.js'
import {
  identityPath,
  type Mailbox,
  messagesPath,
  openMailbox,
  threadsPath,
  webhooksPath,
} from '../mailbox.js'
import { keys } from '../scenario.js'
import type { Answer } from '../transport.js'

/** The endpoints that part 5 requires the header for. */
const endpoints = [identityPath('eva'), identityPath('@nobody'), threadsPath(), messagesPath()]

/** Values other than `Bearer <API_KEY>`. */
const malformed = [
  'Bearer',
  `Bearer ${keys.own} ${keys.own}`,
  `Bearer${keys.own}`,
  keys.own,
  `Token ${keys.own}`,
  `Basic ${Buffer.from(`${keys.own}:`).toString('base64')}`,
]

const withHeader = (mailbox: Mailbox, path: string, authorization: string): Promise<Answer> =>
  mailbox.get(path, { key: null, headers: { authorization } })

describe('5 Authorization: Bearer <API_KEY>', () => {
  it('5 requests without the header are refused, with a challenge (auth.missing-status=401)', async () => {
    const mailbox = await openMailbox()
    await expectRefusals(mailbox, 401, [
      ...endpoints.map((path) => () => mailbox.get(path, { key: null })),
      () => mailbox.patch('eva', { display_name: 'Nobody' }, { key: null }),
    ])
    const answer = await mailbox.get(threadsPath(), { key: null })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  it.each(malformed)('5 Authorization: %s is malformed', async (authorization) => {
    const mailbox = await openMailbox()
    for (const path of endpoints) expectError(await withHeader(mailbox, path, authorization), 401)
  })

  it.each(['bearer', 'BEARER', 'Bearer '])('5 the scheme may be written %s', async (scheme) => {
    const mailbox = await openMailbox()
    const answer = await withHeader(mailbox, threadsPath(), `${scheme} ${keys.own}`)
    expectSameAnswer(answer, await mailbox.get(threadsPath()))
  })

  it('5 a key outside the header is ignored', async () => {
    const mailbox = await openMailbox()
    expectError(await mailbox.get(threadsPath({ api_key: keys.own }), { key: null }), 401)
    expectError(await mailbox.get(threadsPath(), { key: null, headers: { 'x-api-key': keys.own } }), 401)
  })

  it('5 an invalid request without a key is refused for the missing key', async () => {
    const mailbox = await openMailbox()
    expectError(await mailbox.get(threadsPath({ limit: 0 }), { key: null }), 401)
    expectError(await mailbox.get(identityPath('%zz'), { key: null }), 401)
    expectError(await mailbox.patch('eva', [], { key: null }), 401)
  })
})

describe('5 how keys are scoped', () => {
  it('5 every key of an organization gives the same access', async () => {
    const mailbox = await openMailbox()
    for (const path of [...endpoints, webhooksPath()]) {
      expectSameAnswer(await mailbox.get(path, { key: keys.ownSecond }), await mailbox.get(path))
    }
  })

  it('5 the key of another organization gives access to that one', async () => {
    const mailbox = await openMailbox()
    expect((await mailbox.identity('rival', { key: keys.other })).display_name).toBe('Rival')
    expect((await mailbox.threads({}, { key: keys.other })).total).toBe(3)
    expect((await mailbox.messages({}, { key: keys.other })).total).toBe(3)
    expect((await mailbox.webhooks({}, { key: keys.other })).total).toBe(2)
  })
})

describe('5 auth.webhooks', () => {
  it('5 an unknown key is still refused (not-required, auth.keys=listed-keys)', async () => {
    const mailbox = await openMailbox({
      'auth.webhooks': 'not-required',
      'auth.keys': 'listed-keys',
    })
    expect((await mailbox.webhooks({}, { key: null })).total).toBe(4)
    expectError(await mailbox.get(webhooksPath(), { key: 'whoever' }), 401)
  })
})
