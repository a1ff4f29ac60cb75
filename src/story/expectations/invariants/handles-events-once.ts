import type { MessageRow } from '../../../service/model/rows.js'
import type { Delivery } from '../../../service/webhooks/delivery.js'
import type { SentMail } from '../../../service/world/sent-mail.js'
import { writeOf } from '../exchanges.js'
import { formatExchange } from '../request.js'
import type { Observation } from '../tracker.js'
import { Conversations } from './conversations.js'
import type { Invariant, Violation } from './invariant.js'
import { answeredBy, bareAddress } from './mail.js'

/** A write, and its position in the order of events. */
interface Write {
  readonly key: string
  readonly seq: number
  /** Whether it is mail of a request, which is a write itself. */
  isRequested?: true
}

/** An event that was delivered again. */
interface Repetition {
  readonly event: string
  /** The id of the message that the event is about. */
  readonly message: string
  /** The positions of its first delivery, and of the repetition. */
  readonly first: number
  readonly again: number
}

/** The client acts once on an event, regardless of how often it is delivered. */
export const handlesEventsOnce: Invariant = {
  general: true,
  advice: 'Keep the ids of the events that you have handled, and respond with 200 when one arrives again.',
  watch(_, { store }) {
    const firstSeen = new Map<string, number>()
    /** The ids of all events, also of those whose first delivery has not ended. */
    const events = new Set<string>()
    const repetitions: Repetition[] = []
    const writes: Write[] = []
    const disturbed = new Set<string>()
    const conversations = new Conversations(store)
    /** Mail that was sent again, until its request shows to what it replies. */
    let held: Violation | undefined
    /** The numbers of the requests whose responses a fault disturbed. */
    const faulted = new Set<number>()
    return {
      expected: 'no second identical write or reply after an event was delivered again',
      observe(observation) {
        const { moment } = observation
        if (observation.type === 'delivery') noteDelivery(observation.delivery, moment.seq)
        const again = replyAgain(observation) ?? heldUntil(observation)
        if (again) return again
        const write = writeOf(observation)
        if (write === undefined) return undefined
        // A client may repeat a write whose response was lost.
        if (observation.type === 'exchange' && observation.exchange.fault) disturbed.add(write)
        const repetition = repetitions.findLast(({ again }) => again < moment.seq)
        const before = repetition && writes.find((one) => isBefore(one, write, repetition))
        const isOwed = owesWrites()
        writes.push({ key: write, seq: moment.seq })
        if (!repetition || !before || isOwed || disturbed.has(write) || isOften(write)) return undefined
        const found = `a second identical write after the event ${repetition.event} came again`
        const violation = { found, line: write, differences: ['expected no repetition of an earlier write'] }
        if (observation.type === 'exchange') return violation
        held ??= violation
        return undefined
      },
      end: () => held,
    }

    /** Returns the mail that was held, once its request has ended, unless that is the first reply to a message. */
    function heldUntil(observation: Observation): Violation | undefined {
      const sent = observation.type === 'exchange' ? observation.sent() : []
      if (sent.length === 0) return undefined
      const own = writes.filter(({ key, isRequested }) => key.startsWith('send ') && !isRequested)
      for (const one of own.slice(-sent.length)) one.isRequested = true
      const violation = held
      held = undefined
      return sent.some((mail) => repliesTo(mail).length > 0) ? undefined : violation
    }

    /** Returns a second reply to the message of an event that came again, whatever its words. */
    function replyAgain(observation: Observation): Violation | undefined {
      conversations.note(observation)
      if (observation.type !== 'exchange') return undefined
      const { exchange, moment } = observation
      if (exchange.fault) faulted.add(exchange.seq)
      const isRefused = exchange.status >= 400 && exchange.status < 500
      for (const mail of observation.sent()) {
        const before = conversations.take(mail, isRefused)
        if (!before || faulted.has(before.exchange)) continue
        const answered = answeredBy(mail, store)
        const repetition = repetitions.findLast(({ again, message }) => {
          return again < moment.seq && answered.some(({ id }) => id === message)
        })
        if (!repetition) continue
        const to = bareAddress(answered[0]?.from ?? '')
        return {
          found: `a second reply to ${to} after the event ${repetition.event} came again`,
          line: formatExchange(exchange),
          exchange: exchange.seq,
          differences: [`request ${before.exchange} had replied with "${before.message.subject}"`],
        }
      }
      return undefined
    }

    function repliesTo(mail: SentMail): MessageRow[] {
      return answeredBy(mail, store).filter(({ direction }) => direction === 'inbound')
    }

    function noteDelivery({ event, message_id: message, attempts }: Delivery, seq: number): void {
      const last = attempts.at(-1)
      events.add(event.id)
      if (!last) return
      const first = firstSeen.get(event.id)
      if (first === undefined) {
        firstSeen.set(event.id, seq)
        // Later writes may be about this new event.
        repetitions.length = 0
      } else if (last.cause === 'duplicate' || last.cause === 'redelivery') {
        const isAccepted = attempts.slice(0, -1).some(({ response }) => response && response.status < 300)
        const isKnown = repetitions.some(({ event: known }) => known === event.id)
        if (isAccepted && !isKnown) repetitions.push({ event: event.id, message, first, again: seq })
      }
    }

    function isBefore({ key, seq }: Write, write: string, { first, again }: Repetition): boolean {
      // If there was no other event, the write is about this one, even if it came after the repetition.
      return key === write && seq > first && (seq < again || events.size === 1)
    }

    /**
     * Returns whether the client may still write about an earlier event, as a client that handles events
     * later does.
     */
    function owesWrites(): boolean {
      const [first = 0] = firstSeen.values()
      return writes.filter(({ seq, isRequested }) => seq > first && !isRequested).length < events.size
    }

    /** Returns whether the client repeats this write so often that it must have other reasons. */
    function isOften(write: string): boolean {
      return writes.filter(({ key }) => key === write).length > 2
    }
  },
}
