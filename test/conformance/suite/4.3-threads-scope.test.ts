import type { Thread } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { threadListSchema } from '../../../src/contract/resources.js'
import { expectError, expectKeys, expectToFit } from '../assertions.js'
import { jsonOf, type Mailbox, openMailbox, type Query, threadsPath } from '../mailbox.js'
import { bulk, keys } from '../scenario.js'

const eva = 'Eva.Lind@harbour.example'
const max = 'max@harbour.example'
const evaCount = 4
const everyCount = evaCount + bulk.threads

/** Returns the number of matching threads by `total` and by paging. */
async function countOf(mailbox: Mailbox, query: Readonly<Record<string, string>>): Promise<number> {
  const seen: Thread[] = []
  const { total } = await mailbox.threads(query)
  for (let offset = 0; offset < total; offset += 100) {
    seen.push(...(await mailbox.threads({ ...query, limit: 100, offset })).threads)
  }
  expect(new Set(seen.map(({ id }) => id)).size).toBe(total)
  return total
}

describe('4.3 List conversation threads', () => {
  it('4.3 GET /api/v1/mail/threads answers 200 with threads and total', async () => {
    const mailbox = await openMailbox()
    const answer = await mailbox.get('/api/v1/mail/threads')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    const list = jsonOf<object>(answer)
    expectKeys(list, ['threads', 'total'])
    expectToFit(threadListSchema(), list)
  })

  it('4.3 agent: only threads of this agent handle', async () => {
    const mailbox = await openMailbox()
    expect(await countOf(mailbox, { agent: 'eva' })).toBe(evaCount)
    expect(await countOf(mailbox, { agent: 'max' })).toBe(bulk.threads)
    const { threads } = await mailbox.threads({ agent: 'max', limit: 100 })
    for (const { subject } of threads) expect(subject).toMatch(/^Bulk \d+$/)
  })

  it('4.3 agent: an agent without mail has an empty list', async () => {
    const mailbox = await openMailbox()
    expect(await mailbox.threads({ agent: 'Night_Shift.bot-1' })).toEqual({ threads: [], total: 0 })
  })

  it('4.3 mailbox: only threads of this mailbox address', async () => {
    const mailbox = await openMailbox()
    expect(await mailbox.threads({ mailbox: eva })).toEqual(await mailbox.threads({ agent: 'eva' }))
    expect(await mailbox.threads({ mailbox: max })).toEqual(await mailbox.threads({ agent: 'max' }))
  })

  it('4.3 agent and mailbox match no prefixes', async () => {
    const mailbox = await openMailbox()
    for (const query of [{ agent: 'ev' }, { agent: '' }, { mailbox: 'Eva.Lind' }, { mailbox: '' }]) {
      expect((await mailbox.threads(query)).total).toBe(0)
    }
  })
})

describe('4.3 threads.agent-and-mailbox', () => {
  it.each([
    ['both', 0],
    ['either', evaCount],
    ['agent-wins', evaCount],
    ['mailbox-wins', 0],
  ] as const)('4.3 agent and an unknown mailbox (%s)', async (reading, count) => {
    const mailbox = await openMailbox({ 'threads.agent-and-mailbox': reading })
    expect(await countOf(mailbox, { agent: 'eva', mailbox: 'nobody@harbour.example' })).toBe(count)
  })
})

describe('4.3 threads.unknown-agent', () => {
  const unknown: Query[] = [
    { agent: 'nobody' },
    { agent: 'rival' },
    { agent: '@nobody' },
    { mailbox: 'nobody@harbour.example' },
    { mailbox: 'rival@works.example' },
  ]

  it('4.3 an unknown agent or mailbox (not-found)', async () => {
    const mailbox = await openMailbox({ 'threads.unknown-agent': 'not-found' })
    for (const query of unknown) expectError(await mailbox.get(threadsPath(query)), 404)
  })
})

describe('4.3 organizations', () => {
  it('4.3 nothing of another organization is listed or counted', async () => {
    const mailbox = await openMailbox()
    const { threads, total } = await mailbox.threads({}, { key: keys.other })
    expect(threads.map(({ subject }) => subject).toSorted()).toEqual(['Secret 1', 'Secret 2', 'Secret 3'])
    expect(total).toBe(3)
    expect((await mailbox.threads({ agent: 'eva' }, { key: keys.other })).threads[0]?.subject).toBe(
      'Secret 3',
    )
    for (let offset = 0; offset < everyCount; offset += 100) {
      for (const { subject } of (await mailbox.threads({ limit: 100, offset })).threads) {
        expect(subject).not.toContain('Secret')
      }
    }
  })

  it('4.3 the mailbox of another organization is empty', async () => {
    const mailbox = await openMailbox()
    expect((await mailbox.threads({ mailbox: 'eva@works.example' })).total).toBe(0)
    expect((await mailbox.threads({ mailbox: eva }, { key: keys.other })).total).toBe(0)
    expect((await mailbox.threads({ mailbox: 'eva@works.example' }, { key: keys.other })).total).toBe(1)
  })
})
