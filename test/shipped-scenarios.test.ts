import { expect, it } from 'vitest'
import { loadScenario } from '../src/story/load.js'
import { shippedScenarios } from '../src/story/read/read-scenario.js'
import { describePlay, largeStories } from './shipped-scenarios/described-play.js'
import { storyNames } from './shipped-scenarios/story.js'

it('all shipped scenarios are tested', async () => {
  expect(await shippedScenarios()).toEqual(storyNames)
})

const smallStories = storyNames.filter((name) => !largeStories.includes(name))

// The other two are in shipped-scenarios/counts.test.ts.
it.each(smallStories)('%s loads with another seed', async (name) => {
  const { scenario, seed, timeline } = await loadScenario(name, { seed: 42 })
  expect([scenario, seed]).toEqual([name, 42])
  expect(timeline).not.toEqual([])
})

describePlay(smallStories)
