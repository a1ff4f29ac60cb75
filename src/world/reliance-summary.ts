import type { EventType } from '../contract/events.js'
import type { OperationName } from '../contract/operations.js'
import type { Reliance } from './settle.js'

/** How often a world relied on a reading. */
export interface RelianceSummary {
  readonly gap: string
  readonly reading: string
  /** The operations whose answers did. */
  readonly operations: readonly OperationName[]
  /** The types of the events whose deliveries did, where there are any. */
  readonly events?: readonly EventType[]
  /** How many exchanges and deliveries did. */
  readonly count: number
}

/** Something that relied on readings: an answer of an operation, or the delivery of an event. */
export interface Relied {
  readonly operation: OperationName | null
  readonly event: EventType | null
  readonly reliances: readonly Reliance[]
}

/** What relied on which gap: the gaps in the order in which they first came up, each with how often. */
export function summarizeReliances(all: Iterable<Relied>): RelianceSummary[] {
  const byGap = new Map<string, RelianceSummary>()
  for (const { operation, event, reliances } of all) {
    for (const { gap, reading } of reliances) {
      const key = `${gap}=${reading}`
      const { operations, events = [], count } = byGap.get(key) ?? { operations: [], count: 0 }
      const told = withName(events, event)
      byGap.set(key, {
        gap,
        reading,
        operations: withName(operations, operation),
        ...(told.length > 0 && { events: told }),
        count: count + 1,
      })
    }
  }
  return [...byGap.values()]
}

function withName<Name>(names: readonly Name[], name: Name | null): readonly Name[] {
  return name === null || names.includes(name) ? names : [...names, name]
}
