import { SnapshotError } from '../errors.js'

/** A place in a snapshot, e.g. `['rows', 'message', 3, 'thread_id']`. */
export type Place = readonly PropertyKey[]

/** That a snapshot is refused: at which place, and what would be right there. */
export function refusal(code: SnapshotError['code'], place: Place, problem: string): SnapshotError {
  const where = place.length === 0 ? 'the document' : formatPlace(place)
  const sentence = /[.?]$/.test(problem) ? problem : `${problem}.`
  return new SnapshotError(
    code,
    `This snapshot cannot be restored: ${where}: ${sentence} Nothing has changed.`,
  )
}

/** That a snapshot contradicts itself, or the scenario it is of. */
export function contradiction(place: Place, problem: string): SnapshotError {
  return refusal('inconsistent', place, problem)
}

/** `rows.message[3].thread_id`, `readings["threads.total"]`. */
function formatPlace(place: Place): string {
  return place.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    const name = String(key)
    if (!/^\w+$/.test(name)) return `${text}[${JSON.stringify(name)}]`
    return text === '' ? name : `${text}.${name}`
  }, '')
}
