import { z } from '../../base/schema.js'
import { eventTypes } from '../../contract/resources.js'
import { lastInstant } from '../model/instants.js'
import { formatInstant, parseInstant } from '../time/time.js'
import { type DeliveryRecord, type WrittenDelivery, writtenDeliverySchema } from './delivery.js'

/** Creates the schema of the state of a dispatcher in snapshots. */
export const dispatcherStateSchema = () =>
  z.strictObject({
    subscriptions: z
      .record(z.string(), z.int().min(0))
      .describe('The number of deliveries of each subscription, by its id.'),
    events: z
      .partialRecord(z.enum(eventTypes), z.int().min(0))
      .default({})
      .describe('The number of deliveries of each event type.'),
    unfinished: z
      .array(writtenDeliverySchema())
      .describe('The unfinished deliveries, in the order of their events.'),
    referenced: z
      .array(writtenDeliverySchema())
      .default([])
      .describe('The finished deliveries that the story may send again, in the order of their events.'),
  })

/** The deliveries on which the future of a world depends. */
export type DispatcherState = z.output<ReturnType<typeof dispatcherStateSchema>>

/** Returns the state with these counts and deliveries. */
export function dispatcherState(
  { subscriptions, events }: Pick<DispatcherState, 'subscriptions' | 'events'>,
  deliveries: Iterable<Pick<DeliveryRecord, 'hasFinished' | 'written'>>,
): DispatcherState {
  const [unfinished, referenced]: [WrittenDelivery[], WrittenDelivery[]] = [[], []]
  for (const { hasFinished, written } of deliveries) (hasFinished ? referenced : unfinished).push(written)
  return { subscriptions, events, unfinished, referenced }
}

/** Postpones deliveries by the time for which the world was not running. */
export function postponed(state: DispatcherState, by: number): DispatcherState {
  const later = (instant: string | null): string | null =>
    instant === null ? null : formatInstant(Math.min((parseInstant(instant) as number) + by, lastInstant))
  const unfinished = state.unfinished.map((one) => ({ ...one, next_attempt_at: later(one.next_attempt_at) }))
  return { ...state, unfinished }
}
