import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { useFakeTimers, wallTime } from '../../../test/support/fake-timers.js'
import {
  anyAssumptionsOf,
  anyMailStory,
  beginMailStory,
  type MailStory,
  playMail,
} from '../../../test/support/webhooks/any-mail.js'
import { smallBeginning, smallWorld, start } from '../../../test/support/world/small-world.js'
import { type Assumptions, gapIds } from '../../contract/gaps.js'
import { yieldToEventLoop } from '../time/wall-time.js'
import { World } from '../world/world.js'

const anyAssumptions = anyAssumptionsOf(gapIds.filter((gap) => /^(events|messages|format)\./.test(gap)))

useFakeTimers({ now: start, toFake: wallTime })

/** Plays a story in a world whose receivers take some turns of the event loop; returns its records. */
async function recorded(
  world: World,
  story: MailStory,
  assumptions: Partial<Assumptions>,
  turns: readonly number[] = [0],
): Promise<unknown> {
  let place = 0
  beginMailStory(world, story, assumptions, async () => {
    for (let left = turns[place++ % turns.length] ?? 0; left > 0; left--) await yieldToEventLoop()
  })
  await playMail(world, story, (milliseconds) => world.clock.advance(milliseconds))
  await world.clock.advance(30 * 86_400_000)
  const deliveries = world.deliveries.list().map(({ attempts, ...delivery }) => {
    return { ...delivery, attempts: attempts.map(({ duration_ms: _, ...attempt }) => attempt) }
  })
  return JSON.parse(JSON.stringify([deliveries, world.reliances()]))
}

describe('the deliveries of a story', { timeout: 180_000 }, () => {
  it('do not depend on how long the receivers take', async () => {
    const [one, other] = [smallWorld(), smallWorld()]
    const anyTurns = fc.array(fc.nat(6), { minLength: 1, maxLength: 5 })
    const same = fc.asyncProperty(
      anyMailStory(),
      anyAssumptions,
      anyTurns,
      async (story, assumptions, turns) => {
        const quick = await recorded(one, story, assumptions)
        expect(await recorded(other, story, assumptions, turns)).toEqual(quick)
      },
    )
    await fc.assert(same, { numRuns: 10 })
  })

  it('do not depend on another world with receivers of the same names', async () => {
    const [one, other] = [smallWorld(), smallWorld()]
    const apart = fc.asyncProperty(
      fc.tuple(anyMailStory(), anyAssumptions),
      fc.tuple(anyMailStory(), anyAssumptions),
      async (first, second) => {
        const alone = [await recorded(one, ...first), await recorded(other, ...second)]
        const together = await Promise.all([recorded(one, ...first, [3]), recorded(other, ...second, [2, 5])])
        expect(together).toEqual(alone)
      },
    )
    await fc.assert(apart, { numRuns: 5 })
  })

  it('differ for another seed', async () => {
    const received = { what: 'receive', agent: 'support', words: true, file: false } as const
    const story: MailStory = {
      events: Array.from({ length: 8 }, () => received),
      answers: [
        { status: 500, asks: null, after: 0 },
        { status: 200, asks: null, after: 0 },
      ],
    }
    const assumptions = { 'events.order': 'shuffled', 'events.duplicates': 'occasional-duplicate' } as const
    const records = []
    for (const seed of [7, 7, 8]) {
      const world = new World('world_1', smallBeginning({ seed }), 'frozen')
      records.push(
        JSON.stringify(await recorded(world, story, assumptions)).replace(/(evt|msg|dlv|whk)_\w+/g, 'id'),
      )
    }
    expect(records[1]).toBe(records[0])
    expect(records[2]).not.toBe(records[0])
  })
})
