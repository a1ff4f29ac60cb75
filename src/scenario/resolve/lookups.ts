import type { Extensions } from '../../contract/extensions.js'
import { listOf, nearestOf } from '../../contract/text.js'
import {
  keyOf,
  mostFound,
  noIdentity,
  noSuch,
  type Path,
  type ProblemAt,
  quoted,
} from '../problems/problem.js'
import type { KeyedMessage, KeyedThread, MessageFilter, Names, Occurrence } from './names.js'
import type { Agent } from './parts.js'

/** A thread that something refers to. */
export interface ThreadWanted {
  readonly key: string
  /** Whose it is, where that is said. */
  readonly owner?: Agent | undefined
  /** The key that would say whose it is. */
  readonly ownerKey: 'identity' | 'to' | 'from'
  /** Whether mail could begin it, if it had a subject. */
  readonly couldBegin?: boolean
}

/** Looks names up, and collects a problem for each that stands for nothing or for several things. */
export class Lookups {
  readonly names: Names
  readonly extensions: Extensions
  readonly problems: ProblemAt[] = []

  constructor(names: Names, extensions: Extensions) {
    this.names = names
    this.extensions = extensions
  }

  /** Whether so many problems are found that no more are looked for. */
  get isFull(): boolean {
    return this.problems.length >= mostFound
  }

  /** Adds a problem of a value, or of the key itself. */
  problem(path: Path, message: ProblemAt['message'], part: 'key' | 'value' = 'value'): void {
    this.problems.push({ path, part, message })
  }

  /** The agent of a handle, where one is given. */
  agent(handle: string | undefined, path: Path): Agent | undefined | 'unknown' {
    if (handle === undefined) return undefined
    const found = this.names.agent(handle)
    if (!found) this.problem(path, () => noIdentity(handle, this.names.handles))
    return found ?? 'unknown'
  }

  /** The one thread of a key: in the mailbox of its owner, or in the only one that has it. An entry (`by`) refers to none that begins later. */
  thread(wanted: ThreadWanted, path: Path, by?: Occurrence): KeyedThread | undefined {
    const found = this.names.threads(wanted.key, wanted.owner)
    if (found.length === 1) {
      this.checkNotLater(by, found[0]?.begunBy, `the thread ${quoted(wanted.key)} begins`, path)
      return found[0]
    }
    if (found.length === 0) this.problem(path, () => this.#noThread(wanted))
    else {
      const owners = listOf(found.map(({ owner }) => owner.handle))
      const message = `several mailboxes have a thread ${quoted(wanted.key)}, those of ${owners}`
      this.problem(path, `${message}; say whose it is with "${wanted.ownerKey}"`)
    }
    return undefined
  }

  /** Adds a problem for something that an entry refers to and that happens later. */
  checkNotLater(
    occurrence: Occurrence | undefined,
    cause: Occurrence | undefined,
    what: string,
    path: Path,
  ): void {
    if (!occurrence || !cause || cause.offset <= occurrence.offset) return
    const { after, at, when } = cause.entry
    const then = after === undefined ? `at ${at}` : `${after} after the start`
    const how = when ? 'when something else happens' : then
    this.problem(path, `${what} later, ${how}, with ${keyOf(cause.path)}`)
  }

  /** The one message of a key; one of which there is none, or which may be one of several, is a problem. */
  message(key: string, where: Omit<MessageFilter, 'key'>, path: Path): KeyedMessage | undefined {
    const found = this.names.messages({ ...where, key })
    // Two of one thread are a problem already.
    const places = new Set(found.map((message) => placeOf(message)))
    if (places.size === 1) return found[0]
    if (places.size === 0) this.problem(path, () => this.#noMessage(key, where))
    else {
      const message = `there are ${places.size} messages ${quoted(key)}`
      this.problem(path, `${message}; say which is meant with "thread" or "identity"`)
    }
    return undefined
  }

  #noMessage(key: string, where: Omit<MessageFilter, 'key'>): string {
    const { thread } = where
    const what = thread === undefined ? 'message' : `message in the thread ${quoted(thread)} by the key`
    return noSuch(
      what,
      key,
      this.names.messages(where).map((message) => message.key),
    )
  }

  #noThread({ key, owner, couldBegin }: ThreadWanted): string {
    const missing = `there is no thread ${quoted(key)}${owner ? ` in the mailbox of ${owner.handle}` : ''}`
    const elsewhere = this.names.threads(key).map((thread) => thread.owner.handle)
    const hint =
      elsewhere.length > 0
        ? `; there is one in that of ${listOf(elsewhere)}`
        : nearestOf(key, this.names.threadKeys(owner))
    if (!couldBegin) return `${missing}${hint}`
    return `${missing}${hint}${hint.endsWith('?') ? '' : '.'} A message that begins a thread has a subject`
  }
}

/** The thread a message is in, as a text. */
export function placeOf({ owner, thread, path }: KeyedMessage): string {
  return JSON.stringify([owner.path, thread ?? path])
}
