import { describe, expect, it } from 'vitest'
import { strangersIn, stringsOf } from './domains.js'
import { openStory, type StoryName, storyInput } from './story.js'

/** Those that take seconds. */
export const largeStories: readonly StoryName[] = ['busy-inbox', 'pagination-edges']

/** Returns the number of messages that the timeline adds, one for each mailbox. */
function mailsOf(name: StoryName): number {
  const counts = (storyInput(name).timeline ?? []).map(({ receive, send, repeat, when }) => {
    if (when || (!receive && !send)) return 0
    return [receive?.to ?? 'the owner'].flat().length * (repeat?.times ?? 1)
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Describes that the stories play to their end. */
export function describePlay(names: readonly StoryName[]): void {
  describe.each(names)('%s', (name) => {
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
  })
}
