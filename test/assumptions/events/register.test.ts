import { Webhook } from 'standardwebhooks'
import { describe, expect, it, vi } from 'vitest'
import { assumptionsOf, gapIds } from '../../../src/contract/gaps.js'
import { sourceTexts } from '../../source-files.js'
import { useFakeTimers } from '../../support/fake-timers.js'
import { type EventGap, isEventGap } from '../gap-case.js'
import { cases, type EventCase, type Happen } from './cases.js'
import { type Desk, hooks, openDesk } from './desk.js'

/** A case with the type of its gap removed: any assumption may be looked up in it. */
type AnyCase = Omit<EventCase<EventGap>, 'assumptions' | 'sees'> & {
  readonly assumptions?: Readonly<Record<string, string>>
  readonly sees: Readonly<Record<string, unknown>>
}

const eventGaps = gapIds.filter(isEventGap)

useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })

/** Asserts that deliveries relied on an assumption of a gap and name the others as different. */
function expectNoted(gap: EventGap, assumption: string, { simulator }: Desk): void {
  const summary = simulator.reliances().filter((reliance) => reliance.gap === gap)
  expect(summary).toMatchObject([{ assumption, operations: [], count: expect.any(Number) }])
  expect(summary[0]?.events).not.toEqual([])
  const others = assumptionsOf(gap).flatMap(({ name }) => (name === assumption ? [] : [name]))
  const noted = simulator.deliveries
    .list()
    .flatMap(({ reliances }) => reliances.filter((one) => one.gap === gap))
  for (const reliance of noted) {
    expect(reliance.assumption).toBe(assumption)
    expect(reliance.instead).not.toEqual([])
    expect(reliance.instead.filter((name) => !others.includes(name))).toEqual([])
  }
}

describe('every assumption of a gap has its deliveries, and only those that differ rely on it', () => {
  const rows = eventGaps.flatMap((gap) => assumptionsOf(gap).map(({ name }) => [gap, name] as const))

  it.each(rows)('%s: %s', async (gap, assumption) => {
    const { assumptions, happen, shows, sees, quiet } = cases[gap] as AnyCase
    const deskAfter = async (happening: Happen) => {
      const desk = await openDesk({ ...assumptions, [gap]: assumption })
      await happening(desk)
      return desk
    }
    const desk = await deskAfter(happen)
    expect(Object.keys(sees)).toContain(assumption)
    expect(shows(desk)).toEqual(sees[assumption])
    expectNoted(gap, assumption, desk)
    for (const happening of quiet) {
      const { simulator } = await deskAfter(happening)
      expect(simulator.reliances().filter((reliance) => reliance.gap === gap)).toEqual([])
      expect(simulator.deliveries.list().map(({ status }) => status)).not.toContain('pending')
    }
  })
})

it('an event without subscriptions relies on events.bounced-sender if the other assumption has one', async () => {
  const desk = await openDesk({ 'events.bounced-sender': 'sending-agent' })
  const { simulator } = desk
  for (const { id, agent_handle } of simulator.webhooks.list()) {
    if (agent_handle !== 'max') simulator.webhooks.delete(id)
  }
  await desk.outcome('eva', 'bounced')
  expect(simulator.deliveries.list()).toEqual([])
  const [gap, assumption] = ['events.bounced-sender', 'sending-agent']
  expect(simulator.reliances().filter((reliance) => reliance.gap.startsWith('events.'))).toEqual([
    { gap, assumption, operations: [], events: ['message.bounced'], count: 1 },
  ])
})

it('each attempt is signed at its own time, with the id of its event', async () => {
  const desk = await openDesk({ 'events.signature': 'standard-webhooks', 'events.retries': 'svix' })
  desk.answer('eva', () => 500)
  await desk.receive('eva', 'Größe 42 – “bitte” 📦')
  await desk.advance('48h')
  const { simulator, received } = desk
  const webhook = simulator.webhooks.list().find(({ url }) => url === hooks.eva)
  const verifier = new Webhook(simulator.webhooks.secret(webhook?.id ?? ''))
  expect(received.eva).toHaveLength(8)
  for (const { at, headers, text } of received.eva) {
    vi.setSystemTime(Date.parse(simulator.start) + at * 1000)
    expect(headers.get('webhook-timestamp')).toBe(`${Date.now() / 1000}`)
    expect(verifier.verify(text, Object.fromEntries(headers))).toMatchObject({
      id: headers.get('webhook-id'),
    })
  }
  expect(new Set(received.eva.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1)
})

it('each gap of the register is settled in the code of deliveries, and nowhere else', () => {
  const settled = sourceTexts().flatMap(({ path, text }) =>
    [...text.matchAll(/\bsettle\(\s*'(events\.[^']+)'/g)].flatMap(([, gap]) => {
      return gap === 'events.listed' ? [] : [{ path, gap }]
    }),
  )
  expect([...new Set(settled.map(({ gap }) => gap))].toSorted()).toEqual(eventGaps.toSorted())
  expect(settled.filter(({ path }) => !path.startsWith('service/webhooks/'))).toEqual([])
})
