import { expect, mailboxTest } from 'agent-mailbox-sim/vitest'
import { describe } from 'vitest'
import { createAgent } from '../agent.mjs'
import { desk } from '../desk.mjs'
import { createReceiver } from '../receiver.mjs'

// The agent's pauses pass on the mailbox's clock, so that no test waits for them.
const agentOf = ({ baseUrl, apiKey, clock }) =>
  createAgent({ baseUrl, apiKey, handle: 'support', pause: () => clock.advance('1s') })

// Each profile of assumptions is another service that keeps all that the interface promises.
describe.concurrent.each(['default', 'worst-case', 'seed:7'])('an agent, with assumptions %s', (assume) => {
  const test = mailboxTest({ scenario: desk, assume })

  test('reads its unread mail on every page', async ({ mailbox }) => {
    const mail = await agentOf(mailbox).readMail()
    expect(mail).toEqual({ 'Broken lamp': 'It came broken.', Refund: 'Any news?' })
    expect(mailbox).toHaveRequested('threads.list', { query: { agent: 'support', offset: '50' } })
    expect(mailbox).not.toHaveRequested('webhooks.list')
  })

  test('says how much there was', async ({ mailbox }) => {
    await mailbox.mail.receive({ to: 'support', subject: 'Thanks', text: 'All is well.' })
    await agentOf(mailbox).readMail()
    expect(mailbox).toHaveRequested('identities.update', {
      body: { display_name: /\(3 unread\)$/ },
      times: 1,
    })
    expect(mailbox).toHaveThread({ agent: 'support', subject: 'Thanks', message_count: 1 })
  })

  test('tries again where the service is not available', async ({ mailbox }) => {
    mailbox.faults.add({ operation: 'identities.update', status: 503, times: 2 })
    await agentOf(mailbox).readMail()
    expect(mailbox.identities.get('support').display_name).toBe('Support (2 unread)')
    expect(mailbox).toHaveRequested('identities.update', { status: 503, times: 2 })
  })

  test('can be waited for', async ({ mailbox }) => {
    const reading = agentOf(mailbox).readMail()
    await mailbox.waitFor({ operation: 'identities.update', status: 200 })
    expect(await reading).toHaveProperty('Refund')
  })

  test('reads new mail when a webhook tells of it', async ({ mailbox }) => {
    const url = 'http://agent.test/hook'
    const agent = agentOf(mailbox)
    mailbox.webhooks.on(url, createReceiver({ token: 'hook-token', onNews: agent.readNews }))
    mailbox.webhooks.create({ url, events: ['message.received'], authToken: 'hook-token' })
    const { message } = await mailbox.mail.receive({
      to: 'support',
      subject: 'Thanks',
      text: 'All is well.',
    })
    await mailbox.waitFor({ delivery: 'message.received', message: message.id })
    expect(mailbox).toHaveDelivered('message.received', { url, times: 1 })
    await mailbox.waitFor({ operation: 'identities.update', body: { display_name: /3 unread/ } })
  })
})
