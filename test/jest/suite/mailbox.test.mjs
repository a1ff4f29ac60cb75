import { createRequire } from 'node:module'
import { createSimulator, Simulator } from 'agent-mailbox-sim'
import { useMailbox } from 'agent-mailbox-sim/jest'

const mailbox = useMailbox({ scenario: { scenario: 'desk', identities: [{ handle: 'support' }] } })

test('import and require give one instance, whose mailbox answers', async () => {
  const required = createRequire(import.meta.url)('agent-mailbox-sim')
  expect(required.createSimulator).toBe(createSimulator)
  expect(mailbox()).toBeInstanceOf(Simulator)
  const headers = { authorization: `Bearer ${mailbox().apiKey}` }
  const response = await fetch(`${mailbox().baseUrl}/api/v1/identities/support`, { headers })
  expect(await response.json()).toMatchObject({ agent_handle: 'support' })
  expect(mailbox()).toHaveRequested('identities.get', { status: 200 })
  expect(mailbox().journal.exchanges()).toStrictEqual([expect.any(Object)])
})
