import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anyStory,
  type Step,
  storyBeginning,
  storyWorlds,
  take,
} from '../../../../test/support/world/any-story.js'
import { everyRow } from '../../../../test/support/world/small-world.js'
import { digestOf } from '../digest.js'
import type { World } from '../world.js'

const initialState = storyBeginning()

async function play(world: World, story: readonly Step[]): Promise<string[]> {
  const answers: string[] = []
  for (const step of story) answers.push(await take(world, step))
  return answers
}

/** Waits until no delivery is in flight. */
async function deliveriesEnd(...worlds: readonly World[]): Promise<void> {
  for (const world of worlds) await world.clock.advance(0)
}

/** The results of lists and look-ups in their order, which a digest does not cover. */
function shown({ store }: World): unknown {
  return ['org_a', 'org_b'].map((organization) => {
    const ids = (['created', 'last-message', 'shuffle'] as const).map((order) =>
      store.threads(organization).page({ order, offset: 0, limit: 1000 }),
    )
    const messages = store.messages(organization)
    const newest = messages.page({ order: 'created', descending: true, offset: 0, limit: 1000 })
    const agents = store.identities(organization).page({ order: 'shuffle', offset: 0, limit: 1000 })
    const named = ['support', 'desk'].map((handle) => store.identityBy('handleAnywhere', handle)?.id)
    const answered = agents.map((agent) => store.messageByMessageId(agent, '<1@mail.example>')?.id)
    return [ids, newest, agents, named, answered, messages.count]
  })
}

describe('a restored world', () => {
  it('equals the world of the snapshot, regardless of its earlier state, and continues exactly like it', async () => {
    await fc.assert(
      fc.asyncProperty(anyStory, anyStory, anyStory, async (before, other, after) => {
        const [world, restored] = storyWorlds(2, initialState) as [World, World]
        await play(world, before)
        await play(restored, other)
        const snapshot = world.snapshot()
        restored.restore(JSON.parse(JSON.stringify(snapshot)))
        expect(shown(restored)).toEqual(shown(world))
        expect(restored.snapshot()).toStrictEqual(snapshot)
        for (const step of after) {
          expect(await take(restored, step)).toBe(await take(world, step))
          expect(digestOf(restored)).toBe(digestOf(world))
        }
        expect(shown(restored)).toEqual(shown(world))
        await deliveriesEnd(world, restored)
        expect(restored.snapshot()).toEqual(world.snapshot())
        expect(restored.timeline.played).toEqual(world.timeline.played)
      }),
      { numRuns: 10, examples: [[[{ what: 'delete-agent', pick: 98 }], [], []]] },
    )
  })

  it('returns to the start of its scenario at a reset', async () => {
    await fc.assert(
      fc.asyncProperty(anyStory, async (story) => {
        const [world, restored, fresh] = storyWorlds(3, initialState) as [World, World, World]
        await play(world, story)
        restored.restore(world.snapshot())
        restored.reset()
        await deliveriesEnd(fresh, restored)
        expect(restored.snapshot()).toEqual(fresh.snapshot())
        expect(everyRow(restored)).toBe(everyRow(fresh))
      }),
      { numRuns: 5 },
    )
  })
})
