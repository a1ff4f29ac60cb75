import { describe, expect, it } from 'vitest'
import { openStory } from './story.js'

describe('pagination-edges', () => {
  it('has agents with as many threads as their names say, to be had page by page', async () => {
    const story = await openStory('pagination-edges')
    for (const count of [0, 1, 49, 50, 51, 100, 101]) {
      const agent = `threads_${count}`
      const { threads, total } = await story.threads(`agent=${agent}`)
      expect(threads).toHaveLength(Math.min(count, 50))
      expect(total).toBe(count)
      const all = await story.allThreads(agent)
      expect(new Set(all.map(({ id }) => id)).size).toBe(count)
      expect((await story.threads(`agent=${agent}&offset=${count}`)).threads).toEqual([])
    }
  })

  it('has the same numbers with another seed', async () => {
    const story = await openStory('pagination-edges', { seed: 42 })
    for (const { agent_handle } of story.simulator.identities.list()) {
      const [, what, count] = /^(\w+)_(\d+)$/.exec(agent_handle) ?? []
      const list = await story[what === 'messages' ? 'messages' : 'threads'](`agent=${agent_handle}`)
      expect(list.total, agent_handle).toBe(Number(count))
    }
  })
})

describe('busy-inbox', () => {
  it('has ten thousand messages in three mailboxes with another seed', async () => {
    const story = await openStory('busy-inbox', { seed: 42 })
    expect(story.simulator.summary()).toMatchObject({ agents: 3, threads: 4100, messages: 10_000 })
    expect((await story.messages('agent=support')).total).toBe(6000)
    expect((await story.messages('agent=sales')).total).toBe(2100)
    expect((await story.messages('agent=everything-else')).total).toBe(1900)
  })
})
