import type { ClockStand } from '../clock.js'
import type { ClockMode } from '../clock-mode.js'
import type { FaultRule } from '../faults/fault-rules.js'
import { whyNeverHit } from '../faults/impossible.js'
import { parseInstant } from '../time.js'
import type { TimelineEntry } from '../timeline.js'
import type { Snapshot } from './document.js'
import { contradiction, type Place } from './refusal.js'

/** Where the clock of a snapshot stands. @throws SnapshotError */
export function clockStandOf({ clock }: Snapshot): ClockStand {
  const beganAt = parseInstant(clock.began_at) as number
  const now = parseInstant(clock.now) as number
  if (now < beganAt) {
    throw contradiction(
      ['clock', 'now'],
      `it is before began_at, which is ${clock.began_at}: a clock never goes back`,
    )
  }
  return { mode: clock.mode as ClockMode, beganAt, now }
}

/** Checks that what has happened of a story is how it begins. @throws SnapshotError */
export function checkTimeline(
  { timeline: { played }, clock }: Snapshot,
  entries: readonly TimelineEntry[],
  { beganAt, now }: ClockStand,
): void {
  const place = ['timeline', 'played']
  if (played.length > entries.length) {
    const problem = `it has ${played.length} entries, and the whole story of the scenario has ${entries.length}`
    throw contradiction(place, problem)
  }
  for (const [index, { name, at }] of played.entries()) {
    const entry = entries[index] as TimelineEntry
    if (name !== entry.name) {
      throw contradiction(
        [...place, index, 'name'],
        `expected "${entry.name}", as the scenario has it; found "${name}"`,
      )
    }
    if (beganAt + entry.after > now || (parseInstant(at) as number) > now) {
      throw contradiction([...place, index, 'at'], `"${name}" cannot have happened yet: it is ${clock.now}`)
    }
  }
  const next = entries[played.length]
  if (next && next.after <= 0) {
    throw contradiction(place, `it lacks "${next.name}", which happens as soon as the story begins`)
  }
}

/** Checks that fault rules can hit, and have hit what they must have. @throws SnapshotError */
export function checkFaults({ faults: { added, rules } }: Snapshot): void {
  let latest = 0
  for (const [index, rule] of rules.entries()) {
    const place = ['faults', 'rules', index]
    const number = Number(rule.id.slice('fault_'.length))
    if (number <= latest || number > added) {
      const problem = `expected a number above ${latest} and, since ${added} were added, not above ${added}`
      throw contradiction([...place, 'id'], problem)
    }
    latest = number
    checkFault(rule, place)
  }
}

function checkFault({ fault, matched, hit }: FaultRule, place: Place): void {
  // Its agent may be gone since; what never could hit was never added.
  const never = whyNeverHit(fault, fault.handle === undefined ? [] : [fault.handle])
  if (never !== undefined) throw contradiction([...place, 'fault'], `it can never hit: ${never}`)
  const { after = 0, times = Number.POSITIVE_INFINITY, probability = 1 } = fault
  const most = Math.min(times, Math.max(0, matched - after))
  if (hit === most || (probability < 1 && hit < most)) return
  const expected = probability < 1 ? `${most} or fewer` : most
  throw contradiction(
    [...place, 'hit'],
    `expected ${expected} of the ${matched} requests that matched; found ${hit}`,
  )
}
