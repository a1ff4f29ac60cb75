import { expect, it } from 'vitest'
import { createSimulator } from './create-simulator.js'

it('counts what all organizations have, and the agents of the key are listed in order', async () => {
  const simulator = await createSimulator({
    scenario: {
      scenario: 'two',
      identities: [
        { handle: 'zoe', threads: [{ messages: [{ text: 'One' }, { text: 'Two' }] }] },
        { handle: 'abe' },
      ],
      organizations: [{ api_keys: ['other-key'], identities: [{ handle: 'ida' }] }],
      webhooks: [{ url: 'http://127.0.0.1:9/hook', events: ['message.received'] }],
    },
  })
  expect(simulator.summary()).toEqual({ agents: 3, threads: 1, messages: 2, webhooks: 1 })
  simulator.identities.create({ handle: 'bob' })
  await simulator.mail.receive({ to: 'bob', text: 'Hello' })
  expect(simulator.summary()).toEqual({ agents: 4, threads: 2, messages: 3, webhooks: 1 })
  const handles = simulator.identities.list().map(({ agent_handle }) => agent_handle)
  expect(handles).toEqual(['zoe', 'abe', 'bob'])
})
