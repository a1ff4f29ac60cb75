import { keyOf, type Path, quoted } from '../../base/mistake.js'
import { expectedOneOf, listOf } from '../../base/text.js'
import type { Extensions } from '../../contract/extensions.js'
import { maxFound, noIdentity, noSuch, type ProblemAt } from '../read/problem.js'
import type { KeyedMessage, KeyedThread, MessageFilter, Names, ResolvedEntry } from './names.js'
import type { Agent } from './parts.js'

/** A reference to a thread. */
export interface ThreadWanted {
  readonly key: string
  /** The owner of its mailbox, if stated. */
  readonly owner?: Agent | undefined
  /** The key that states the owner. */
  readonly ownerKey: 'identity' | 'to' | 'from'
  /** Whether a message with a subject could begin it. */
  readonly couldBegin?: boolean
}

/** A reference to an agent, a thread and a message, each by its name and all of them optional. */
interface TargetWanted {
  readonly identity?: string | undefined
  readonly thread?: string | undefined
  readonly message?: string | undefined
}

/** Looks up names, and collects a problem for each that is unknown or ambiguous. */
export class Lookups {
  readonly names: Names
  readonly extensions: Extensions
  readonly problems: ProblemAt[] = []

  constructor(names: Names, extensions: Extensions) {
    this.names = names
    this.extensions = extensions
  }

  /** Whether so many problems were found that the search stops. */
  get isFull(): boolean {
    return this.problems.length >= maxFound
  }

  /** Adds a problem with a value, or with the key itself. */
  problem(path: Path, message: ProblemAt['message'], part: 'key' | 'value' = 'value'): void {
    this.problems.push({ path, part, message })
  }

  /** Finds the agent with a handle; undefined if there is no handle. */
  agent(handle: string | undefined, path: Path): Agent | undefined | 'unknown' {
    if (handle === undefined) return undefined
    const found = this.names.agent(handle)
    if (!found) this.problem(path, () => noIdentity(handle, this.names.handles))
    return found ?? 'unknown'
  }

  /** Finds the one thread of a key, in the mailbox of its owner if stated; it must not begin after the entry `by`. */
  thread(wanted: ThreadWanted, path: Path, by?: ResolvedEntry): KeyedThread | undefined {
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

  /** Adds a problem if an entry refers to something that happens later. */
  checkNotLater(
    resolvedEntry: ResolvedEntry | undefined,
    cause: ResolvedEntry | undefined,
    what: string,
    path: Path,
  ): void {
    if (!resolvedEntry || !cause || cause.offset <= resolvedEntry.offset) return
    const { after, at, when } = cause.entry
    const then = after === undefined ? `at ${at}` : `${after} after the start`
    const how = when ? 'when something else happens' : then
    this.problem(path, `${what} later, ${how}, with ${keyOf(cause.path)}`)
  }

  /** Finds the one message of a key. */
  message(key: string, where: Omit<MessageFilter, 'key'>, path: Path): KeyedMessage | undefined {
    const found = this.names.messages({ ...where, key })
    // Two in the same thread are reported elsewhere.
    const places = new Set(found.map((message) => placeOf(message)))
    if (places.size === 1) return found[0]
    if (places.size === 0) this.problem(path, () => this.#noMessage(key, where))
    else {
      const message = `there are ${places.size} messages ${quoted(key)}`
      this.problem(path, `${message}; say which is meant with "thread" or "identity"`)
    }
    return undefined
  }

  /**
   * Finds what `identity`, `thread` and `message` name together; undefined if any of them is not found. The
   * thread must not begin after the entry `by`.
   */
  target({ identity, thread: key, message: messageKey }: TargetWanted, path: Path, by?: ResolvedEntry) {
    const owner = this.agent(identity, [...path, 'identity'])
    if (owner === 'unknown') return undefined
    const wanted = { key: key ?? '', owner, ownerKey: 'identity' } as const
    const thread = key === undefined ? undefined : this.thread(wanted, [...path, 'thread'], by)
    if (key !== undefined && !thread) return undefined
    const where = { owner: thread?.owner ?? owner, thread: key }
    const message =
      messageKey === undefined ? undefined : this.message(messageKey, where, [...path, 'message'])
    return messageKey !== undefined && !message ? undefined : { owner, thread, message }
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
        : expectedOneOf(key, this.names.threadKeys(owner))
    if (!couldBegin) return `${missing}${hint}`
    return `${missing}${hint}${hint.endsWith('?') ? '' : '.'} A message that begins a thread has a subject`
  }
}

/** Returns a text that identifies the thread of a message. */
export function placeOf({ owner, thread, path }: KeyedMessage): string {
  return JSON.stringify([owner.id, thread ?? path])
}
