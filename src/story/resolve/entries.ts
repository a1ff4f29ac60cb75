import { parseDuration, parseInstant } from '../../service/world/index.js'
import type { ActionMail } from '../actions/action.js'
import { actionOf, type ChosenAction } from '../actions/index.js'
import type { Scenario, WrittenEntry } from '../format/index.js'
import type { Path } from '../problems/problem.js'
import type { Enclosed } from './enclosures.js'
import { type BroughtMail, nameOfEntry, type ResolvedEntry } from './names.js'
import { nameParts } from './parts.js'

/** A timeline entry with its action, which is still to be resolved. */
export interface EntryToResolve extends ResolvedEntry, ChosenAction {}

/** Returns the entries of a timeline in the order of the file. `enclosed` has the files of their mail. */
export function resolveEntries(
  { timeline, start }: Scenario,
  enclosed: ReadonlyMap<object, Enclosed>,
): EntryToResolve[] {
  const begin = parseInstant(start) as number
  return nameParts(timeline, nameOfEntry).map(([name, entry], index) => {
    const { after, at, when } = entry
    const path = ['timeline', index]
    const instant = parseInstant(at ?? '') ?? begin
    const time = after === undefined ? instant - begin : (parseDuration(after) ?? 0)
    // It is unknown when a client does what the entry waits for.
    const offset = when ? Number.POSITIVE_INFINITY : time
    const chosen = actionOf(entry) as ChosenAction
    return { entry, name, path, offset, ...chosen, mail: mailOf(entry, chosen, path, enclosed) }
  })
}

/** A message of the timeline, and its place. */
interface PlacedMail {
  readonly mail: ActionMail['content']
  readonly path: Path
}

/** Returns the messages that the entries of a timeline bring, in order. */
export function mailOfTimeline(timeline: Scenario['timeline']): PlacedMail[] {
  return timeline.flatMap((entry, index) => {
    const { kind, action, value } = actionOf(entry) as ChosenAction
    const mail = action.mail?.(value).content
    return mail ? [{ mail, path: ['timeline', index, kind] }] : []
  })
}

function mailOf(
  { key: ownKey }: WrittenEntry,
  { kind, action, value }: ChosenAction,
  path: Path,
  enclosed: ReadonlyMap<object, Enclosed>,
): BroughtMail | undefined {
  const mail = action.mail?.(value)
  if (!mail) return undefined
  const { content, agents, isSent } = mail
  const { key, thread, subject } = content
  const inFile = (!isSent && enclosed.get(content)?.eml?.to.map(({ address }) => address)) || []
  const [name, place] = key === undefined ? [ownKey, path] : [key, [...path, kind]]
  const named = name === undefined ? undefined : { name, path: [...place, 'key'] }
  return { agents, inFile, thread, subject, isSent, key: named }
}
