import { describe, expect, it } from 'vitest'
import { loadScenario } from '../src/story/load.js'
import { shippedScenarios } from '../src/story/source/find-scenario.js'
import { openStory, type StoryName, storyInput, storyNames } from './shipped-scenarios/story.js'

/** Scenarios without a timeline, which exist for their numbers. */
const withoutTimeline: readonly string[] = ['pagination-edges']

/** Returns the number of messages that the timeline adds, one for each mailbox. */
function mailsOf(name: StoryName): number {
  const counts = (storyInput(name).timeline ?? []).map(({ receive, send, repeat, when }) => {
    if (when || (!receive && !send)) return 0
    return [receive?.to ?? 'the owner'].flat().length * (repeat?.times ?? 1)
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

it('all shipped scenarios are tested', async () => {
  expect(await shippedScenarios()).toEqual(storyNames)
})

describe.each(storyNames)('%s', (name) => {
  it('loads with another seed', async () => {
    const { scenario, seed, timeline } = await loadScenario(name, { seed: 42 })
    expect([scenario, seed]).toEqual([name, 42])
    expect(timeline.length > 0).toBe(!withoutTimeline.includes(name))
  })

  it('plays to its end with the described mail', async () => {
    const story = await openStory(name)
    expect(story.simulator.seed).toBe(storyInput(name).seed)
    const before = story.simulator.summary().messages
    await story.play()
    expect(story.simulator.timeline.played().filter(({ problem }) => problem !== null)).toEqual([])
    expect(story.simulator.summary().messages - before).toBe(mailsOf(name))
  })
})
