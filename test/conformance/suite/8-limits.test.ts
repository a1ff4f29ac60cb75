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

/** Sends requests of every kind, which must all be accepted. */
async function use(mailbox: Mailbox, times: number, key: string = keys.own): Promise<void> {
  const paths = [threadsPath({ limit: 1 }), messagesPath({ limit: 1 }), webhooksPath(), identityPath('eva')]
  for (let time = 0; time < times; time++) {
    const { status } = await mailbox.get(paths[time % paths.length] ?? '', { key })
    expect(status).toBe(200)
  }
}

/** A description for a body of an update of a given length. */
function bodyOf(bytes: number): string {
  const empty = JSON.stringify({ description: '' })
  return JSON.stringify({ description: 'x'.repeat(bytes - empty.length) })
}

describe('8 limits.rate', () => {
  it('8 any number of requests (none)', async () => {
    const mailbox = await openMailbox()
    await use(mailbox, 150)
  })

  it('8 sixty requests in a minute (60-per-minute)', async () => {
    const mailbox = await openMailbox(perMinute)
    await use(mailbox, 60)
    for (const path of [threadsPath(), messagesPath(), webhooksPath(), identityPath('eva')]) {
      const answer = await mailbox.get(path)
      expectError(answer, 429)
      expect(answer.headers.get('retry-after')).toBe('60')
    }
  })

  it('8 the minute follows the clock of the world (60-per-minute)', async () => {
    const mailbox = await openMailbox(perMinute)
    await use(mailbox, 20)
    await mailbox.simulator.clock.advance('36s')
    await use(mailbox, 40)
    const answer = await mailbox.get(threadsPath())
    expectError(answer, 429)
    expect(answer.headers.get('retry-after')).toBe('24')
    await mailbox.simulator.clock.advance(23_999)
    expectError(await mailbox.get(threadsPath()), 429)
    await mailbox.simulator.clock.advance(1)
    await use(mailbox, 20)
    expectError(await mailbox.get(threadsPath()), 429)
  })

  it('8 each key has its own sixty (60-per-minute)', async () => {
    const mailbox = await openMailbox(perMinute)
    await use(mailbox, 60)
    expectError(await mailbox.get(threadsPath()), 429)
    await use(mailbox, 60, keys.ownSecond)
    expectError(await mailbox.get(threadsPath(), { key: keys.ownSecond }), 429)
    expect((await mailbox.threads({}, { key: keys.other })).total).toBe(3)
  })

  it('8 requests without a key do not count (60-per-minute)', async () => {
    const mailbox = await openMailbox(perMinute)
    for (let time = 0; time < 61; time++) expectError(await mailbox.get(threadsPath(), { key: null }), 401)
    await use(mailbox, 60)
  })

  it('8 a request above the limit changes nothing (60-per-minute)', async () => {
    const mailbox = await openMailbox(perMinute)
    await use(mailbox, 60)
    await expectRefusals(mailbox, 429, [() => mailbox.patch('eva', { display_name: 'Hurry' })])
  })
})

describe('8 limits.body-size', () => {
  it.each([
    ['1mb', 1_048_576],
    ['100kb', 102_400],
  ] as const)('8 the largest body (%s)', async (reading, bytes) => {
    const mailbox = await openMailbox({ 'limits.body-size': reading })
    const largest = await mailbox.patch('eva', {}, { body: bodyOf(bytes) })
    expect(largest.status).toBe(200)
    const { description } = await mailbox.identity('eva')
    expect(description).toHaveLength(bytes - JSON.stringify({ description: '' }).length)
    await expectRefusals(mailbox, 413, [
      () => mailbox.patch('eva', {}, { body: bodyOf(bytes + 1) }),
      () => mailbox.patch('eva', {}, { body: bodyOf(bytes * 3) }),
      () => mailbox.patch('eva', {}, { body: 'x'.repeat(bytes + 1) }),
      () => mailbox.patch('eva', {}, { body: bodyOf(bytes + 1), headers: { 'content-type': 'text/plain' } }),
    ])
  })
})
