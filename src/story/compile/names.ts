import { keyOf, type Path, quoted } from '../../base/mistake.js'
import type { z } from '../../base/schema.js'
import { expectedOneOf, listOf } from '../../base/text.js'
import { type Extensions, everyOperationName, noExtensions } from '../../contract/extensions.js'
import { idOf } from '../../service/time/random.js'
import type { EntryFrame, entryFields } from '../format/entry.js'
import { noIdentity, noSuch, type ProblemAt } from '../read/problem.js'
import { type Agent, nameParts } from './parts.js'

/** A thread or a message that has a key. */
interface Keyed {
  readonly key: string
  readonly id: string
  readonly owner: Agent
}

/** A thread that has a key. */
export interface KeyedThread extends Keyed {
  /** The name of the stream that draws the person who writes in it. */
  readonly name: string
  /** The timeline entry whose message begins it; undefined for a written thread. */
  readonly begunBy: ResolvedEntry | undefined
}

/** A message that has a key. */
export interface KeyedMessage extends Keyed {
  readonly thread: string | undefined
  /** The path of its key. */
  readonly path: Path
  /** Whether its agent sends it; undefined if that depends on its file. */
  readonly isSent: boolean | undefined
  /** The timeline entry that brings it; undefined for a written message. */
  readonly broughtBy: ResolvedEntry | undefined
}

/** A message that a timeline entry brings, with what others may call it. */
export interface BroughtMail {
  /** The handles or addresses of the agents that it states. */
  readonly agents: readonly string[]
  /** The recipients in its .eml file, used if it states none and one of them is an agent. */
  readonly inFile: readonly string[]
  readonly thread: string | undefined
  readonly subject: string | undefined
  /** The key of the message, or else of its entry, with its path. */
  readonly key: { readonly name: string; readonly path: Path } | undefined
  /** Whether an agent sends it. */
  readonly isSent: boolean
}

/** A timeline entry with its name and time. */
export interface ResolvedEntry {
  readonly entry: EntryFrame
  /** Its key or another unique name, which names the streams that its values are drawn from. */
  readonly name: string
  readonly path: Path
  /** Milliseconds after the start, negative before it; infinite if it waits for something. */
  readonly offset: number
  readonly mail: BroughtMail | undefined
}

/** Returns the names of the entries of a timeline, in order. */
export function namesOfEntries(timeline: readonly EntryNames[]): string[] {
  return nameParts(timeline, nameOfEntry).map(([name]) => name)
}

/** The parts of an entry that name it; its last key, what happens, does as well. */
interface EntryNames extends Partial<Omit<EntryFrame, 'when' | 'repeat'>> {
  readonly when?: EntryFrame['when'] | z.input<typeof entryFields.when>
  readonly repeat?: unknown
}

/** Returns the name of an entry, from which its ids follow. */
function nameOfEntry(entry: EntryNames): string {
  const { key, describe: _, repeat: __, event_delay: ___, after, at, when, ...action } = entry
  const moment = when ? `${when.request ?? when.delivery ?? 'sent'} ${when.nth ?? 1}` : (after ?? at)
  return key ?? `${moment} ${Object.keys(action)[0]}`
}

/**
 * The names in a scenario: agents by handle or address, threads and messages by key, including those that
 * messages of the timeline bring.
 */
export class Names {
  /** Every agent in the order of the file; those of additional organizations come last. */
  readonly agents: readonly Agent[]
  readonly handles: readonly string[]
  readonly #byHandle: ReadonlyMap<string, Agent>
  readonly #byAddress: ReadonlyMap<string, Agent>
  readonly #threads = new Map<string, KeyedThread[]>()
  readonly #messages = new Map<string, KeyedMessage[]>()
  readonly #seed: number

  constructor(agents: readonly Agent[], resolvedEntries: readonly ResolvedEntry[], seed: number) {
    this.agents = agents
    this.#seed = seed
    this.handles = this.agents.map(({ handle }) => handle)
    this.#byHandle = new Map(agents.map((agent) => [agent.handle, agent]))
    this.#byAddress = new Map(agents.map((agent) => [agent.address.toLowerCase(), agent]))
    for (const agent of this.agents) this.#addWritten(agent)
    for (const resolvedEntry of resolvedEntries) this.#addBegun(resolvedEntry)
    for (const resolvedEntry of resolvedEntries) this.#addMail(resolvedEntry)
  }

  /** Finds the agent of a handle, with or without `@`, or of a mailbox address, ignoring its case. */
  agent(name: string): Agent | undefined {
    if (name.lastIndexOf('@') > 0) return this.#byAddress.get(name.toLowerCase())
    return this.#byHandle.get(name.replace(/^@/, ''))
  }

  /** The agent, if the scenario has only one. */
  get onlyAgent(): Agent | undefined {
    return this.agents.length === 1 ? this.agents[0] : undefined
  }

  threads(key: string, owner?: Agent): readonly KeyedThread[] {
    const all = this.#threads.get(key) ?? []
    return owner ? all.filter((thread) => thread.owner === owner) : all
  }

