import type { ScenarioPath } from '../building/building.js'
import { quoted } from '../problems/found-value.js'
import type { ProblemAt } from '../problems/refusal.js'
import { listOf, nearestOf, noIdentity, noSuch } from './no-such.js'
import type { NamedAgent, NamedMessage, NamedThread, StoryNames } from './story-names.js'

/** How a thread is spoken of. */
export interface ThreadWanted {
  readonly key: string
  /** Whose it is, where that is said. */
  readonly owner?: NamedAgent | undefined
  /** The key that would say whose it is. */
  readonly ownerKey: 'identity' | 'to' | 'from'
  /** Whether mail could begin it, if it had a subject. */
  readonly couldBegin?: boolean
}

/** Looks names up, and notes those that stand for nothing or for several things. */
export class Lookups {
  readonly names: StoryNames
  readonly problems: ProblemAt[] = []

  constructor(names: StoryNames) {
    this.names = names
  }

  /** Notes a problem of a value, or of the key itself. */
  problem(path: ScenarioPath, message: string, part: 'key' | 'value' = 'value'): void {
    this.problems.push({ path, part, message })
  }

  /** The agent of a handle, where one is given. */
  agent(handle: string | undefined, path: ScenarioPath): NamedAgent | undefined {
    if (handle === undefined) return undefined
    const found = this.names.agent(handle)
    if (!found) this.problem(path, noIdentity(handle, this.#handles))
    return found
  }

  /** The one thread of a key: in the mailbox of its owner, or in the only one that has it. */
  thread(wanted: ThreadWanted, path: ScenarioPath): NamedThread | undefined {
    const [found, ...others] = this.names.threads(wanted.key, wanted.owner)
    if (!found) this.problem(path, this.#noThread(wanted))
    if (!found || others.length === 0) return found
    const owners = listOf([found, ...others].map(({ owner }) => owner.handle))
    this.problem(
      path,
      `several mailboxes have a thread ${quoted(wanted.key)}, those of ${owners}; say whose it is with "${wanted.ownerKey}"`,
    )
    return undefined
  }

  /** The one message of a key; one of which there is none, or which may be one of several, is a problem. */
  message(
    key: string,
    where: Parameters<StoryNames['messages']>[0],
    path: ScenarioPath,
  ): NamedMessage | undefined {
    const messages = this.names.messages(where)
    const found = messages.filter((message) => message.key === key)
    // Two of one thread are a problem already.
    const places = new Set(
      found.map(({ owner, thread, path: own }) => JSON.stringify([owner.path, thread ?? own])),
    )
    if (places.size === 0) {
      const what =
        where.thread === undefined ? 'message' : `message in the thread ${quoted(where.thread)} by the key`
      const known = messages.map((message) => message.key)
      this.problem(path, noSuch(what, key, known))
    }
    if (places.size > 1) {
      this.problem(
        path,
        `there are ${places.size} messages ${quoted(key)}; say which is meant with "thread" or "identity"`,
      )
    }
    return places.size === 1 ? found[0] : undefined
  }

  get #handles(): string[] {
    return this.names.agents.map(({ handle }) => handle)
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
