import { once } from '../../contract/once.js'
import { z } from '../../contract/schema.js'
import {
  writtenClockMode,
  writtenFaults,
  writtenPlayed,
  writtenReadings,
  writtenTriggers,
} from '../snapshot/document.js'
import { instantSchema as instant } from '../time.js'
import { deliveryStatuses } from '../webhooks/delivery.js'
import { unfinishedSchema } from '../webhooks/delivery-record.js'

const at = () => instant().describe("The world's time at which it happened.")

const entries = once(
  () =>
    [
      z
        .strictObject({
          type: z.literal('begin'),
          at: at(),
          scenario: z.string(),
          seed: z.int(),
          fingerprint: z.string(),
          mode: writtenClockMode(),
          readings: writtenReadings(),
        })
        .describe('The world is at its start, at first or by a reset; what comes before no longer counts.'),
      z
        .strictObject({ type: z.literal('snapshot'), at: at(), snapshot: z.looseObject({}) })
        .describe('The world as a whole; what comes before no longer counts.'),
      z
        .strictObject({ type: z.literal('command'), at: at(), command: z.looseObject({ type: z.string() }) })
        .describe('A command was applied.'),
      z
        .strictObject({
          type: z.literal('readings'),
          at: at(),
          readings: z.record(z.string(), z.string()),
          from: z.string(),
        })
        .describe('Some readings were changed.'),
      z
        .strictObject({ type: z.literal('faults'), at: at(), faults: writtenFaults() })
        .describe('A fault rule was added, removed or matched; these are all of them.'),
      z
        .strictObject({ type: z.literal('clock'), at: at(), mode: writtenClockMode(), began_at: instant() })
        .describe('The clock was moved on to this instant, or given another mode.'),
      z
        .strictObject({ type: z.literal('timeline'), at: at(), played: writtenPlayed() })
        .describe('The next entry of the timeline happened.'),
      z
        .strictObject({ type: z.literal('triggers'), at: at(), triggers: writtenTriggers() })
        .describe('Something was counted that entries of the story wait for.'),
      z
        .strictObject({ type: z.literal('delivery'), at: at(), delivery: unfinishedSchema() })
        .describe('A delivery is that far.'),
      z
        .strictObject({
          type: z.literal('delivered'),
          at: at(),
          id: z.string(),
          webhook_id: z.string(),
          ordinal: z.int().min(0),
          status: z.enum(deliveryStatuses),
        })
        .describe('A delivery is over.'),
      z
        .strictObject({
          type: z.literal('ids'),
          at: at(),
          event: z.int().min(0),
          delivery: z.int().min(0),
        })
        .describe('How many ids of events and of deliveries have been handed out.'),
    ] as const,
)

/** One change of a world as its log keeps it, plain JSON. Applied in order to the scenario's base, they give the world. */
export const logEntrySchema = once(() => z.discriminatedUnion('type', entries()))

/** One change of a world as its log keeps it. */
export type LogEntry = z.output<ReturnType<typeof logEntrySchema>>

/** Tells whether what comes before an entry no longer counts. */
export function isBeginning({ type }: Pick<LogEntry, 'type'>): boolean {
  return type === 'begin' || type === 'snapshot'
}
