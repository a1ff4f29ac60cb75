import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { listen } from 'agent-mailbox-sim/node'
import { createAgent } from '../agent.mjs'
import { desk } from '../desk.mjs'
import { createReceiver } from '../receiver.mjs'

let simulator
let mailbox
let agent

describe('an agent', () => {
  before(async () => {
    simulator = await listen({ scenario: desk })
  })

  beforeEach(() => {
    mailbox = simulator.fork()
    const pause = () => mailbox.clock.advance('1s')
    agent = createAgent({ baseUrl: mailbox.baseUrl, apiKey: mailbox.apiKey, handle: 'support', pause })
  })

  afterEach(() => mailbox.close())
  after(() => simulator.close())

  test('reads its unread mail on every page', async () => {
    assert.deepEqual(await agent.readMail(), { Refund: 'Any news?', 'Broken lamp': 'It came broken.' })
    const pages = mailbox.journal.exchanges({ operation: 'threads.list' })
    assert.deepEqual(
      pages.map(({ query }) => query.offset),
      ['0', '50'],
    )
  })

  test('says how much there was', async () => {
    await mailbox.mail.receive({ to: 'support', subject: 'Thanks', text: 'All is well.' })
    await agent.readMail()
    assert.equal(mailbox.identities.get('support').display_name, 'Support (3 unread)')
  })

  test('tries again where the service is not available', async () => {
    mailbox.faults.add({ operation: 'identities.update', status: 503, times: 2 })
    await agent.readMail()
    const updates = mailbox.journal.exchanges({ operation: 'identities.update' })
    assert.deepEqual(
      updates.map(({ status }) => status),
      [503, 503, 200],
    )
  })

  test('can be waited for', async () => {
    const reading = agent.readMail()
    await mailbox.waitFor({ operation: 'identities.update', status: 200 })
    assert.ok('Refund' in (await reading))
  })

  test('reads new mail when a webhook tells of it', async () => {
    const url = 'http://agent.test/hook'
    mailbox.webhooks.on(url, createReceiver({ token: 'hook-token', onNews: agent.readNews }))
    mailbox.webhooks.create({ url, events: ['message.received'], authToken: 'hook-token' })
    const { message } = await mailbox.mail.receive({ to: 'support', subject: 'Thanks', text: 'All is well.' })
    const delivery = await mailbox.waitFor({ delivery: 'message.received', message: message.id })
    assert.equal(delivery.status, 'succeeded')
    assert.equal(delivery.attempts[0].response.status, 200)
    await mailbox.waitFor({ operation: 'identities.update', body: { display_name: /3 unread/ } })
  })
})
