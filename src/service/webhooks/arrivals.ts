import { z } from '../../base/schema.js'
import type { Assumptions } from '../../contract/gaps.js'
import { createSilentSettle } from '../assumptions/settle.js'
import type { Arrival } from '../model/hidden-messages.js'
import type { Recorder } from '../record/recorder.js'
import type { Clock } from '../time/clock.js'

/** How long a message whose event was delivered may not be listed, in milliseconds. */
export const unlistedFor = 2000

/** The most such messages: of a burst, the earlier ones are listed, so that each request costs no more than with so many. */
const mostUnlisted = 200

/** Creates the schema of a message that came, in documents. */
export const arrivalSchema = () =>
  z.strictObject({
    message: z.string(),
    at: z.int().describe('When it came, in milliseconds since the epoch.'),
    unread: z.boolean().describe('Whether its thread was unread before, as is `answered`.'),
    answered: z.boolean(),
  })

/** A message that came at an instant, and the state of its thread before. */
export interface DatedArrival extends Arrival {
  readonly at: number
}

const none: readonly DatedArrival[] = []

/** The latest messages that came and whose events were delivered. */
export class Arrivals {
  #latest: readonly DatedArrival[]

  constructor(latest: readonly DatedArrival[] = none) {
    this.#latest = latest
  }

  note(arrival: DatedArrival): void {
    this.#latest = [...this.unlisted(arrival.at).slice(1 - mostUnlisted), arrival]
  }

  /** Returns the messages that may not be listed yet: the same list until another message comes or time has passed. */
  unlisted(now: number): readonly DatedArrival[] {
    const isLate = ({ at }: DatedArrival): boolean => at + unlistedFor > now
    if (!this.#latest.every(isLate)) this.#latest = this.#latest.filter(isLate)
    return this.#latest
  }
}

/** The parts of a world in which messages arrive. */
interface ArrivalParts {
  readonly arrivals: Arrivals
  readonly clock: Clock
  readonly recorder: Recorder
  readonly world: { readonly assumptions: Assumptions }
}

/** Notes a message that came, and whose event is delivered. */
export function noteArrival(arrival: DatedArrival, parts: ArrivalParts): void {
  const { arrivals, recorder } = parts
  arrivals.note(arrival)
  recorder.logLatest('arrivals', () => ({ type: 'arrivals', arrivals: arrivals.unlisted(arrival.at) }))
  awaitListing(arrival, parts)
}

/** Waits again for the messages that came before a clock was resumed. */
export function awaitListings(parts: ArrivalParts): void {
  for (const arrival of parts.arrivals.unlisted(parts.clock.now())) awaitListing(arrival, parts)
}

/** Has the clock stop at the moment from which a message is listed: what an agent reads changes then. */
function awaitListing({ at }: DatedArrival, { clock, world }: ArrivalParts): void {
  createSilentSettle(world.assumptions)('events.listed', {
    'before-the-event': () => undefined,
    'after-the-event': () => void clock.schedule(at + unlistedFor, () => undefined),
  })
}
