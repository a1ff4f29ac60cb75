import { describe, expect, it } from 'vitest'
import { shippedScenarios } from '../src/story/read/read-scenario.js'
import { strangersIn, stringsOf } from './shipped-scenarios/domains.js'
import { openStory, type StoryName, storyInput, storyNames } from './shipped-scenarios/story.js'

it('all shipped scenarios are tested', async () => {
  expect(await shippedScenarios()).toEqual(storyNames)
})

/** Returns the number of messages that the timeline adds, one for each mailbox. */
function mailsOf(name: StoryName): number {
  const counts = (storyInput(name).timeline ?? []).map(({ receive, send, repeat, when }) => {
    if (when || (!receive && !send)) return 0
    return [receive?.to ?? 'the owner'].flat().length * (repeat?.times ?? 1)
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

// Two are played in the full suite only, with their answers recorded: they take seconds.
const largeStories: readonly StoryName[] = ['busy-inbox', 'pagination-edges']

describe.each(storyNames.filter((name) => !largeStories.includes(name)))('%s', (name) => {
  it('plays to its end with the described mail, which names only reserved domains', async () => {
    const assumptions = { 'messages.limit-maximum': 'none', 'messages.headers': 'object' } as const
    const story = await openStory(name, { assume: assumptions })
    expect(story.simulator.seed).toBe(storyInput(name).seed)
    const before = story.simulator.summary().messages
    await story.play()
    expect(story.simulator.timeline.played().filter(({ problem }) => problem !== null)).toEqual([])
    expect(story.simulator.summary().messages - before).toBe(mailsOf(name))
    const texts: string[] = []
    for (const { agent_handle, mailbox_address } of story.simulator.identities.list()) {
      const { messages } = await story.messages(`agent=${agent_handle}&limit=200`)
      texts.push(mailbox_address, ...stringsOf(messages))
    }
    expect(new Set(strangersIn(texts.join('\n')))).toEqual(new Set())
  })

  it('loads with another seed', async () => {
    const { simulator } = await openStory(name, { seed: 42 })
    expect([simulator.seed, simulator.timeline.left > 0]).toEqual([42, true])
  })
})
