import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultAssumptions } from '../../contract/gaps.js'
import { withChoices } from '../assumptions/assumptions.js'
import { DeliveryOrder } from './subscriptions.js'

const inOrderAssumptions = withChoices(defaultAssumptions, { 'events.order': 'in-order' })
const shuffled = withChoices(defaultAssumptions, { 'events.order': 'shuffled' })

/** Returns when the first attempts for events at these instants are made, and what each notes. */
function departures(seed: number, instants: readonly number[], assumptions = shuffled) {
  const order = new DeliveryOrder(seed)
  return instants.map((at, index) => {
    const noted: string[] = []
    const path = `events/evt_${index}/webhooks/whk_1`
    const delay = order.next(path, at, assumptions, ({ gap, instead }) => noted.push(gap, ...instead))
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
  it('is relied on by attempts that overtake another, under either assumption', () => {
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
        const noted = departures(seed, instants, inOrderAssumptions).map(
          (departure) => departure.noted.length > 0,
        )
        expect(noted).toEqual(all.map((departure) => departure.noted.length > 0))
      }),
      { numRuns: 300 },
    )
  })
})
