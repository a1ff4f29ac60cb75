import { z } from '../../base/index.js'
import type { Arrival } from '../model/index.js'

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
