import { describe, expect, it } from 'vitest'
import { loadScenario, shippedScenarios } from '../src/scenario/index.js'
import { openStory, type StoryName, storyInput, storyNames, storyText } from './shipped-scenarios/story.js'

/** Scenarios without a timeline, which exist for their numbers. */
const withoutTimeline: readonly string[] = ['pagination-edges']

/** Returns the number of messages that the timeline adds, one for each mailbox. */
function mailsOf(name: StoryName): number {
  const counts = (storyInput(name).timeline ?? []).map(({ receive, send, repeat }) => {
    if (!receive && !send) return 0
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

  it('describes its people, a good agent and the caught mistake in its header', () => {
    const [head = ''] = storyText(name).split(/^(?!#)/m, 1)
    const words = head.replace(/^# ?/gm, '').replace(/\s+/g, ' ')
    expect(words).toMatch(/\bA good (?:agent|client)\b/)
    expect(words).toMatch(/\bcatches\b/)
    expect(storyInput(name).describe).toMatch(/^[A-Z].{30,}\.$/)
  })

  it('has no lines wider than a page', () => {
    const lines = storyText(name).split('\n')
    expect(lines.filter((line) => [...line].length > 110 || /\s$|\t/.test(line))).toEqual([])
    expect(storyText(name)).toMatch(/[^\n]\n$/)
  })

  it('has expectations with a sentence for the report', () => {
    const expected = storyInput(name).expect ?? []
    expect(expected.length).toBeGreaterThanOrEqual(5)
    for (const { describe } of expected) expect(describe).toMatch(/^[A-Z].{25,}\.$/)
  })

  it('mentions only its own entries, threads and agents', () => {
    const { timeline = [], expect: expected = [], identities = [], organizations = [] } = storyInput(name)
    const operations = /^(?:identities|threads|messages|webhooks)\.\w+$/
    const agents = [...identities, ...organizations.flatMap((other) => other.identities ?? [])]
    const entries = timeline.map(({ key }) => key)
    const written = agents.flatMap(({ threads = [] }) => threads.map(({ key }) => key))
    expect(entries).not.toContain('')
    const begun = timeline.flatMap(({ receive, send }) => [receive?.thread, send?.thread])
    for (const { before, after, thread, identity } of expected) {
      for (const moment of [before, after]) {
        if (moment !== undefined && !operations.test(moment)) expect(entries).toContain(moment)
      }
      if (thread !== undefined) expect([...written, ...begun]).toContain(thread)
      if (identity !== undefined) expect(agents.map(({ handle }) => handle)).toContain(identity)
    }
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
