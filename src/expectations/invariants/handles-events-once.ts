import type { Delivery } from '../../world/index.js'
import { defineInvariant } from './invariant.js'
import { writeOf } from './writes.js'

/** A write, and its place in the order of what happened. */
interface Write {
  readonly key: string
  readonly seq: number
}

/** An event whose receiver was told once more. */
interface Repetition {
  readonly event: string
  /** When its receiver was first told of it, and when again. */
  readonly first: number
  readonly again: number
}

/** Acts once on an event that it is told of twice. */
export const handlesEventsOnce = defineInvariant({
  name: 'handles-events-once',
  describe: 'The client acts once on an event, however often it is told of it.',
  advice: 'Keep the ids of the events that were handled, and answer 200 to those that come again.',
  watch() {
    const firstTold = new Map<string, number>()
    const repetitions: Repetition[] = []
    const writes: Write[] = []
    const disturbed = new Set<string>()
    return {
      expected: 'no second equal write after an event was delivered again',
      observe(observation) {
        const { moment } = observation
        if (observation.type === 'delivery') noteDelivery(observation.delivery, moment.seq)
        const write = writeOf(observation)
        if (write === undefined) return undefined
        // A write whose answer was lost is rightly sent again.
        if (observation.type === 'exchange' && observation.exchange.fault) disturbed.add(write)
        const repetition = repetitions.findLast(({ again }) => again < moment.seq)
        const before = repetition && writes.find((one) => isBefore(one, write, repetition))
        const isOwed = owesWrites()
        writes.push({ key: write, seq: moment.seq })
        if (!repetition || !before || isOwed || disturbed.has(write) || isOften(write)) return undefined
        const found = `a second equal write after the event ${repetition.event} came again`
        return { at: moment.at, found, line: write, differences: ['expected no write like one before'] }
      },
    }

    function noteDelivery({ event, attempts }: Delivery, seq: number): void {
      const last = attempts.at(-1)
      if (!last) return
      const first = firstTold.get(event.id)
      if (first === undefined) {
        firstTold.set(event.id, seq)
        // What is written from now on may be about this event.
        repetitions.length = 0
      } else if (last.cause === 'duplicate' || last.cause === 'redelivery') {
        const isAccepted = attempts.slice(0, -1).some(({ response }) => response && response.status < 300)
        const isKnown = repetitions.some(({ event: known }) => known === event.id)
        if (isAccepted && !isKnown) repetitions.push({ event: event.id, first, again: seq })
      }
    }

    function isBefore({ key, seq }: Write, write: string, { first, again }: Repetition): boolean {
      // Where there was no other event, it is about this one, even if it came after the repetition.
      return key === write && seq > first && (seq < again || firstTold.size === 1)
    }

    /** A client that takes events and sees to them later may still write about one that it was told of once. */
    function owesWrites(): boolean {
      const [first = 0] = firstTold.values()
      return writes.filter(({ seq }) => seq > first).length < firstTold.size
    }

    /** A client that writes the same several times by itself does so for other reasons. */
    function isOften(write: string): boolean {
      return writes.filter(({ key }) => key === write).length > 2
    }
  },
})