  threadKeys(owner?: Agent): string[] {
    return [...this.#threads].flatMap(([key, threads]) => {
      return !owner || threads.some((thread) => thread.owner === owner) ? [key] : []
    })
  }

  /** Returns the messages that match a filter. */
  messages({ key, owner, thread }: MessageFilter): KeyedMessage[] {
    const all = key === undefined ? [...this.#messages.values()].flat() : (this.#messages.get(key) ?? [])
    return all.filter((message) => {
      return (!owner || message.owner === owner) && (thread === undefined || message.thread === thread)
    })
  }

  #addWritten(owner: Agent): void {
    for (const { id, name, thread, messages } of owner.threads) {
      if (thread.key !== undefined)
        addTo(this.#threads, { key: thread.key, owner, id, name, begunBy: undefined })
      for (const part of messages) {
        const { key, direction, eml, maildir } = part.message
        if (key === undefined) continue
        const isFile = (eml ?? maildir) !== undefined
        addTo(this.#messages, {
          key,
          id: part.id,
          owner,
          thread: thread.key,
          path: [...part.path, 'key'],
          isSent: direction === undefined && isFile ? undefined : direction === 'outbound',
          broughtBy: undefined,
        })
      }
    }
  }

  /** A message with a subject begins a thread in each mailbox that has none with that key. */
  #addBegun(resolvedEntry: ResolvedEntry): void {
    const { mail } = resolvedEntry
    if (mail?.thread === undefined || mail.subject === undefined) return
    for (const owner of this.#named(mail) ?? [this.onlyAgent]) {
      if (!owner || this.threads(mail.thread, owner).length > 0) continue
      const name = `${owner.id}/timeline/${mail.thread}`
      const id = idOf('thread', this.#seed, name)
      addTo(this.#threads, { key: mail.thread, id, name, owner, begunBy: resolvedEntry })
    }
  }

  #addMail(resolvedEntry: ResolvedEntry): void {
    const { mail } = resolvedEntry
    if (mail?.key === undefined) return
    const { key, thread } = mail
    const own = { key: key.name, thread, path: key.path, isSent: mail.isSent, broughtBy: resolvedEntry }
    const inThread = thread === undefined ? [this.onlyAgent] : this.threads(thread).map(({ owner }) => owner)
    const owners = this.#named(mail) ?? inThread
    for (const owner of owners) {
      if (!owner) continue
      const name = nameInMailbox(`timeline/${resolvedEntry.name}`, owner, owners.length)
      addTo(this.#messages, { ...own, id: idOf('message', this.#seed, name), owner })
    }
  }

  #named({ agents, inFile }: BroughtMail): (Agent | undefined)[] | undefined {
    if (agents.length > 0) return [...new Set(agents.map((name) => this.agent(name)))]
    const found = new Set(inFile.flatMap((address) => this.agent(address) ?? []))
    return found.size === 0 ? undefined : [...found]
  }
}

/** A filter for messages; an omitted criterion matches all. */
export interface MessageFilter {
  readonly key?: string | undefined
  readonly owner?: Agent | undefined
  readonly thread?: string | undefined
}

function addTo<Keyed extends { readonly key: string }>(all: Map<string, Keyed[]>, keyed: Keyed): void {
  const same = all.get(keyed.key)
  if (same) same.push(keyed)
  else all.set(keyed.key, [keyed])
}

/**
 * Returns the name from which ids of a message are derived; with several mailboxes, each has its own message.
 */
export function nameInMailbox(name: string, owner: Agent, mailboxes: number): string {
  return mailboxes > 1 ? `${name}/${owner.handle}` : name
}

/** A reference to a thread. */
interface ThreadWanted {
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
  readonly problems: ProblemAt[]

  /** `problems` gets the problems that are found. */
  constructor(names: Names, extensions: Extensions, problems: ProblemAt[] = []) {
    this.names = names
    this.extensions = extensions
    this.problems = problems
  }

  /** Adds a problem with a value, or with the key itself. */
  problem(path: Path, message: ProblemAt['message'], part: 'key' | 'value' = 'value'): void {
    this.problems.push({ path, part, message })
  }

  /** Adds a problem if there is no operation of a name. */
  checkOperation(name: string | undefined, path: Path): void {
    const known = everyOperationName(this.extensions)
    if (name === undefined || known.includes(name)) return
    const more = this.extensions === noExtensions ? '; with "extend: common", there are more' : ''
    this.problem(path, () => `${noSuch('operation', name, known)}${more}`)
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
      this.checkNotLater(by, found[0]?.begunBy, () => `the thread ${quoted(wanted.key)} begins`, path)
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
    what: () => string,
    path: Path,
  ): void {
    if (!resolvedEntry || !cause || cause.offset <= resolvedEntry.offset) return
    const { after, at, when } = cause.entry
    const then = after === undefined ? `at ${at}` : `${after} after the start`
    const how = when ? 'when something else happens' : then
    this.problem(path, `${what()} later, ${how}, with ${keyOf(cause.path)}; give this entry a later time`)
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
