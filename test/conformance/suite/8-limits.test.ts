import { describe, expect, it } from 'vitest'
import { expectError, expectRefusals } from '../assertions.js'
import {
  identityPath,
  type Mailbox,
  messagesPath,
  openMailbox,
  threadsPath,
  webhooksPath,
} from '../mailbox.js'
import { keys } from '../scenario.js'

const perMinute = { 'limits.rate': '60-per-minute' } as const
const paths = [threadsPath({ limit: 1 }), messagesPath({ limit: 1 }), webhooksPath(), identityPath('eva')]

/** Sends requests of every kind, which must all be accepted. */
async function use(mailbox: Mailbox, times: number, key: string = keys.own): Promise<void> {
  for (let time = 0; time < times; time++) {
    const { status } = await mailbox.get(paths[time % paths.length] ?? '', { key })
    expect(status).toBe(200)
  }
}

/** Asserts that requests are refused until some seconds have passed. */
async function expectLimited(mailbox: Mailbox, path: string, seconds: string, key: string = keys.own) {
  const answer = await mailbox.get(path, { key })
  expectError(answer, 429)
  expect(answer.headers.get('retry-after')).toBe(seconds)
}

describe('8 limits.rate', () => {
  it('8 any number of requests (none)', async () => {
    const mailbox = await openMailbox()
    await use(mailbox, 150)
  })

  it('8 each key has its own sixty in a minute, for requests of every kind (60-per-minute)', async () => {
    const mailbox = await openMailbox(perMinute)
    // Requests without a key do not count.
    for (let time = 0; time < 61; time++) expectError(await mailbox.get(threadsPath(), { key: null }), 401)
    await use(mailbox, 60)
    for (const path of paths) await expectLimited(mailbox, path, '60')
    await use(mailbox, 60, keys.ownSecond)
    await expectLimited(mailbox, threadsPath(), '60', keys.ownSecond)
    expect((await mailbox.threads({}, { key: keys.other })).total).toBe(3)
  })

  it('8 the minute follows the clock of the world (60-per-minute)', async () => {
    const mailbox = await openMailbox(perMinute)
    await use(mailbox, 20)
    await mailbox.simulator.clock.advance('36s')
    await use(mailbox, 40)
    await expectLimited(mailbox, threadsPath(), '24')
    await mailbox.simulator.clock.advance(23_999)
    await expectLimited(mailbox, threadsPath(), '1')
    await mailbox.simulator.clock.advance(1)
    await use(mailbox, 20)
    await expectLimited(mailbox, threadsPath(), '36')
  })

  it('8 a request above the limit changes nothing, and a reset forgets those before (60-per-minute)', async () => {
    const mailbox = await openMailbox(perMinute)
    await use(mailbox, 60)
    await expectRefusals(mailbox, 429, [() => mailbox.patch('eva', { display_name: 'Hurry' })])
    mailbox.simulator.reset()
    await use(mailbox, 60)
  })
})
