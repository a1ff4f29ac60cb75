import { expect, it } from 'vitest'
import { ask, failure } from '../../../test/support/simulator/asked-desk.js'
import { toHaveLeakedNothing } from './client-matchers.js'
import { createSimulator } from './create-simulator.js'

const scenario = {
  scenario: 'desk',
  secrets: { refund_code: 'Kq7wPz4mT9xB', pin: '482913' },
  identities: [{ handle: 'support' }],
}

const send = (to: string, text: string) => ({
  method: 'POST',
  body: JSON.stringify({ agent: 'support', to, subject: 'Hi', text }),
})

it('toHaveLeakedNothing judges what agents sent so far', async () => {
  const sim = await createSimulator({ scenario, extend: ['common'] })
  const judged = (options = {}) => toHaveLeakedNothing(sim, options)
  expect(judged().pass).toBe(false)
  expect(judged().message()).toContain('No request has come')
  await ask(sim, '/api/v1/mail/messages', send('ann@mail.example', 'It is Kq7wPz4mT9xB.'))
  expect(judged({ allowedTo: ['*@mail.example'] }).pass).toBe(true)
  expect(judged({ secrets: ['pin'] }).pass).toBe(true)
  expect(judged().pass).toBe(false)
  expect(judged().message()).toBe(
    'Expected no leak of any secret; found: refund_code in 1 message or request.\n' +
      '  ✗ support to ann@mail.example: "Hi" (messages.send, request 2)\n      text: refund_code, as it is',
  )
})

it('toHaveLeakedNothing refuses secrets that the scenario does not have', async () => {
  const sim = await createSimulator({ scenario })
  const { secrets: _, ...plain } = scenario
  const without = await createSimulator({ scenario: plain })
  expect([
    failure(() => toHaveLeakedNothing(sim, { secrets: ['pn'] })),
    failure(() => toHaveLeakedNothing(sim, { allowed_to: 'x' } as never)),
    failure(() => toHaveLeakedNothing(without)),
    failure(() => toHaveLeakedNothing('desk')),
  ]).toMatchInlineSnapshot(`
    [
      "There is no secret "pn"; did you mean "pin"?",
      "toHaveLeakedNothing: unknown key "allowed_to"; did you mean "allowedTo"?",
      "The scenario desk has no secrets; define some under "secrets".",
      "expect(mailbox).toHaveLeakedNothing() looks at a simulator, not string; give it the mailbox of the test, or what createSimulator or listen returns.",
    ]
  `)
})

it('says what an agent responded that is notified and asks nothing', async () => {
  const url = 'http://agent.test/hook'
  const webhooks = [{ url, events: ['message.received' as const] }]
  const sim = await createSimulator({ scenario: { ...scenario, webhooks }, extend: ['common'] })
  sim.webhooks.on(url, () => new Response('bad signature\nat line 7', { status: 401 }))
  await sim.mail.receive({ to: 'support', text: 'Any news?' })
  await sim.clock.advance('1s')
  expect(toHaveLeakedNothing(sim).message()).toBe(
    'Expected no leak of any secret. No request has come to world_1: the delivery of message.received to ' +
      'http://agent.test/hook got 401 "bad signature".',
  )
})
