import type { Assumptions } from '../../contract/gaps.js'
import { createSilentSettle } from '../assumptions/settle.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { Clock } from '../time/clock.js'

/** How long a message whose event is delivered may not be listed, in milliseconds. */
export const unlistedFor = 2000

/** The parts of a world in which messages are listed. */
interface ListingWorld {
  readonly clock: Clock
  readonly store: MailboxStore
  readonly assumptions: Assumptions
}

/** Has the clock stop when a message that was received at an instant is listed: what an agent reads changes then. */
export function awaitListing(at: number, { clock, assumptions }: Omit<ListingWorld, 'store'>): void {
  createSilentSettle(assumptions)('events.listed', {
    'before-the-event': () => undefined,
    'after-the-event': () => void clock.schedule(at + unlistedFor, () => undefined),
  })
}

/** Waits again for the messages that were received just before a clock was resumed. */
export function awaitListings(world: ListingWorld): void {
  const { clock, store } = world
  const now = clock.now()
  for (const { id } of store.all('organization')) {
    for (const row of store.messages(id).createdIn(now - unlistedFor, now))
      awaitListing(row.created_at, world)
  }
}
