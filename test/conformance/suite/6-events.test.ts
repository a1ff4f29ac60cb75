import { describe, expect, it } from 'vitest'
import { openMailbox } from '../mailbox.js'

describe('6 Events', () => {
  it('6 subscriptions list the event types message.received, message.delivered, message.bounced', async () => {
    const mailbox = await openMailbox()
    const { webhooks } = await mailbox.webhooks()
    expect(webhooks.map(({ events }) => events)).toEqual([
      ['message.received'],
      ['message.delivered', 'message.bounced'],
      ['message.received', 'message.bounced'],
      ['message.received', 'message.delivered', 'message.bounced'],
    ])
  })

  it('6 a subscription may be scoped to one agent handle and may carry an auth_token', async () => {
    const mailbox = await openMailbox()
    const { webhooks } = await mailbox.webhooks()
    expect(webhooks.map(({ agent_handle, has_auth_token }) => [agent_handle, has_auth_token])).toEqual([
      ['eva', true],
      [null, false],
      ['max', false],
      [null, true],
    ])
  })
})
