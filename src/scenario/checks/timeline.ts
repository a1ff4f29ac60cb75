import { defaultReadings } from '../../contract/gaps.js'
import { formatInstant, ReadingError, withChoices } from '../../world/index.js'
import type { ScenarioPath } from '../building/building.js'
import type { ScenarioTimelineEntry } from '../format/index.js'
import { quoted } from '../problems/found-value.js'
import { keyOf } from '../problems/places.js'
import type { ProblemAt } from '../problems/refusal.js'
import { Lookups, type ThreadWanted } from './lookups.js'
import { nearestOf, noIdentity } from './no-such.js'
import type { Occurrence } from './occurrences.js'
import type { Check } from './story.js'
import type { NamedAgent, NamedThread } from './story-names.js'

type Action<Name extends keyof ScenarioTimelineEntry> = NonNullable<ScenarioTimelineEntry[Name]>

/** Entries before the start, and those that speak of what is not there, or not there yet. */
export const checkTimeline: Check = ({ names, occurrences, start }) => {
  const lookups = new Lookups(names)
  for (const occurrence of occurrences) {
    const { entry, path, offset } = occurrence
    if (entry.at !== undefined && offset < 0) {
      lookups.problem([...path, 'at'], `is before the start of the story, ${formatInstant(start, 'seconds')}`)
    }
    new EntryCheck(lookups, occurrence).run()
    for (const [gap, reading] of Object.entries(entry.readings ?? {})) {
      lookups.problems.push(...wrongReading(gap, reading, [...path, 'readings', gap]))
    }
  }
  return lookups.problems
}

function wrongReading(gap: string, reading: string, path: ScenarioPath): ProblemAt[] {
  try {
    withChoices(defaultReadings, { [gap]: reading })
    return []
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error
    return [{ path, part: error.code === 'unknown-gap' ? 'key' : 'value', message: error.message }]
  }
}

/** Looks at what one entry has happen. */
class EntryCheck {
  readonly #lookups: Lookups
  readonly #occurrence: Occurrence

  constructor(lookups: Lookups, occurrence: Occurrence) {
    this.#lookups = lookups
    this.#occurrence = occurrence
  }

  run(): void {
    const { entry, path } = this.#occurrence
    const { receive, send, read, unread, update, deliver, bounce, fault } = entry
    if (receive) this.#receive(receive, [...path, 'receive'])
    if (send) this.#send(send, [...path, 'send'])
    if (read) this.#outcome(read, [...path, 'read'])
    if (unread) this.#outcome(unread, [...path, 'unread'])
    if (update) this.#lookups.agent(update.identity, [...path, 'update', 'identity'])
    if (deliver) this.#outcome(deliver, [...path, 'deliver'])
    if (bounce) this.#outcome(bounce, [...path, 'bounce'])
    if (fault) this.#lookups.agent(fault.handle, [...path, 'fault', 'handle'])
  }

  #receive(receive: Action<'receive'>, path: ScenarioPath): void {
    const { to, thread, subject, eml } = receive
    const agents = to === undefined ? [] : this.#recipients(to, [...path, 'to'])
    const couldBegin = subject === undefined
    if (thread !== undefined && (to === undefined || agents.length > 0)) {
      const owners = to === undefined ? [undefined] : agents
      for (const owner of owners) {
        this.#thread({ key: thread, owner, ownerKey: 'to', couldBegin }, [...path, 'thread'])
      }
    }
    // An .eml file may say whom it is for.
    const isForSomebody = to !== undefined || thread !== undefined || eml !== undefined
    if (!isForSomebody && !this.#lookups.names.onlyAgent) this.#lookups.problem([...path, 'to'], nobody)
  }

  /** The agents among the recipients; others are outside, and then there has to be an agent besides. */
  #recipients(to: string | readonly string[], path: ScenarioPath): NamedAgent[] {
    const names = [to].flat()
    const { names: known } = this.#lookups
    const agents = names.flatMap((name) => known.agent(name) ?? [])
    for (const [index, name] of names.entries()) {
      if (known.agent(name)) continue
      const isOutside = name.lastIndexOf('@') > 0
      if (isOutside && agents.length > 0) continue
      const place = typeof to === 'string' ? path : [...path, index]
      const handles = known.agents.map(({ handle }) => handle)
      const addresses = known.agents.map(({ address }) => address)
      const message = isOutside
        ? `no agent has the address ${quoted(name)}${nearestOf(name, addresses)}`
        : noIdentity(name, handles)
      this.#lookups.problem(place, message)
    }
    return [...new Set(agents)]
  }

  #send({ from, thread, subject }: Action<'send'>, path: ScenarioPath): void {
    const owner = this.#lookups.agent(from, [...path, 'from'])
    if (from !== undefined && !owner) return
    if (thread !== undefined) {
      const couldBegin = subject === undefined
      this.#thread({ key: thread, owner, ownerKey: 'from', couldBegin }, [...path, 'thread'])
    } else if (!owner && !this.#lookups.names.onlyAgent) this.#lookups.problem([...path, 'from'], nobody)
  }

  #outcome(outcome: Action<'bounce'>, path: ScenarioPath): void {
    const { thread: key, identity, message } = outcome
    const owner = this.#lookups.agent(identity, [...path, 'identity'])
    if (identity !== undefined && !owner) return
    const thread = this.#thread({ key, owner, ownerKey: 'identity' }, [...path, 'thread'])
    if (!thread || message === undefined) return
    this.#lookups.message(message, { owner: thread.owner, thread: key }, [...path, 'message'])
  }

  /** A thread that is there by then. */
  #thread(wanted: ThreadWanted, path: ScenarioPath): NamedThread | undefined {
    const thread = this.#lookups.thread(wanted, path)
    const begun = thread?.begunBy
    if (begun && begun.offset > this.#occurrence.offset) {
      const { after, at } = begun.entry
      const when = after === undefined ? `at ${at}` : `${after} after the start`
      this.#lookups.problem(
        path,
        `the thread ${quoted(wanted.key)} begins later, ${when}, with ${keyOf(begun.path)}`,
      )
    }
    return thread
  }
}

const nobody = 'is missing; expected the handle of an agent, because the scenario has several'
