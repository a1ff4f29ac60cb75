import { afterEach, expect, it, vi } from 'vitest'
import type { ScenarioInput } from '../format/scenario.js'
import { shippedLetters } from '../letters/shipped.js'
import { loadScenario } from '../load.js'

afterEach(() => vi.restoreAllMocks())

/** Returns the parts of English that are loaded for a scenario. */
async function loadedFor(scenario: Partial<ScenarioInput>): Promise<string[]> {
  const letters = shippedLetters['en'] as object as Record<string, () => unknown>
  const spies = Object.keys(letters).map((part) => [part, vi.spyOn(letters, part)] as const)
  await loadScenario({ scenario: 'inbox', ...scenario })
  return spies.flatMap(([part, { mock }]) => (mock.calls.length > 0 ? [part] : []))
}

const from = 'Ann Lee <ann@mailbox.example>'
const inbox = (...messages: object[]): ScenarioInput['identities'] => [
  { handle: 'eva', threads: [{ key: 'refund', subject: 'Refund', messages }] },
]

it.each<[string, Partial<ScenarioInput>, string[]]>([
  ['has only agents', { identities: [{ handle: 'eva' }] }, []],
  [
    'names all people',
    {
      identities: inbox({ from, text: 'Hello' }, { direction: 'outbound', text: 'Hi' }),
      timeline: [
        { after: '1m', receive: { thread: 'refund', text: 'Anybody there?' } },
        { after: '2m', send: { thread: 'refund', text: 'I am.' } },
        {
          after: '3m',
          receive: { to: 'eva', thread: 'tent', from, subject: 'A tent', text: 'And my tent?' },
        },
      ],
    },
    [],
  ],
  ['omits a sender', { identities: inbox({ text: 'Hello' }) }, ['language', 'names']],
  ['omits a recipient', { identities: inbox({ direction: 'outbound', text: 'Hi' }) }, ['language', 'names']],
  [
    'omits a sender in the timeline',
    { identities: [{ handle: 'eva' }], timeline: [{ after: '1m', receive: { to: 'eva', text: 'Hello' } }] },
    ['language', 'names'],
  ],
  [
    'generates mail',
    { identities: [{ handle: 'eva', generate: { threads: 1 } }] },
    ['language', 'kinds', 'names'],
  ],
  [
    'has a template',
    { organization: { name: '{{company.name}}' }, identities: [{ handle: 'eva' }] },
    ['language', 'names', 'faker'],
  ],
])('a scenario loads no more words than it needs if it %s', async (_, scenario, parts) => {
  expect(await loadedFor(scenario)).toEqual(parts)
})
