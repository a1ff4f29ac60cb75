import { getResponse } from 'msw'
import { expect, it } from 'vitest'
import { createSimulator } from './create-simulator.js'

it('reports a hidden mistake once without changing the answer', async () => {
  const hints: string[] = []
  const answersOf = async (onHint?: (hint: string) => void): Promise<unknown[]> => {
    const sim = await createSimulator({ scenario: 'refund-request', onHint })
    const ask = async (path: string, key: string, body?: object) => {
      const request = new Request(`http://mailbox.test/api/v1/${path}`, {
        method: body ? 'PATCH' : 'GET',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      return (await getResponse([...sim.handlers], request))?.text()
    }
    return [
      await ask('mail/threads?agent=suport', sim.apiKey),
      await ask('mail/threads?agent=suport', sim.apiKey),
      await ask('mail/messages?agent=support', 'tset-key'),
      await ask('identities/support', sim.apiKey, { displayName: 'Busy', description: 'Away' }),
    ]
  }
  const answers = await answersOf((hint) => hints.push(hint))
  expect(hints).toEqual([
    'agent="suport" matches no agent; did you mean "support"?',
    'A key that the scenario does not list was accepted; --reading auth.keys=listed-keys refuses such keys.',
    'The field "displayName" of a PATCH was ignored; did you mean "display_name"?',
  ])
  expect(answers).toEqual(await answersOf())
})
