import { afterEach, describe, expect, it, vi } from 'vitest'
import { type LoadProgress, loadScenario } from '../index.js'

afterEach(() => {
  vi.useRealTimers()
})

/** Mailboxes of so many generated threads, each of four messages. */
function mailboxes(...threads: number[]) {
  return {
    scenario: 'mailboxes',
    identities: threads.map((count, index) => ({
      handle: `agent-${index}`,
      generate: { threads: count, messages: 4, kinds: ['support' as const] },
    })),
  }
}

async function progressOf(...threads: number[]): Promise<LoadProgress[]> {
  const told: LoadProgress[] = []
  await loadScenario(mailboxes(...threads), { onProgress: (progress) => told.push(progress) })
  return told
}

describe('the progress of loading', () => {
  it('is told every few thousand messages, and at the end', async () => {
    const told = await progressOf(1_500, 1_300)
    const of = 11_200
    expect(told).toEqual([
      { messages: 5_000, of },
      { messages: 10_000, of },
      { messages: of, of },
    ])
  })

  it('is told once for a small scenario', async () => {
    expect(await progressOf(10)).toEqual([{ messages: 40, of: 40 }])
    const written = { scenario: 'written', identities: [{ handle: 'agent', threads: [{ messages: [{}] }] }] }
    const told = vi.fn()
    await loadScenario(written, { onProgress: told })
    expect(told.mock.calls).toEqual([[{ messages: 1, of: 1 }]])
  })

  it('never shows more messages than there will be, nor fewer than before', async () => {
    const told: LoadProgress[] = []
    const generate = { threads: 4_000, messages: [1, 8] as [number, number] }
    const scenario = { scenario: 'mixed', identities: [{ handle: 'agent', generate }] }
    const { base } = await loadScenario(scenario, { onProgress: (progress) => told.push(progress) })
    const messages = told.map((progress) => progress.messages)
    expect(messages.length).toBeGreaterThan(2)
    expect(messages).toEqual(messages.toSorted((a, b) => a - b))
    expect(told.filter((progress) => progress.messages > progress.of)).toEqual([])
    const loaded = base.database.count('message')
    expect(told.at(-1)).toEqual({ messages: loaded, of: loaded })
  })

  it('ends where whoever is told throws', async () => {
    const onProgress = () => {
      throw new Error('no terminal')
    }
    await expect(loadScenario(mailboxes(1_500), { onProgress })).rejects.toThrow('no terminal')
  })
})

describe('while a large scenario is loaded', () => {
  it('others have their turn', async () => {
    const seen: string[] = []
    const onProgress = ({ messages }: LoadProgress) => {
      seen.push(`${messages} messages`)
      if (messages === 5_000) setImmediate(() => seen.push('another'))
    }
    await loadScenario(mailboxes(4_000), { onProgress })
    expect(seen).toContain('another')
    expect(seen.at(-1)).toBe('16000 messages')
  })

  it('timers that a test replaced do not stop it', async () => {
    vi.useFakeTimers()
    const { base } = await loadScenario(mailboxes(1_500))
    expect(base.database.count('message')).toBe(6_000)
  })
})
