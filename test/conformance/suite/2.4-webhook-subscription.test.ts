import type { Webhook } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { webhookSchema } from '../../../src/contract/resources.js'
import { expectKeys, expectToFit, isoMilliseconds } from '../assertions.js'
import { type Mailbox, openMailbox } from '../mailbox.js'

const fields = [
  'id',
  'url',
  'events',
  'agent_handle',
  'auth_token',
  'has_auth_token',
  'created_at',
  'updated_at',
]

/** The webhook whose URL ends so. */
async function webhookTo(mailbox: Mailbox, path: string): Promise<Webhook> {
  const { webhooks } = await mailbox.webhooks()
  const webhook = webhooks.find(({ url }) => url.endsWith(path))
  if (!webhook) throw new Error(`There is no webhook to ${path}.`)
  expectToFit(webhookSchema(), webhook)
  return webhook
}

describe('2.4 Webhook subscription', () => {
  it('2.4 a subscription with agent and token has the eight fields', async () => {
    const mailbox = await openMailbox()
    const webhook = await webhookTo(mailbox, '/eva')
    expectKeys(webhook, fields)
    expect(webhook).toMatchObject({
      url: 'https://hooks.harbour.example/eva',
      events: ['message.received'],
      agent_handle: 'eva',
      auth_token: 'token-eva',
      has_auth_token: true,
      created_at: '2026-01-10T00:00:00.500Z',
      updated_at: '2026-01-10T00:00:00.500Z',
    })
  })

  it('2.4 id is prefixed whk_ followed by an opaque string', async () => {
    const mailbox = await openMailbox()
    const ids = (await mailbox.webhooks()).webhooks.map(({ id }) => id)
    expect(ids).toHaveLength(4)
    for (const id of ids) expect(id).toMatch(/^whk_[A-Za-z0-9]{8,}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('2.4 created_at and updated_at are ISO 8601 UTC timestamps', async () => {
    const mailbox = await openMailbox()
    for (const { created_at, updated_at } of (await mailbox.webhooks()).webhooks) {
      expect(created_at).toMatch(isoMilliseconds)
      expect(updated_at).toMatch(isoMilliseconds)
    }
  })

  it('2.4 a subscription added later has the same fields', async () => {
    const mailbox = await openMailbox()
    const created = mailbox.simulator.webhooks.create({
      url: 'https://hooks.harbour.example/later',
      events: ['message.bounced'],
      agentHandle: 'max',
      authToken: 'token-later',
    })
    const webhook = await webhookTo(mailbox, '/later')
    expect(webhook).toEqual(created)
    expectKeys(webhook, fields)
    expect(webhook).toMatchObject({ agent_handle: 'max', auth_token: 'token-later', has_auth_token: true })
  })
})

describe('2.4 auth_token', () => {
  it('2.4 auth_token is present in the list when has_auth_token is true', async () => {
    const mailbox = await openMailbox()
    const { webhooks } = await mailbox.webhooks()
    const tokens = webhooks.flatMap((webhook) => (webhook.has_auth_token ? [webhook.auth_token] : []))
    expect(tokens).toEqual(['token-eva', 'token-everything'])
  })
})
