import { parseDuration, parseInstant } from '../../service/world/index.js'
import type { ActionName, Scenario, WrittenEntry } from '../format/index.js'
import { actionNames } from '../format/timeline.js'
import type { Path } from '../problems/problem.js'
import type { Enclosed } from './enclosures.js'
import { type BroughtMail, nameOfEntry, type ResolvedEntry } from './names.js'
import { nameParts } from './parts.js'

/** Returns the entries of a timeline in the order of the file. `enclosed` has the files of their mail. */
export function resolveEntries(
  { timeline, start }: Scenario,
  enclosed: ReadonlyMap<object, Enclosed>,
): ResolvedEntry[] {
  const begin = parseInstant(start) as number
  return nameParts(timeline, nameOfEntry).map(([name, entry], index) => {
    const { after, at, when } = entry
    const path = ['timeline', index]
    const instant = parseInstant(at ?? '') ?? begin
    const time = after === undefined ? instant - begin : (parseDuration(after) ?? 0)
    // It is unknown when a client does what the entry waits for.
    const offset = when ? Number.POSITIVE_INFINITY : time
    const kind = actionNames.find((name) => entry[name] !== undefined) as ActionName
    return { entry, name, path, offset, kind, action: entry[kind], mail: mailOf(entry, path, enclosed) }
  })
}

/** Returns the message that an entry brings. */
function mailOf(
  entry: WrittenEntry,
  path: Path,
  enclosed: ReadonlyMap<object, Enclosed>,
): BroughtMail | undefined {
  const { receive, send } = entry
  const mail = receive ?? send
  if (!mail) return undefined
  const { thread, subject } = mail
  const inFile = (receive && enclosed.get(receive)?.eml?.to.map(({ address }) => address)) ?? []
  const agents = [receive ? (receive.to ?? []) : (send?.from ?? [])].flat()
  const own = { name: mail.key, path: [...path, receive ? 'receive' : 'send', 'key'] }
  const { name, path: at } = mail.key === undefined ? { name: entry.key, path: [...path, 'key'] } : own
  return {
    agents,
    inFile,
    thread,
    subject,
    isSent: !receive,
    key: name === undefined ? undefined : { name, path: at },
  }
}
