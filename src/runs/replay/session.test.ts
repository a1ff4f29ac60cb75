import { expect, it } from 'vitest'
import type { ScenarioInput } from '../../story/format/scenario.js'
import { replay } from './replay.js'

const minute = 60_000

/** Returns the length of a story in milliseconds, as those who watch it are told. */
async function lengthOf(scenario: ScenarioInput): Promise<number> {
  const lengths: number[] = []
  await replay({ scenario, watcher: { started: ({ length }) => void lengths.push(length) } })
  return lengths[0] ?? 0
}

const timeline: ScenarioInput['timeline'] = [
  { key: 'first', after: '1m', update: { identity: 'support', display_name: 'A' } },
  { key: 'last', after: '2m', update: { identity: 'support', display_name: 'B' } },
]
const desk = { scenario: 'length', identities: [{ handle: 'support' }], timeline }
const request = { request: 'threads.list' as const, at_least: 1 }

it.each([
  ['until a grace after its last entry', {}, 2.5 * minute],
  ['no longer for a shorter deadline', { within: '1m' }, 2.5 * minute],
  ['until a deadline from its start', { within: '5m' }, 5 * minute],
  ['until a deadline from an entry', { within: '5m', after: 'first' }, 6 * minute],
  [
    'until a deadline from an action of the agent, which happens at the end at the latest',
    { within: '1m', after: 'messages.list' },
    3 * minute,
  ],
] as const)('lasts %s', async (_, more, length) => {
  expect(await lengthOf({ ...desk, expect: [{ ...request, ...more }] })).toBe(length)
})

it('lasts as long as its grace if it is empty', async () => {
  expect(await lengthOf({ scenario: 'nothing' })).toBe(30_000)
})
