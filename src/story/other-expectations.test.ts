import { expect, it } from 'vitest'
import { readExpectations } from './other-expectations.js'

it.each([
  ['act-once', 'act-once: there is no invariant of that name; did you mean "acts-once"'],
  ['acts-once,every', 'every: there is no invariant of that name; '],
  ['strict', 'a file is named by its path, e.g. ./strict.yaml.'],
])('refuses expectations that cannot be found, with what they may be: %s', async (named, message) => {
  await expect(readExpectations(named)).rejects.toThrow(message)
})

it('reads names of invariants, and the expectations of a shipped scenario', async () => {
  const { expect: named } = await readExpectations('acts-once, backs-off')
  expect(named).toEqual([{ invariant: 'acts-once' }, { invariant: 'backs-off' }])
  expect((await readExpectations('refund-conversation')).expect.length).toBeGreaterThan(1)
})
