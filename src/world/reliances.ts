import type { GapId } from '../contract/gaps.js'
import type { AnyOperationName } from '../contract/operations.js'
import type { EventType } from '../contract/resources.js'

/** That something would have come out otherwise under another reading. */
export interface Reliance {
  readonly gap: GapId
  /** The reading in force. */
  readonly reading: string
  /** The readings under which it would have come out otherwise. */
  readonly instead: readonly string[]
}

/** How often a world relied on a reading. */
export interface RelianceSummary {
  readonly gap: string
  readonly reading: string
  /** The operations whose answers did. */
  readonly operations: readonly AnyOperationName[]
  /** The types of the events whose deliveries did, where there are any. */
  readonly events?: readonly EventType[]
  /** How many exchanges and deliveries did. */
  readonly count: number
}

/** Something that relied on readings: an answer of an operation, or the delivery of an event. */
export interface Relied {
  readonly operation: AnyOperationName | null
  readonly event: EventType | null
  readonly reliances: readonly Reliance[]
}

/** Summarizes reliances by gap, in the order in which the gaps first came up. */
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
