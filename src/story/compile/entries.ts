import type { Path } from '../../base/mistake.js'
import { formatMailbox } from '../../mail/address.js'
import { parseDuration, parseInstant } from '../../service/time/time.js'
import type { ActionMail } from '../actions/action.js'
import { actionOf, type ChosenAction } from '../actions/actions.js'
import type { EntryFrame } from '../format/entry.js'
import type { Scenario } from '../format/scenario.js'
import type { Enclosed } from './enclosures.js'
import { type BroughtMail, namesOfEntries, type ResolvedEntry } from './names.js'

/** A timeline entry with its action, which is still to be resolved. */
export interface EntryToResolve extends ResolvedEntry, ChosenAction {}

/**
 * Returns the entries of a timeline in the order of the file. `enclosed` has the files of their mail; `earlier` are the entries
 * on which the timeline is laid, and which come before it in paths.
 */
export function resolveEntries(
  { timeline, start }: Pick<Scenario, 'timeline' | 'start'>,
  enclosed: ReadonlyMap<object, Enclosed>,
  earlier: readonly EntryFrame[] = [],
): EntryToResolve[] {
  const begin = parseInstant(start) as number
  const names = namesOfEntries([...earlier, ...timeline]).slice(earlier.length)
  return timeline.map((entry, index) => {
    const name = names[index] as string
    const { after, at, when } = entry
    const path = ['timeline', earlier.length + index]
    const instant = parseInstant(at ?? '') ?? begin
    const time = after === undefined ? instant - begin : (parseDuration(after) ?? 0)
    // It is unknown when a client does what the entry waits for.
    const offset = when ? Number.POSITIVE_INFINITY : time
    const chosen = actionOf(entry) as ChosenAction
    const resolved = { entry, name, path, offset, ...chosen }
    return { ...resolved, mail: mailOf(resolved, enclosed) }
  })
}

/** A message of the timeline, and its place. */
interface PlacedMail {
  readonly mail: ActionMail['content']
  readonly path: Path
}

/** Returns the messages that the entries of a timeline bring, in order; `first` is the place of the first entry. */
export function mailOfTimeline(timeline: Scenario['timeline'], first = 0): PlacedMail[] {
  return timeline.flatMap((entry, index) => {
    const { kind, action, value } = actionOf(entry) as ChosenAction
    const mail = action.mail?.(value).content
    return mail ? [{ mail, path: ['timeline', first + index, kind] }] : []
  })
}

/** Returns the message that an entry brings, if it brings one. */
function mailOf(
  { entry, name: entryName, path, kind, action, value }: Omit<EntryToResolve, 'mail'>,
  enclosed: ReadonlyMap<object, Enclosed>,
): BroughtMail | undefined {
  const mail = action.mail?.(value)
  if (!mail) return undefined
  const { content, agents, people, isSent } = mail
  const { eml } = enclosed.get(content) ?? {}
  const inFile = isSent || !eml ? [] : [...eml.to, ...eml.cc, ...eml.bcc].map(({ address }) => address)
  const place = { name: `timeline/${entryName}`, path: [...path, kind] }
  const [name, at] = content.key === undefined ? [entry.key, path] : [content.key, place.path]
  return {
    ...{ agents, inFile, isSent, place, thread: content.thread },
    people,
    peopleInFile: eml ? (isSent ? eml.to : [eml.from]).map(formatMailbox) : [],
    subject: content.subject ?? (eml?.subject || undefined),
    key: name === undefined ? undefined : { name, path: [...at, 'key'] },
  }
}
