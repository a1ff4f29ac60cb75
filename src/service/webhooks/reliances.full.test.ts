import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers, wallTime } from '../../../test/support/fake-timers.js'
import {
  anyAssumptionsOf,
  anyMailStory,
  beginMailStory,
  type MailStory,
  playMail,
} from '../../../test/support/webhooks/any-mail.js'
import { smallWorld, start } from '../../../test/support/world/small-world.js'
import {
  type Assumptions,
  assumptionsOf,
  defaultAssumptions,
  type GapId,
  gapIds,
} from '../../contract/gaps.js'
import type { ClockMode } from '../time/time.js'
import { yieldToEventLoop } from '../time/wall-time.js'
import type { World } from '../world/world.js'
import type { Delivery } from './delivery.js'

const eventGaps = gapIds.filter((gap) => gap.startsWith('events.'))
const day = 86_400_000

useFakeTimers({ now: start, toFake: wallTime })

/** The assumptions that give another result, sorted, by gap. */
type Instead = Record<string, readonly string[]>

/** Plays a story under some assumptions to its end. */
type Play = (story: MailStory, assumptions: Partial<Assumptions>) => Promise<World>

/** Everything visible of each delivery in the course of a story, apart from its id. */
function picture(world: World): string {
  const seen = new Map<string, string[]>()
  for (const { type, data } of world.events(0)) {
    if (type !== 'delivery') continue
    const { id: _, reliances: __, ...delivery } = data as Delivery
    const key = `${delivery.event.id} ${delivery.webhook_id}`
    seen.set(key, [...(seen.get(key) ?? []), JSON.stringify(delivery)])
  }
  return JSON.stringify([...seen].toSorted())
}

/** The events of each subscription in the order of their first attempts. */
function firstAttempts(world: World): string {
  const order = new Map<string, Set<string>>()
  for (const { type, data } of world.events(0)) {
    const { attempts, event, webhook_id } = data as Delivery
    const latest = type === 'delivery' ? attempts.at(-1) : undefined
    if (latest?.cause !== 'event') continue
    order.set(webhook_id, (order.get(webhook_id) ?? new Set()).add(event.id))
  }
  return JSON.stringify([...order].map(([id, events]) => [id, ...events]).toSorted())
}

/** Returns the part of the records that another assumption of a gap may change. */
function shownOf(world: World): (gap: GapId) => string {
  const [all, order] = [picture(world), firstAttempts(world)]
  // The delay of a first attempt does not matter as long as it overtakes no other.
  return (gap) => (gap === 'events.order' ? order : all)
}

/** The assumptions that would have given another result, as deliveries and events note them. */
function noted(world: World): Instead {
  const all: Record<string, string[]> = {}
  for (const { reliances } of world.dispatcher.relied()) {
    for (const { gap, instead } of reliances) {
      all[gap] = [...new Set([...(all[gap] ?? []), ...instead])].toSorted()
    }
  }
  return all
}

/** Asserts that the noted assumptions are those found by trying every other assumption. */
async function expectExact(
  play: Play,
  gaps: readonly GapId[],
  story: MailStory,
  assumptions: Partial<Assumptions>,
): Promise<void> {
  const inForce = { ...defaultAssumptions, ...assumptions }
  const world = await play(story, assumptions)
  const [all, here] = [noted(world), shownOf(world)]
  // A redelivery makes any order possible.
  const isAsked = story.events.some(({ what }) => what === 'redeliver')
  for (const gap of gaps.filter((id) => !isAsked || id !== 'events.order')) {
    const instead: string[] = []
    for (const { name } of assumptionsOf(gap)) {
      if (name === inForce[gap]) continue
      const there = shownOf(await play(story, { ...assumptions, [gap]: name }))
      if (there(gap) !== here(gap)) instead.push(name)
    }
    expect({ [gap]: all[gap] ?? [] }).toEqual({ [gap]: instead.toSorted() })
  }
}

/** Plays stories one after another in one world. */
function player(clock: ClockMode, pass: (world: World) => (milliseconds: number) => Promise<unknown>): Play {
  const world = smallWorld(clock)
  return async (story, assumptions) => {
    vi.setSystemTime(start)
    beginMailStory(world, story, assumptions)
    await playMail(world, story, pass(world))
    await pass(world)(30 * day)
    return world
  }
}

describe('the reliances of deliveries', {
  timeout: 180_000,
}, () => {
  const shown = [
    'format.timestamps',
    'messages.outbound-direction',
    'messages.headers',
    'messages.empty-body',
    'messages.attachment-entry',
  ] as const
  const gaps = [...eventGaps, ...shown]

  it('are exact for receivers that respond immediately on an advanced clock', async () => {
    const play = player('frozen', (world) => (milliseconds) => world.clock.advance(milliseconds))
    const exact = fc.asyncProperty(anyMailStory(), anyAssumptionsOf(gaps), (story, assumptions) =>
      expectExact(play, gaps, story, assumptions),
    )
    await fc.assert(exact, { numRuns: 2, endOnFailure: true })
  })

  it('are exact for slow receivers on a running clock', async () => {
    const play = player('real', () => passOnTheWall)
    // Signing takes turns of the event loop, during which the time of this test would continue.
    const timed = eventGaps.filter((gap) => gap !== 'events.signature')
    const times = [0, 3000, 7000, 12_000, 20_000, 40_000]
    const exact = fc.asyncProperty(anyMailStory(times), anyAssumptionsOf(timed), (story, assumptions) =>
      expectExact(play, timed, story, assumptions),
    )
    await fc.assert(exact, { numRuns: 3, endOnFailure: true })
  })

  async function passOnTheWall(milliseconds: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(milliseconds)
    await yieldToEventLoop()
  }
})
