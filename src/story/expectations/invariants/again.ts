import type { MessageRow } from '../../../service/model/rows.js'
import { reachedReceiver } from '../../../service/webhooks/delivery.js'
import type { Moment } from '../time-window.js'
import type { Observation } from '../tracker.js'
import { reminder } from './mail.js'
import type { Sending } from './sendings.js'

/** How long after an event came again a second reply is surely about it, in milliseconds of story time. */
const soon = 3_600_000

/** An event that was delivered again. */
interface RepeatedEvent {
  readonly event: string
  readonly message: string
  readonly thread: string
  readonly moment: Moment
}

/** Something that an agent did, and by which start of its program. */
type Act = Pick<Sending, 'seq' | 'start'>

/** Knows when an agent had a reason to do something again: an event was delivered again, or its program was started again. */
export class Again {
  /** The ids of all events that were delivered. */
  readonly events = new Set<string>()
  /** The place of the first delivery in the order of events; undefined before that. */
  first: number | undefined
  readonly #repeated: RepeatedEvent[] = []

  /** Notes that a delivery of an event which had reached its receiver comes again. */
  note(observation: Observation): void {
    if (observation.type !== 'delivery') return
    const { event, message_id: message, thread_id: thread, attempts } = observation.delivery
    this.events.add(event.id)
    this.first ??= observation.moment.seq
    const last = attempts.at(-1)
    const reached = attempts
      .slice(0, -1)
      .some((one) => one.duration_ms !== null && reachedReceiver(one.error))
    if (last?.duration_ms === null && reached)
      this.#repeated.push({ event: event.id, message, thread, moment: observation.moment })
  }

  /** Returns the events that came again between one act and another. */
  repeatedBetween(before: Act | undefined, next: Act): readonly RepeatedEvent[] {
    return this.#repeated.filter(({ moment: { seq } }) => seq > (before?.seq ?? 0) && seq < next.seq)
  }

  /** Returns whether the agent replied again since the event of a message came again, or since it was started again. */
  explains(answered: readonly MessageRow[], before: Sending, next: Sending): boolean {
    const isSoon = next.message.created_at - before.message.created_at < reminder
    if (isStartedAgain(before, next)) return isSoon
    return this.repeatedBetween(before, next).some(({ message, moment }) => {
      const isAbout = answered.some(({ id }) => id === message)
      return isAbout && (isSoon || next.message.created_at - moment.at < soon)
    })
  }

  /** Returns what happened between two acts, in words; undefined if neither. */
  causeSince(before: Sending, next: Sending): string | undefined {
    if (isStartedAgain(before, next)) return 'the agent was started again'
    const last = this.repeatedBetween(before, next).findLast(({ message }) => {
      return next.answers.some(({ id }) => id === message)
    })
    return last && `the event ${last.event} came again`
  }
}

/** Returns whether the agent's program was started again between two acts, or runs twice. */
export function isStartedAgain(before: Act, next: Act): boolean {
  return before.start !== undefined && next.start !== undefined && before.start !== next.start
}
