const { expect, test } = require('@jest/globals')
const { useMailbox } = require('agent-mailbox-sim/jest')

const mailbox = useMailbox({ scenario: 'support-desk' })

test('has a mailbox and the matchers', async () => {
  expect(typeof globalThis.expect).toBe('undefined')
  const headers = { authorization: `Bearer ${mailbox().apiKey}` }
  await fetch(`${mailbox().baseUrl}/api/v1/mail/threads?agent=support`, { headers })
  expect(mailbox()).toHaveRequested('threads.list', { query: { agent: 'support' }, times: 1 })
})
