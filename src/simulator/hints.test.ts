import { expect, it } from 'vitest'
import { askHandlers } from '../../test/support/ask-handlers.js'
import { createSimulator } from './create-simulator.js'

it('reports a hidden mistake once without changing the answer', async () => {
  const hints: string[] = []
  const answersOf = async (onHint?: (hint: string) => void): Promise<unknown[]> => {
    const sim = await createSimulator({ scenario: 'refund-request', onHint })
    const ask = (path: string, apiKey: string, body?: object) =>
      askHandlers({ ...sim, apiKey }, body ? 'PATCH' : 'GET', `/${path}`, body)
    return [
      await ask('mail/threads?agent=suport', sim.apiKey),
      await ask('mail/threads?agent=suport', sim.apiKey),
      await ask('mail/messages?agent=support', 'tset-key'),
      await ask('identities/support', sim.apiKey, {
        displayName: 'Busy',
        colour: 'red',
        description: 'Away',
      }),
    ]
  }
  const answers = await answersOf((hint) => hints.push(hint))
  expect(hints).toEqual([
    'agent="suport" matches no agent; did you mean "support"?',
    'A key that the scenario does not list was accepted; --reading auth.keys=listed-keys refuses such keys.',
    'The field "displayName" of a PATCH was ignored; did you mean "display_name"?',
    'The field "colour" of a PATCH was ignored; an update can set display_name and description.',
  ])
  expect(answers).toEqual(await answersOf())
})
