import { describe, expect, it } from 'vitest'
import { gapIds, readingsOf } from '../../../src/contract/gaps.js'
import { sourceFiles } from '../../source-code/source-files.js'
import { useFakeTimers } from '../../support/fake-timers.js'
import { deliveryCases } from './delivery-cases.js'
import { type Desk, openDesk } from './desk.js'
import type { EventCase, EventCases, EventGap, Happen } from './event-case.js'
import { requestCases } from './request-cases.js'

const cases: EventCases = { ...requestCases, ...deliveryCases }
const eventGaps = Object.keys(cases) as EventGap[]

/** A case with the type of its gap removed: any reading may be looked up in it. */
type AnyCase = Omit<EventCase<EventGap>, 'readings' | 'sees'> & {
  readonly readings?: Readonly<Record<string, string>>
  readonly sees: Readonly<Record<string, (desk: Desk) => void | Promise<void>>>
}

useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })

/** A desk under one reading of a gap, after an event. */
async function deskAfter(gap: EventGap, reading: string, happen: Happen): Promise<Desk> {
  const desk = await openDesk({ ...(cases[gap] as AnyCase).readings, [gap]: reading })
  await happen(desk)
  return desk
}

/** Asserts that deliveries relied on a reading of a gap and name the others as different. */
function expectNoted(gap: EventGap, reading: string, { simulator }: Desk): void {
  const summary = simulator.reliances().filter((reliance) => reliance.gap === gap)
  expect(summary).toMatchObject([{ reading, operations: [], count: expect.any(Number) }])
  expect(summary[0]?.events).not.toEqual([])
  const others = readingsOf(gap).flatMap(({ name }) => (name === reading ? [] : [name]))
  const noted = simulator.deliveries
    .list()
    .flatMap(({ reliances }) => reliances.filter((reliance) => reliance.gap === gap))
  for (const reliance of noted) {
    expect(reliance.reading).toBe(reading)
    expect(reliance.instead).not.toEqual([])
    expect(reliance.instead.filter((name) => !others.includes(name))).toEqual([])
  }
}

describe.each(eventGaps)('%s', (gap) => {
  const { happen, sees, quiet } = cases[gap] as AnyCase
  const names = readingsOf(gap).map(({ name }) => name)

  it.each(names)('%s', async (reading) => {
    const desk = await deskAfter(gap, reading, happen)
    await sees[reading]?.(desk)
    expectNoted(gap, reading, desk)
  })

  it.each(names)('%s has no effect elsewhere', async (reading) => {
    for (const happening of quiet) {
      const { simulator } = await deskAfter(gap, reading, happening)
      expect(simulator.reliances().filter((reliance) => reliance.gap === gap)).toEqual([])
      expect(simulator.deliveries.list().map(({ status }) => status)).not.toContain('pending')
    }
  })
})

describe('an event without subscriptions', () => {
  it('relies on events.bounced-sender if the other reading has a subscription', async () => {
    const desk = await openDesk({ 'events.bounced-sender': 'sending-agent' })
    const { simulator } = desk
    for (const { id, agent_handle } of simulator.webhooks.list()) {
      if (agent_handle !== 'max') simulator.webhooks.delete(id)
    }
    await desk.outcome('eva', 'bounced')
    expect(simulator.deliveries.list()).toEqual([])
    expect(simulator.reliances().filter(({ gap }) => gap.startsWith('events.'))).toEqual([
      {
        gap: 'events.bounced-sender',
        reading: 'sending-agent',
        operations: [],
        events: ['message.bounced'],
        count: 1,
      },
    ])
  })
})

describe('the register of gaps', () => {
  const registered = gapIds.filter((gap) => gap.startsWith('events.')).toSorted()

  it('has a case for each gap of deliveries', () => {
    expect(eventGaps.toSorted()).toEqual(registered)
  })

  it('has each gap settled in the code of deliveries', () => {
    const settled = sourceFiles()
      .filter(({ path }) => path.startsWith('world/webhooks/'))
      .flatMap(({ text }) => [...text.matchAll(/\bsettle\(\s*'(events\.[^']+)'/g)])
    const elsewhere = sourceFiles().filter(
      ({ path, text }) => !path.startsWith('world/webhooks/') && /\bsettle\(\s*'events\./.test(text),
    )
    expect([...new Set(settled.map(([, gap]) => gap))].toSorted()).toEqual(registered)
    expect(elsewhere).toEqual([])
  })
})
