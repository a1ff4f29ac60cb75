import { parseDuration, parseInstant } from '../../world/index.js'
import type { ScenarioPath } from '../building/building.js'
import type { Scenario, ScenarioTimelineEntry } from '../format/index.js'

/** Mail that an entry of the timeline brings into mailboxes. */
export interface OccurringMail {
  /** Handles or addresses, as the entry has them; none where it names nobody. */
  readonly agents: readonly string[]
  readonly thread: string | undefined
  readonly subject: string | undefined
  /** What it goes by: its own key, or else that of the entry; and where that stands. */
  readonly key: { readonly name: string; readonly path: ScenarioPath } | undefined
}

/** An entry of the timeline with its time. */
export interface Occurrence {
  readonly entry: ScenarioTimelineEntry
  readonly path: ScenarioPath
  /** Milliseconds after the start; below zero before it. */
  readonly offset: number
  readonly mail: OccurringMail | undefined
}

/** The entries of a timeline, in the order of the file. */
export function occurrencesOf({ timeline, start }: Scenario): Occurrence[] {
  const begin = parseInstant(start) as number
  return timeline.map((entry, index) => {
    const { after, at } = entry
    const offset = after === undefined ? (parseInstant(at ?? '') ?? begin) - begin : parseDuration(after)
    const path = ['timeline', index]
    return { entry, path, offset: offset ?? 0, mail: mailOf(entry, path) }
  })
}

function mailOf(entry: ScenarioTimelineEntry, path: ScenarioPath): OccurringMail | undefined {
  const { receive, send } = entry
  const mail = receive ?? send
  if (!mail) return undefined
  const agents = [receive ? (receive.to ?? []) : (send?.from ?? [])].flat()
  const own = { name: mail.key, path: [...path, receive ? 'receive' : 'send', 'key'] }
  const { name, path: at } = mail.key === undefined ? { name: entry.key, path: [...path, 'key'] } : own
  const key = name === undefined ? undefined : { name, path: at }
  return { agents, thread: mail.thread, subject: mail.subject, key }
}
