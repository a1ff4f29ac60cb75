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
    if (read) this.#mark(read, [...path, 'read'])
    if (unread) this.#mark(unread, [...path, 'unread'])
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

  #mark({ thread: key, identity }: Action<'read'>, path: ScenarioPath): void {
    const owner = this.#lookups.agent(identity, [...path, 'identity'])
    if (identity !== undefined && !owner) return
    this.#thread({ key, owner, ownerKey: 'identity' }, [...path, 'thread'])
  }

  #outcome(outcome: Action<'bounce'>, path: ScenarioPath): void {
    const { thread: key, identity, message, recipient } = outcome
    this.#inTurn(recipient, [...path, 'recipient'])
    const owner = this.#lookups.agent(identity, [...path, 'identity'])
    if (identity !== undefined && !owner) return
    const wanted = { key: key ?? '', owner, ownerKey: 'identity' } as const
    const thread = key === undefined ? undefined : this.#thread(wanted, [...path, 'thread'])
    if (message === undefined || (key !== undefined && !thread)) return
    this.#sent(message, { owner: thread?.owner ?? owner, thread: key }, [...path, 'message'])
  }

  /** Recipients of whom each has their turn. */
  #inTurn(recipient: Action<'bounce'>['recipient'], path: ScenarioPath): void {
    const { times = 1 } = this.#occurrence.entry.repeat ?? {}
    const { length } = [recipient ?? []].flat()
    if (length <= times) return
    const message = `lists ${length} recipients, and it happens ${times === 1 ? 'once' : `${times} times`}`
    this.#lookups.problem(path, `${message}; "repeat: { times: ${length}, every: … }" gives each their turn`)
  }

  /** A message that an agent has sent by then. */
  #sent(key: string, where: Parameters<Lookups['message']>[1], path: ScenarioPath): void {
    const message = this.#lookups.message(key, where, path)
    if (message?.isSent === false) {
      const what = `the message ${quoted(key)} comes in`
      this.#lookups.problem(path, `${what}; only mail that an agent sends is delivered or bounces`)
    } else this.#notLater(message?.broughtBy, `the message ${quoted(key)} is sent`, path)
  }

  /** A thread that is there by then. */
  #thread(wanted: ThreadWanted, path: ScenarioPath): NamedThread | undefined {
    const thread = this.#lookups.thread(wanted, path)
    this.#notLater(thread?.begunBy, `the thread ${quoted(wanted.key)} begins`, path)
    return thread
  }

  /** Notes something that does not happen before this entry does. */
  #notLater(cause: Occurrence | undefined, what: string, path: ScenarioPath): void {
    if (!cause || cause.offset <= this.#occurrence.offset) return
    const { after, at } = cause.entry
    const when = after === undefined ? `at ${at}` : `${after} after the start`
    this.#lookups.problem(path, `${what} later, ${when}, with ${keyOf(cause.path)}`)
  }
}

const nobody = 'is missing; expected the handle of an agent, because the scenario has several'
