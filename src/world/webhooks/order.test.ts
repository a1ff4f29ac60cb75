import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DeliveryOrder } from './order.js'
import { readingsWith } from './settled.fixture.js'

const inOrder = readingsWith({ 'events.order': 'in-order' })
const shuffled = readingsWith({ 'events.order': 'shuffled' })

/** When the first attempts of deliveries go out whose events happen at these instants, and what each notes. */
function departures(seed: number, instants: readonly number[], readings = shuffled) {
  const order = new DeliveryOrder(seed)
  return instants.map((at, index) => {
    const noted: string[] = []
    const { delay, inTurn } = order.next(
      `events/evt_${index}/webhooks/whk_1`,
      at,
      readings,
      ({ gap, instead }) => noted.push(gap, ...instead),
    )
    return { at: at + delay, delay, inTurn, noted }
  })
}

/** Instants of events, none before the one before it; most of them close together. */
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
  it('is that of the events under in-order: none is held back, each waits its turn', () => {
    for (const { delay, inTurn } of departures(7, [0, 0, 10, 10], inOrder)) {
      expect({ delay, inTurn }).toEqual({ delay: 0, inTurn: true })
    }
  })

  it('holds some back under shuffled, none for as long as half a second', () => {
    fc.assert(
      fc.property(fc.integer(), anyInstants, (seed, instants) => {
        for (const { delay, inTurn } of departures(seed, instants)) {
          expect(inTurn).toBe(false)
          expect(delay).toBeGreaterThanOrEqual(0)
          expect(delay).toBeLessThan(500)
        }
      }),
    )
  })

  it('is relied on by those that overtake another, under either reading', () => {
    fc.assert(
      fc.property(fc.integer(), anyInstants, (seed, instants) => {
        const all = departures(seed, instants)
        // In the order of their departure; those that depart at once stay in the order of their events.
        const sorted = all.toSorted((one, other) => one.at - other.at)
        for (const departure of all) {
          const place = sorted.indexOf(departure)
          const overtaken = all
            .slice(0, all.indexOf(departure))
            .some((other) => sorted.indexOf(other) > place)
          expect(departure.noted).toEqual(overtaken ? ['events.order', 'in-order'] : [])
        }
        const noted = departures(seed, instants, inOrder).map((departure) => departure.noted.length > 0)
        expect(noted).toEqual(all.map((departure) => departure.noted.length > 0))
      }),
      { numRuns: 300 },
    )
  })

  it('is relied on by one that overtakes the first of very many', () => {
    const instants = Array.from({ length: 300 }, () => 0)
    const all = departures(3, instants)
    for (const [index, { at, noted }] of all.entries()) {
      expect(noted.length > 0).toBe(all.slice(0, index).some((earlier) => earlier.at > at))
    }
  })

  it('is the same for the same seed and another for another', () => {
    const instants = Array.from({ length: 20 }, () => 0)
    const delays = (seed: number) => departures(seed, instants).map(({ delay }) => delay)
    expect(delays(7)).toEqual(delays(7))
    expect(delays(8)).not.toEqual(delays(7))
  })

  it('is of one subscription: what another gets makes no difference', () => {
    const [one, other] = [new DeliveryOrder(7), new DeliveryOrder(7)]
    const silent = () => undefined
    one.next('events/evt_1/webhooks/whk_2', 0, shuffled, silent)
    const next = (order: DeliveryOrder) => order.next('events/evt_1/webhooks/whk_1', 0, shuffled, silent)
    expect(next(one)).toEqual(next(other))
  })
})
