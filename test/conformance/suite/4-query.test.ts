import { describe, expect, it } from 'vitest'
import { expectError, expectRefusals } from '../assertions.js'
import { identityPath, messagesPath, openMailbox, type Query, threadsPath, webhooksPath } from '../mailbox.js'

const known: [(query: Query) => string, string][] = [
  [threadsPath, 'agent=eva&limit=3&offset=1'],
  [threadsPath, 'mailbox=max@harbour.example'],
  [messagesPath, 'agent=eva&limit=3'],
  [messagesPath, 'thread_id=thrd_gone'],
  [webhooksPath, 'agent=eva&event=message.received'],
]

const unknown = ['colour=red', 'Limit=3', 'limit%20=3', '=', 'q', 'page=2', 'cursor=']

const evaPath = (query: Query) => `${identityPath('eva')}?${query}`

describe('4 query.unknown-parameters', () => {
  it('4 unknown query parameters make the request invalid (rejected)', async () => {
    const mailbox = await openMailbox({ 'query.unknown-parameters': 'rejected' })
    for (const [pathOf, query] of known) {
      expect((await mailbox.get(pathOf(query))).status).toBe(200)
      for (const parameter of unknown) {
        expectError(await mailbox.get(pathOf(`${query}&${parameter}`)), 400)
      }
    }
    for (const parameter of [...unknown, 'limit=3']) expectError(await mailbox.get(evaPath(parameter)), 400)
    await expectRefusals(mailbox, 400, [() => mailbox.patch('eva?colour=red', { display_name: 'Red' })])
  })

  it('4 an offset of messages is a separate gap (rejected)', async () => {
    const mailbox = await openMailbox({
      'query.unknown-parameters': 'rejected',
      'messages.offset': 'honoured',
    })
    expect((await mailbox.messages({ agent: 'eva', offset: 4 })).messages).toHaveLength(2)
    expectError(await mailbox.get(webhooksPath({ offset: 4 })), 400)
  })
})

describe('4 query.repeated-parameter', () => {
  it.each([
    ['first', 3, 1],
    ['last', 2, 2],
  ] as const)('4 limit and offset given twice (%s)', async (reading, limit, offset) => {
    const mailbox = await openMailbox({ 'query.repeated-parameter': reading })
    const { threads } = await mailbox.threads('limit=3&limit=2&offset=1&offset=2')
    expect(threads).toEqual((await mailbox.threads({ limit, offset })).threads)
  })

  it('4 a query parameter given twice (rejected)', async () => {
    const mailbox = await openMailbox({ 'query.repeated-parameter': 'rejected' })
    const paths = [
      threadsPath('agent=eva&agent=eva'),
      threadsPath('limit=1&limit=1'),
      threadsPath('mailbox=a@b.example&mailbox=a@b.example'),
      messagesPath('thread_id=thrd_1&thread_id=thrd_2'),
      messagesPath('agent=eva&agent=max'),
      webhooksPath('agent=eva&agent=eva'),
      webhooksPath('event=message.received&event=message.bounced'),
    ]
    for (const path of paths) expectError(await mailbox.get(path), 400)
  })
})

describe('4 how values are written', () => {
  it('4 values may be percent-encoded', async () => {
    const mailbox = await openMailbox()
    const { threads } = await mailbox.threads({ mailbox: 'Eva.Lind@harbour.example' })
    for (const query of [
      'mailbox=Eva.Lind@harbour.example',
      'mailbox=%45va.Lind%40harbour.example',
      'agent=%65va',
    ]) {
      expect((await mailbox.threads(query)).threads).toEqual(threads)
    }
  })

  it('4 a value of invalid UTF-8 matches nothing', async () => {
    const mailbox = await openMailbox()
    for (const value of ['%zz', '%C3%28', '%00', 'x'.repeat(5000), '__proto__', 'constructor']) {
      expect((await mailbox.threads(`agent=${value}`)).total).toBe(0)
      expect((await mailbox.threads(`mailbox=${value}`)).total).toBe(0)
      expect((await mailbox.messages(`thread_id=${value}`)).total).toBe(0)
      expect((await mailbox.webhooks(`agent=${value}&event=${value}`)).total).toBe(0)
    }
  })
})
