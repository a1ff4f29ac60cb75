import { mailboxMatchers } from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { createAgent } from '../agent.mjs'
import { desk } from '../desk.mjs'
import { createReceiver } from '../receiver.mjs'

expect.extend(mailboxMatchers)

let simulator
let mailbox
let agent

beforeAll(async () => {
  simulator = await listen({ scenario: desk })
})

beforeEach(() => {
  mailbox = simulator.fork()
  const pause = () => mailbox.clock.advance('1s')
  agent = createAgent({ baseUrl: mailbox.baseUrl, apiKey: mailbox.apiKey, handle: 'support', pause })
})

afterEach(() => mailbox.close())
afterAll(() => simulator.close())

describe('an agent', () => {
  test('reads its unread mail on every page', async () => {
    expect(await agent.readMail()).toEqual({ 'Broken lamp': 'It came broken.', Refund: 'Any news?' })
    expect(mailbox).toHaveRequested('threads.list', { query: { agent: 'support', offset: '50' } })
    expect(mailbox).not.toHaveRequested('webhooks.list')
  })

  test('says how much there was', async () => {
    await mailbox.mail.receive({ to: 'support', subject: 'Thanks', text: 'All is well.' })
    await agent.readMail()
    expect(mailbox).toHaveRequested('identities.update', {
      body: { display_name: expect.stringContaining('3 unread') },
      times: 1,
    })
    expect(mailbox).toHaveThread({ agent: 'support', subject: 'Thanks', message_count: 1 })
  })

  test('tries again where the service is not available', async () => {
    mailbox.faults.add({ operation: 'identities.update', status: 503, times: 2 })
    await agent.readMail()
    expect(mailbox.identities.get('support').display_name).toBe('Support (2 unread)')
    expect(mailbox).toHaveRequested('identities.update', { status: 503, times: 2 })
  })

  test('can be waited for', async () => {
    const reading = agent.readMail()
    await mailbox.waitFor({ operation: 'identities.update', status: 200 })
    expect(await reading).toHaveProperty('Refund')
  })

  test('reads new mail when a webhook tells of it', async () => {
    const url = 'http://agent.test/hook'
    mailbox.webhooks.on(url, createReceiver({ token: 'hook-token', onNews: agent.readNews }))
    mailbox.webhooks.create({ url, events: ['message.received'], authToken: 'hook-token' })
    const { message } = await mailbox.mail.receive({ to: 'support', subject: 'Thanks', text: 'All is well.' })
    await mailbox.waitFor({ delivery: 'message.received', message: message.id })
    expect(mailbox).toHaveDelivered('message.received', { url, times: 1 })
    await mailbox.waitFor({ operation: 'identities.update', body: { display_name: /3 unread/ } })
  })
})
