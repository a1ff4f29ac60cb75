import type { Identity, Thread } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { assumptionsOf, gapIds } from '../../src/contract/gaps.js'
import { identitySchema, messageSchema, threadSchema, webhookSchema } from '../../src/contract/resources.js'
import { profileAssumptions } from '../../src/service/assumptions/assumptions.js'
import { expectSameAnswer, expectToFit } from '../conformance/assertions.js'
import {
  identityPath,
  jsonOf,
  type Mailbox,
  messagesPath,
  openMailbox,
  textOf,
  threadsPath,
} from '../conformance/mailbox.js'
import { bulk, keys, lampFiles, start } from '../conformance/scenario.js'
import type { Answer } from '../conformance/transport.js'
import { given, rowsIn } from './gap-case.js'

const seeds = Array.from({ length: 30 }, (_, index) => `seed:${index + 1}`)

/** Many complete choices of assumptions, by name. */
const profiles = ['default', 'worst-case', ...seeds].map((name) => ({
  name,
  assumptions: profileAssumptions(name),
}))

/** Runs an assertion on the conformance scenario under each profile. */
async function underEveryProfile(check: (mailbox: Mailbox) => Promise<void>): Promise<void> {
  const mailbox = await openMailbox()
  for (const { name, assumptions } of profiles) {
    mailbox.simulator.reset()
    mailbox.simulator.assumptions.set(assumptions)
    try {
      await check(mailbox)
    } catch (error) {
      if (error instanceof Error) error.message = `Under ${name}: ${error.message}`
      throw error
    }
  }
}

/** The subjects of threads, in any order. */
const subjectsOf = (threads: readonly Thread[]) => threads.map(({ subject }) => subject).toSorted()

const evasSubjects = ['Broken lamp', 'Spring lights', 'Thanks', 'Where is my lamp?']
const bulkSubjects = Array.from({ length: bulk.threads }, (_, number) => `Bulk ${number}`).toSorted()
const limits = [1, 50, 100]

/** Asserts that an answer is a machine-readable refusal. */
function expectRefusal(answer: Answer): void {
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expect(answer.headers.get('content-type')).toMatch(/^application\/(problem\+)?json$/)
  expect(Object.values(jsonOf<object>(answer))).not.toEqual([])
  expect(textOf(answer)).toMatch(/\w.*\./)
}

/** Every thread of max, page by page. */
async function pagesOfMax(mailbox: Mailbox, limit: number) {
  const pages = []
  for (let offset = 0; offset <= bulk.threads; offset += limit) {
    pages.push((await mailbox.threads({ agent: 'max', limit, offset })).threads)
  }
  return pages
}

