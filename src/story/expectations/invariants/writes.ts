import { writeOf } from '../exchanges.js'
import type { JudgedMailbox } from '../judged-mailbox.js'
import type { Observation } from '../tracker.js'
import { type Again, isStartedAgain } from './again.js'
import { bareAddress } from './mail.js'
import type { Served } from './served.js'

/** A request. */
type WritingRequest = Extract<Observation, { readonly type: 'exchange' }>

/** Something that an agent wrote. */
interface Write {
  readonly line: string
  /** The number of its request. */
  readonly exchange: number
  readonly seq: number
  readonly start: number | undefined
  /** Whether a fault disturbed the response, so that a client may repeat it. */
  readonly isDisturbed: boolean
}

/** Finds writes that repeat earlier ones after an event was delivered again or the agent was started again. */
export class Writes {
  /** Its store is another one after a reset. */
  readonly #mailbox: Pick<JudgedMailbox, 'store'>
  readonly #again: Again
  readonly #served: Served
  #all: readonly Write[] = []

  constructor(mailbox: Pick<JudgedMailbox, 'store'>, again: Again, served: Served) {
    this.#mailbox = mailbox
    this.#again = again
    this.#served = served
  }

  /** Notes a write; returns what is wrong with it. `isExcused` says by the number of a request that it may be repeated. */
  repeated(observation: WritingRequest, isExcused: (exchange: number) => boolean) {
    const line = writeOf(observation)
    if (line === undefined) return undefined
    const { exchange, moment } = observation
    const { seq } = moment
    const next = {
      line,
      exchange: exchange.seq,
      seq,
      start: exchange.start,
      isDisturbed: exchange.fault !== null,
    }
    const equal = this.#all.filter((one) => one.line === line && !one.isDisturbed && !isExcused(one.exchange))
    this.#all = [...this.#all, next]
    const cause = this.#startBefore(equal, next, exchange.method) ?? this.#eventBefore(equal, next)
    if (cause === undefined) return undefined
    const differences = [`request ${equal.at(-1)?.exchange} had written the same`]
    return { found: `the same write again after ${cause}`, differences }
  }

  /** A program may set a state again when it starts; what a POST does is done twice. */
  #startBefore(equal: readonly Write[], next: Write, method: string): string | undefined {
    const last = equal.at(-1)
    if (!last || method !== 'POST' || !isStartedAgain(last, next)) return undefined
    return this.#served.between(last.seq, next.seq).length > 0 ? undefined : 'the agent was started again'
  }

  /**
   * What is about the message of an event that came again is repeated; of other equal writes, one belongs to each event. What a
   * client wrote before any event came, it writes for other reasons.
   */
  #eventBefore(equal: readonly Write[], next: Write): string | undefined {
    const { events, first } = this.#again
    const [earliest] = equal
    if (!earliest || first === undefined || earliest.seq < first) return undefined
    const repeated = this.#again.repeatedBetween(undefined, next).findLast(({ message, moment: { seq } }) => {
      if (this.#served.between(seq, next.seq).length > 0) return false
      const isAfter = equal.some((one) => one.seq < seq)
      return (isAfter && this.#isAbout(next.line, message)) || equal.length >= events.size
    })
    return repeated && `the event ${repeated.event} came again`
  }

  #isAbout(line: string, id: string): boolean {
    const row = this.#mailbox.store.get('message', id)
    if (!row) return false
    return [row.id, row.thread_id, bareAddress(row.from)].some((one) => line.includes(one))
  }
}
