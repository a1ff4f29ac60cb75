import { afterEach, describe, expect, it, vi } from 'vitest'
import { followFakeTimers } from '../../../test/support/fake-timers.js'
import { loadScenario } from '../load.js'
import type { LoadProgress } from './compilation.js'

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

describe('onProgress', () => {
  it('is called every 5,000 messages and at the end, and others run in between', async () => {
    const seen: (LoadProgress | 'another')[] = []
    const onProgress = (progress: LoadProgress) => {
      seen.push(progress)
      if (progress.messages === 5_000) setImmediate(() => seen.push('another'))
    }
    await loadScenario(mailboxes(1_500, 1_300), { onProgress })
    const of = 11_200
    expect(seen).toEqual([{ messages: 5_000, of }, 'another', { messages: 10_000, of }, { messages: of, of }])
  })
})

it('a large scenario is loaded under fake timers', async () => {
  vi.useFakeTimers()
  const { base } = await loadScenario(mailboxes(1_500))
  expect(base.database.count('message')).toBe(6_000)
})
