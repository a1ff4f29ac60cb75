import type { GapId } from '../contract/gaps.js'
import type { AnyOperationName } from '../contract/operations.js'
import type { EventType } from '../contract/resources.js'

/** The fact that an answer or a delivery would have differed under another reading. */
export interface Reliance {
  readonly gap: GapId
  /** The reading in force. */
  readonly reading: string
  /** The readings under which it would have differed. */
  readonly instead: readonly string[]
}

/** How often a world relied on a reading. */
export interface RelianceSummary {
  readonly gap: string
  readonly reading: string
  /** The operations whose answers relied on it. */
  readonly operations: readonly AnyOperationName[]
  /** The types of the events whose deliveries relied on it, if any. */
  readonly events?: readonly EventType[]
  /** The number of exchanges and deliveries that relied on it. */
  readonly count: number
}

/** The reliances of one answer or of one delivery. */
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
      const withEvent = withName(events, event)
      byGap.set(key, {
        gap,
        reading,
        operations: withName(operations, operation),
        ...(withEvent.length > 0 && { events: withEvent }),
        count: count + 1,
      })
    }
  }
  return [...byGap.values()]
}

function withName<Name>(names: readonly Name[], name: Name | null): readonly Name[] {
  return name === null || names.includes(name) ? names : [...names, name]
}
