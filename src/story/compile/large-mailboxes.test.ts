import { afterEach, expect, it, vi } from 'vitest'
import { followFakeTimers } from '../../../test/support/fake-timers.js'
import { loadScenario } from '../load.js'

followFakeTimers()

afterEach(() => {
  vi.useRealTimers()
})

/** A scenario of mailboxes with generated threads of four messages each. */
function mailboxes(...threads: number[]) {
  return {
    scenario: 'mailboxes',
    identities: threads.map((count, index) => ({
      handle: `agent-${index}`,
      generate: { threads: count, messages: 4, kinds: ['support' as const] },
    })),
  }
}

it('a large scenario lets others run while it is loaded', async () => {
  let ended = false
  const loading = loadScenario(mailboxes(1_500)).then(() => {
    ended = true
  })
  const seen: boolean[] = []
  while (!ended) {
    await new Promise(setImmediate)
    seen.push(ended)
  }
  await loading
  expect(seen.filter((isEnded) => !isEnded).length).toBeGreaterThan(2)
})

it('a large scenario is loaded under fake timers', async () => {
  vi.useFakeTimers()
  const { base } = await loadScenario(mailboxes(1_500))
  expect(base.database.count('message')).toBe(6_000)
})
