import { afterEach, describe, expect, it, vi } from 'vitest'
import { digestOf, Worlds } from '../../world/index.js'
import { defineScenario } from '../define-scenario.js'
import { loadScenario } from '../load.js'

const loaded = vi.hoisted(() => new Set<unknown>())

vi.mock(import('../letters/wording.js'), async (original) => {
  const all = await original()
  return {
    ...all,
    createWordings(...given) {
      const wordingOf = all.createWordings(...given)
      return (locale) => {
        const wording = wordingOf(locale)
        loaded.add(wording)
        return wording
      }
    },
  }
})

afterEach(() => loaded.clear())

const from = 'Ann Lee <ann@mailbox.example>'
const inbox = (...messages: object[]) =>
  ({ handle: 'eva', threads: [{ key: 'refund', subject: 'Refund', messages }] }) as never

/** Returns the number of languages loaded for a scenario. */
async function loadsFor(scenario: object): Promise<number> {
  const initialState = await loadScenario(defineScenario({ scenario: 'inbox', ...scenario } as never))
  expect(digestOf(new Worlds(initialState, 'frozen').first)).toMatch(/^[0-9a-f]{32}$/)
  return loaded.size
}

describe('a scenario', () => {
  it.each([
    ['has only agents', { identities: [{ handle: 'eva' }] }],
    [
      'names all people',
      { identities: [inbox({ from, text: 'Hello' }, { direction: 'outbound', text: 'Hi' })] },
    ],
    [
      'only writes to named people later',
      {
        identities: [inbox({ from, text: 'Hello' })],
        timeline: [
          { after: '1m', receive: { thread: 'refund', text: 'Anybody there?' } },
          { after: '2m', send: { thread: 'refund', text: 'I am.' } },
          {
            after: '3m',
            receive: { to: 'eva', thread: 'tent', from, subject: 'A tent', text: 'And my tent?' },
          },
        ],
      },
    ],
  ])('loads no language if it %s', async (_, scenario) => {
    expect(await loadsFor(scenario)).toBe(0)
  })

  it.each([
    ['generates mail', { identities: [{ handle: 'eva', generate: { threads: 1 } }] }],
    ['omits a sender', { identities: [inbox({ text: 'Hello' })] }],
    ['omits a recipient', { identities: [inbox({ direction: 'outbound', text: 'Hello' })] }],
    ['has a template', { organization: { name: '{{company.name}}' }, identities: [{ handle: 'eva' }] }],
    [
      'omits a sender in the timeline',
      { identities: [{ handle: 'eva' }], timeline: [{ after: '1m', receive: { to: 'eva', text: 'Hello' } }] },
    ],
  ])('loads one language once if it %s', async (_, scenario) => {
    expect(await loadsFor(scenario)).toBe(1)
  })
})