describe('under every profile', { timeout: 60_000 }, () => {
  it('every assumption of every gap is tested', () => {
    for (const gap of gapIds) {
      const chosen = new Set(profiles.map(({ assumptions }) => assumptions[gap]))
      expect([...chosen].toSorted()).toEqual(
        assumptionsOf(gap)
          .map(({ name }) => name)
          .filter((name) => `${gap}=${name}` !== 'format.cors=permissive')
          .toSorted(),
      )
    }
  })

  it('4.1 an identity has its fields and equals that with @', () =>
    underEveryProfile(async (mailbox) => {
      const answer = await mailbox.get(identityPath('eva'))
      const identity = given<Identity>(answer)
      expectToFit(identitySchema(), identity)
      expect(identity).toMatchObject({ agent_handle: 'eva', mailbox_address: 'Eva.Lind@harbour.example' })
      expectSameAnswer(await mailbox.get(identityPath('@eva')), answer)
    }))

  it.each([{ display_name: 'One' }, { description: '' }, { display_name: 'One', description: 'Two' }])(
    '4.2 an update of %j changes that and nothing else',
    (fields) =>
      underEveryProfile(async (mailbox) => {
        const before = await mailbox.identity('eva')
        const one = given<Identity>(await mailbox.patch('eva', fields))
        const answer = await mailbox.patch('eva', { description: 'Later' })
        const two = given<Identity>(answer)
        expect(one).toEqual({ ...before, ...fields, updated_at: one.updated_at })
        expect(two).toEqual({ ...one, description: 'Later', updated_at: two.updated_at })
        const times = [before, one, two].map(({ updated_at }) => Date.parse(updated_at))
        expect(times[1]).toBeGreaterThan(times[0] as number)
        expect(times[2]).toBeGreaterThan(times[1] as number)
        expect(times[1]).toBeGreaterThanOrEqual(Date.parse(start))
        expectSameAnswer(await mailbox.get(identityPath('eva')), answer)
      }),
  )

  it.each([
    ['4.3', threadsPath, threadSchema],
    ['4.4', messagesPath, messageSchema],
  ] as const)('%s a list has as many rows as its limit, 50 by default', (_, pathOf, schema) =>
    underEveryProfile(async (mailbox) => {
      for (const limit of limits) {
        const answer = await mailbox.get(pathOf({ agent: 'max', limit }))
        const rows = rowsIn<{ id: string }>(answer)
        expect(new Set(rows.map(({ id }) => id)).size).toBe(limit)
        expect(rows).toHaveLength(limit)
        for (const row of rows) expectToFit(schema(), row)
        const { total } = given<{ total: number }>(answer)
        expect(total).toBeGreaterThanOrEqual(limit)
        expect(Number.isInteger(total)).toBe(true)
      }
      expectSameAnswer(
        await mailbox.get(pathOf({ agent: 'max' })),
        await mailbox.get(pathOf({ agent: 'max', limit: 50 })),
      )
    }),
  )

  it.each([7, 50, 100])('4.3 pages of %i show each thread once', (limit) =>
    underEveryProfile(async (mailbox) => {
      const pages = await pagesOfMax(mailbox, limit)
      expect(subjectsOf(pages.flat())).toEqual(bulkSubjects)
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
    }),
  )

  it('4.3 the filters return exactly the threads of the agent or mailbox', () =>
    underEveryProfile(async (mailbox) => {
      for (const query of [{ agent: 'eva' }, { mailbox: 'Eva.Lind@harbour.example' }]) {
        expect(subjectsOf((await mailbox.threads(query)).threads)).toEqual(evasSubjects)
      }
    }))

  it('4.3 a thread counts its messages', () =>
    underEveryProfile(async (mailbox) => {
      for (const { id, message_count } of (await mailbox.threads({ agent: 'eva' })).threads) {
        const { messages } = await mailbox.messages({ thread_id: id })
        expect(messages).toHaveLength(message_count)
        expect(messages.filter(({ thread_id }) => thread_id !== id)).toEqual([])
      }
    }))

  it('4.4 a message has its fields', () =>
    underEveryProfile(async (mailbox) => {
      const { messages } = await mailbox.messages({ agent: 'eva' })
      expect(messages).toHaveLength(6)
      for (const message of messages) expectToFit(messageSchema(), message)
      expect(messages.filter(({ direction }) => direction === 'inbound')).toHaveLength(5)
      const both = messages.find(({ text }) => text === 'Thank you!')
      expect(both).toMatchObject({
        from: '"Lee, Ann" <ann@shop.example>',
        to: ['Eva.Lind@harbour.example', 'ben@shop.example'],
        subject: 'Re: Where is my lamp?',
        html: '<p>Thank <b>you</b>!</p>',
        attachments: [],
      })
    }))

  it('2.3 the URL of an attachment returns the file', () =>
    underEveryProfile(async (mailbox) => {
      const [message] = await mailbox.messagesOf('Broken lamp')
      const files = (message?.attachments ?? []).map(async ({ url, download_url }) => {
        const answer = await mailbox.get((url ?? download_url ?? '').slice(mailbox.baseUrl.length))
        expect(answer.status).toBe(200)
        return [...answer.body]
      })
      expect(await Promise.all(files)).toEqual(lampFiles.map(({ bytes }) => [...bytes]))
    }))

  it('4.5 the list of webhooks has all of the organization with their tokens', () =>
    underEveryProfile(async (mailbox) => {
      const { webhooks, total } = await mailbox.webhooks()
      for (const webhook of webhooks) expectToFit(webhookSchema(), webhook)
      expect(webhooks.map(({ url }) => url.replace('https://hooks.harbour.example/', '')).toSorted()).toEqual(
        ['eva', 'everything', 'max', 'outcomes'],
      )
      expect(total).toBe(4)
      const withToken = webhooks.filter(({ has_auth_token }) => has_auth_token)
      expect(withToken.map(({ auth_token }) => auth_token).toSorted()).toEqual([
        'token-eva',
        'token-everything',
      ])
    }))

  it('5 a key of another organization shows nothing', () =>
    underEveryProfile(async (mailbox) => {
      const { threads } = await mailbox.threads({ agent: 'eva' }, { key: keys.other })
      expect(subjectsOf(threads)).toEqual(['Secret 3'])
      expectRefusal(await mailbox.get(identityPath('max'), { key: keys.other }))
      const { webhooks } = await mailbox.webhooks({}, { key: keys.other })
      expect(webhooks.filter(({ url }) => !url.startsWith('https://hooks.works.example/'))).toEqual([])
    }))

  it('7 invalid requests are refused in JSON without effect', () =>
    underEveryProfile(async (mailbox) => {
      const before = await mailbox.get(identityPath('eva'))
      const json = { 'content-type': 'application/json' }
      const wrong = [
        ...[identityPath('eva'), threadsPath({ agent: 'eva' }), messagesPath({ agent: 'eva' })].map((path) =>
          mailbox.get(path, { key: null }),
        ),
        mailbox.get(identityPath('nobody')),
        mailbox.patch('nobody', { display_name: 'Nobody' }),
        mailbox.patch('eva', { display_name: 'Nobody' }, { key: null }),
        mailbox.patch('eva', { display_name: 'Nobody', description: 7 }),
        mailbox.send('PATCH', identityPath('eva'), { headers: json, body: '{"display_name": "Nobo' }),
        mailbox.send('DELETE', identityPath('eva')),
      ]
      for (const answer of await Promise.all(wrong)) expectRefusal(answer)
      expectSameAnswer(await mailbox.get(identityPath('eva')), before)
    }))
})
