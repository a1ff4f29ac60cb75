import { expect, it } from 'vitest'
import { askHandlers } from '../../../test/support/ask-handlers.js'
import { createSimulator } from './create-simulator.js'

const see = 'See docs/troubleshooting.md'

it('reports a hidden mistake once without changing the response, and each time in the journal', async () => {
  const hints: string[] = []
  const noted: (readonly string[])[] = []
  const answersOf = async (onHint?: (hint: string) => void): Promise<unknown[]> => {
    const sim = await createSimulator({ scenario: 'refund-request', onHint })
    const ask = (path: string, apiKey: string, body?: object) =>
      askHandlers({ handlers: sim.handlers, apiKey }, body ? 'PATCH' : 'GET', `/${path}`, body)
    return [
      await ask('mail/threads?agent=suport', sim.apiKey),
      await ask('mail/threads?agent=suport', sim.apiKey),
      await ask('mail/messages?agent=support', 'tset-key'),
      await ask('identities/support', sim.apiKey, {
        displayName: 'Busy',
        colour: 'red',
        description: 'Away',
      }),
      await ask('mail/threads?page=2&unread=true&limit=1', sim.apiKey),
      await ask('mail/messages?offset=2', sim.apiKey),
      noted.push(...sim.journal.exchanges().map((exchange) => exchange.hints)),
    ]
  }
  const answers = await answersOf((hint) => hints.push(hint))
  expect(hints).toEqual([
    `agent="suport" matches no agent; did you mean "support"? ${see}#no-such-agent.`,
    `A key that the scenario does not list was accepted; --assume auth.keys=listed-keys refuses such keys. ${see}#unknown-key.`,
    `The field "displayName" was ignored; did you mean "display_name"? ${see}#ignored-field.`,
    `The field "colour" was ignored; expected one of display_name, description. ${see}#ignored-field.`,
    `The query parameter "page" was ignored; expected one of agent, mailbox, limit, offset. ${see}#ignored-field.`,
    `The query parameter "unread" was ignored; expected one of agent, mailbox, limit, offset. ${see}#ignored-field.`,
    `The query parameter "offset" was ignored; expected one of thread_id, agent, limit. ${see}#ignored-field.`,
  ])
  const [agent, key, ...others] = hints
  expect(noted).toEqual([[agent], [agent], [key], others.slice(0, 2), others.slice(2, 4), others.slice(4)])
  expect(answers.slice(0, -1)).toEqual((await answersOf()).slice(0, -1))
})

it('reports an agent filter that selects no agent of the organization under the assumptions in force', async () => {
  const hints: string[] = []
  const sim = await createSimulator({
    scenario: {
      scenario: 'two-organizations',
      organization: { name: 'Ours', api_keys: ['our-key'] },
      identities: [{ handle: 'eva' }],
      organizations: [{ name: 'Theirs', api_keys: ['their-key'], identities: [{ handle: 'rival' }] }],
    },
    onHint: (hint) => hints.push(hint),
  })
  const list = (apiKey: string, agent: string) =>
    askHandlers({ handlers: sim.handlers, apiKey }, 'GET', `/mail/threads?agent=${agent}`)
  await list('our-key', 'rival')
  await list('their-key', 'rival')
  await list('their-key', 'nobody')
  await list('our-key', 'EVA')
  sim.assumptions.set({ 'identities.handle-case': 'insensitive', 'threads.agent-at-prefix': 'no-match' })
  await list('our-key', 'Eva')
  await list('our-key', '@eva')
  expect(hints).toEqual([
    `agent="rival" matches no agent; expected eva. ${see}#no-such-agent.`,
    `agent="nobody" matches no agent; expected rival. ${see}#no-such-agent.`,
    `agent="EVA" matches no agent; did you mean "eva"? ${see}#no-such-agent.`,
    `agent="@eva" matches no agent; did you mean "eva"? ${see}#no-such-agent.`,
  ])
})
