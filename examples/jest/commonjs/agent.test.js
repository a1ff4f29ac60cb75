const { useMailbox } = require('agent-mailbox-sim/jest')
const { unreadSubjects } = require('./agent')

const mailbox = useMailbox({ scenario: { scenario: 'desk', identities: [{ handle: 'support' }] } })

const options = () => ({ baseUrl: mailbox().baseUrl, apiKey: mailbox().apiKey, handle: 'support' })

test('the agent finds new mail', async () => {
  await mailbox().mail.receive({ to: 'support', subject: 'Refund?', text: 'Any news?' })
  expect(await unreadSubjects(options())).toEqual(['Refund?'])
  expect(mailbox()).toHaveRequested('threads.list', { query: { agent: 'support' }, times: 1 })
})

test('another test has another mailbox', async () => {
  expect(await unreadSubjects(options())).toEqual([])
})

test('the agent says that the service fails', async () => {
  mailbox().faults.add({ operation: 'threads.list', status: 503 })
  await expect(unreadSubjects(options())).rejects.toThrow('503 from the mailbox service')
})
