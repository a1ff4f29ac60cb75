import { describe, expect, it } from 'vitest'
import { webhookListSchema } from '../../../src/contract/resources.js'
import { expectError, expectKeys, expectToFit } from '../assertions.js'
import { jsonOf, type Mailbox, openMailbox, type Query, webhooksPath } from '../mailbox.js'
import { keys } from '../scenario.js'

/** The ends of the URLs of the webhooks in order of creation. */
const inOrder = ['eva', 'outcomes', 'max', 'everything']

/** The ends of the URLs of the webhooks listed for a query. */
async function listed(mailbox: Mailbox, query: Query = {}): Promise<string[]> {
  const { webhooks, total } = await mailbox.webhooks(query)
  expect(total).toBe(webhooks.length)
  return webhooks.map(({ url }) => url.replace('https://hooks.harbour.example/', ''))
}

describe('4.5 List webhooks', () => {
  it('4.5 GET /api/v1/webhooks answers 200 with webhooks and total', async () => {
    const mailbox = await openMailbox()
    const answer = await mailbox.get('/api/v1/webhooks')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    const list = jsonOf<object>(answer)
    expectKeys(list, ['webhooks', 'total'])
    expectToFit(webhookListSchema(), list)
  })

  it("4.5 all subscriptions of the caller's organization, and no others", async () => {
    const mailbox = await openMailbox()
    expect((await listed(mailbox)).toSorted()).toEqual(inOrder.toSorted())
    const { webhooks, total } = await mailbox.webhooks({}, { key: keys.other })
    expect(total).toBe(2)
    for (const { url } of webhooks) expect(url).toContain('hooks.works.example')
  })

  it('4.5 limit and offset have no effect', async () => {
    const mailbox = await openMailbox()
    expect(await listed(mailbox, { limit: 1, offset: 2 })).toEqual(await listed(mailbox))
  })
})

describe('4.5 webhooks.filter-names', () => {
  const names = [
    ['agent+event', 'agent', 'event'],
    ['agent_handle+event_type', 'agent_handle', 'event_type'],
    ['handle+type', 'handle', 'type'],
  ] as const

  it.each(names)('4.5 filters by agent handle and by event type (%s)', async (reading, agent, event) => {
    const mailbox = await openMailbox({ 'webhooks.filter-names': reading })
    expect(await listed(mailbox, { [agent]: 'eva' })).toEqual(['eva'])
    expect(await listed(mailbox, { [agent]: 'max' })).toEqual(['max'])
    expect(await listed(mailbox, { [event]: 'message.received' })).toEqual(['eva', 'max', 'everything'])
    expect(await listed(mailbox, { [event]: 'message.bounced' })).toEqual(['outcomes', 'max', 'everything'])
    expect(await listed(mailbox, { [event]: 'message.delivered' })).toEqual(['outcomes', 'everything'])
    expect(await listed(mailbox, { [agent]: 'max', [event]: 'message.bounced' })).toEqual(['max'])
    expect(await listed(mailbox, { [agent]: 'eva', [event]: 'message.bounced' })).toEqual([])
    expect(await listed(mailbox, { [event]: 'message.unknown' })).toEqual([])
    expect(await listed(mailbox, { [agent]: 'nobody' })).toEqual([])
    expect(await listed(mailbox, { [agent]: '', [event]: '' })).toEqual([])
  })

  it.each(names)(
    '4.5 other names are rejected (%s, query.unknown-parameters=rejected)',
    async (reading, agent, event) => {
      const readings = { 'webhooks.filter-names': reading, 'query.unknown-parameters': 'rejected' } as const
      const mailbox = await openMailbox(readings)
      expect(await listed(mailbox, { [agent]: 'max', [event]: 'message.received' })).toEqual(['max'])
      for (const [name, other] of names) {
        if (name !== reading) expectError(await mailbox.get(webhooksPath({ [other]: 'eva' })), 400)
      }
      expectError(await mailbox.get(webhooksPath({ limit: 1 })), 400)
    },
  )
})

describe('4.5 webhooks.agent-filter-unscoped', () => {
  it('4.5 a handle of both organizations is that of the caller', async () => {
    const mailbox = await openMailbox()
    const { webhooks } = await mailbox.webhooks({ agent: 'eva' }, { key: keys.other })
    expect(webhooks.map(({ url }) => url)).toEqual(['https://hooks.works.example/eva'])
    expect((await mailbox.webhooks({ agent: 'max' }, { key: keys.other })).webhooks).toEqual([])
  })
})
