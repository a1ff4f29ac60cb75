import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readingsWith, settled } from '../../../test/support/webhooks/settled.js'
import { smallWorld } from '../../../test/support/world/small-world.js'
import type { EventType } from '../../contract/resources.js'
import type { World } from '../world.js'
import { DeliveryOrder, receivesEvent, subscriptionsTo } from './subscriptions.js'

const inOrderReadings = readingsWith({ 'events.order': 'in-order' })
const shuffled = readingsWith({ 'events.order': 'shuffled' })

/** Returns when the first attempts for events at these instants are made, and what each notes. */
function departures(seed: number, instants: readonly number[], readings = shuffled) {
  const order = new DeliveryOrder(seed)
  return instants.map((at, index) => {
    const noted: string[] = []
    const path = `events/evt_${index}/webhooks/whk_1`
    const delay = order.next(path, at, readings, ({ gap, instead }) => noted.push(gap, ...instead))
    return { at: at + (delay ?? 0), delay: delay ?? 0, inOrder: delay === undefined, noted }
  })
}

/** Ascending instants of events, most of them close together. */
const anyInstants = fc
  .array(fc.oneof(fc.constant(0), fc.nat(100), fc.nat(2000)), { maxLength: 30 })
  .map((steps) => {
    let at = Date.parse('2026-01-05T09:00:00Z')
    return steps.map((step) => {
      at += step
      return at
    })
  })

describe('the order of first attempts', () => {
  it('is that of the events under in-order, without delays', () => {
    for (const { delay, inOrder } of departures(7, [0, 0, 10, 10], inOrderReadings)) {
      expect({ delay, inOrder }).toEqual({ delay: 0, inOrder: true })
    }
  })

  it('has delays below half a second under shuffled', () => {
    fc.assert(
      fc.property(fc.integer(), anyInstants, (seed, instants) => {
        for (const { delay, inOrder } of departures(seed, instants)) {
          expect(inOrder).toBe(false)
          expect(delay).toBeGreaterThanOrEqual(0)
          expect(delay).toBeLessThan(500)
        }
      }),
    )
  })

  it('is relied on by attempts that overtake another, under either reading', () => {
    fc.assert(
      fc.property(fc.integer(), anyInstants, (seed, instants) => {
        const all = departures(seed, instants)
        // The order of departure; attempts at the same time keep the order of their events.
        const sorted = all.toSorted((one, other) => one.at - other.at)
        for (const departure of all) {
          const place = sorted.indexOf(departure)
          const overtaken = all
            .slice(0, all.indexOf(departure))
            .some((other) => sorted.indexOf(other) > place)
          expect(departure.noted).toEqual(overtaken ? ['events.order', 'in-order'] : [])
        }
        const noted = departures(seed, instants, inOrderReadings).map(
          (departure) => departure.noted.length > 0,
        )
        expect(noted).toEqual(all.map((departure) => departure.noted.length > 0))
      }),
      { numRuns: 300 },
    )
  })

  it('is relied on by an attempt that overtakes the first of many', () => {
    const instants = Array.from({ length: 300 }, () => 0)
    const all = departures(3, instants)
    for (const [index, { at, noted }] of all.entries()) {
      expect(noted.length > 0).toBe(all.slice(0, index).some((earlier) => earlier.at > at))
    }
  })

  it('depends on the seed', () => {
    const instants = Array.from({ length: 20 }, () => 0)
    const delays = (seed: number) => departures(seed, instants).map(({ delay }) => delay)
    expect(delays(7)).toEqual(delays(7))
    expect(delays(8)).not.toEqual(delays(7))
  })

  it('does not depend on other subscriptions', () => {
    const [one, other] = [new DeliveryOrder(7), new DeliveryOrder(7)]
    const silent = () => undefined
    one.next('events/evt_1/webhooks/whk_2', 0, shuffled, silent)
    const next = (order: DeliveryOrder) => order.next('events/evt_1/webhooks/whk_1', 0, shuffled, silent)
    expect(next(one)).toEqual(next(other))
  })
})

const every = ['message.received', 'message.delivered', 'message.bounced'] as const

/** A world with these subscriptions only: their events, scope and organization. */
function worldWith(
  subscriptions: Record<string, { events: readonly EventType[]; scope?: string; of?: string }>,
) {
  const world = smallWorld()
  for (const id of ['whk_all', 'whk_support', 'whk_sales']) {
    world.apply({ type: 'delete-webhook', webhook_id: id })
  }
  const names = new Map<string, string>()
  for (const [name, { events, scope = null, of = 'org_a' }] of Object.entries(subscriptions)) {
    const url = `http://agent.test/${name}`
    const fields = { url, events: [...events], agent_handle: scope, organization_id: of }
    names.set(world.apply({ type: 'create-webhook', ...fields }).id, name)
  }
  return { world, names }
}

function eventIn(world: World, type: EventType) {
  const message = world.store.get('message', 'msg_second')
  if (!message) throw new Error('The message is missing.')
  return { id: 'evt_1', at: 0, type, message, agentHandle: 'support', recipient: null }
}

describe('the subscriptions to an event', () => {
  it('are those of its organization to its type, oldest first, without repeats', () => {
    const { world, names } = worldWith({
      b: { events: every },
      other: { events: ['message.delivered', 'message.bounced'] },
      a: { events: ['message.received'] },
      rival: { events: every, of: 'org_b' },
      twice: { events: ['message.received', 'message.received'] },
    })
    const found = subscriptionsTo(eventIn(world, 'message.received'), world.store)
    expect(found.map(({ id }) => names.get(id))).toEqual(['b', 'a', 'twice'])
  })
})

describe('receivesEvent', () => {
  const organization = { 'events.bounced-sender': ['organization'] }
  const sendingAgent = { 'events.bounced-sender': ['sending-agent'] }

  it.each<[EventType, string | undefined, string, boolean, object]>([
    ['message.received', undefined, 'sending-agent', true, {}],
    ['message.received', 'support', 'sending-agent', true, {}],
    ['message.received', 'sales', 'sending-agent', false, {}],
    ['message.received', 'sales', 'organization', false, {}],
    ['message.bounced', undefined, 'sending-agent', true, {}],
    ['message.bounced', 'support', 'organization', true, {}],
    ['message.bounced', 'sales', 'sending-agent', false, organization],
    ['message.bounced', 'sales', 'organization', true, sendingAgent],
    ['message.delivered', 'sales', 'sending-agent', false, organization],
    ['message.delivered', 'sales', 'organization', true, sendingAgent],
  ])('%s with scope %s under %s: %s', (type, scope, reading, received, noted) => {
    const { world } = worldWith({ one: { events: every, ...(scope !== undefined && { scope }) } })
    const event = eventIn(world, type)
    const [webhook] = subscriptionsTo(event, world.store)
    if (!webhook) throw new Error('There is no subscription.')
    const choice = { 'events.bounced-sender': reading }
    expect(settled(choice, (settle) => receivesEvent(webhook, event, settle))).toEqual({
      result: received,
      noted,
    })
  })
})
