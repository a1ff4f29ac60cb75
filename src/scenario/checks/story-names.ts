import type { ScenarioPath } from '../building/building.js'
import type { Scenario, ScenarioIdentity } from '../format/index.js'
import { type Occurrence, occurrencesOf } from './occurrences.js'

/** An agent as a story speaks of it. */
export interface NamedAgent {
  readonly handle: string
  readonly address: string
  /** Where its identity stands in the file. */
  readonly path: ScenarioPath
}

/** A thread with a key. */
export interface NamedThread {
  readonly key: string
  readonly owner: NamedAgent
  /** The entry of the timeline whose mail begins it; undefined where it is written. */
  readonly begunBy: Occurrence | undefined
}

/** A message with a key. */
export interface NamedMessage {
  readonly key: string
  readonly owner: NamedAgent
  /** The key of its thread, where that has one. */
  readonly thread: string | undefined
  /** Where its key stands. */
  readonly path: ScenarioPath
  /** Whether its agent sends it; undefined where only its file says so. */
  readonly isSent: boolean | undefined
  /** The entry of the timeline that brings it; undefined where it is written. */
  readonly broughtBy: Occurrence | undefined
}

/**
 * The names in a scenario: agents by handle or address, threads and messages by key, those included that mail of
 * the timeline brings. It answers before anything is built.
 */
export class StoryNames {
  /** Every agent, in the order of the file, those of further organizations last. */
  readonly agents: readonly NamedAgent[]
  readonly #byHandle = new Map<string, NamedAgent>()
  readonly #byAddress = new Map<string, NamedAgent>()
  readonly #threads = new Map<string, NamedThread[]>()
  readonly #messages: NamedMessage[] = []

  constructor(scenario: Scenario) {
    const identities = allIdentities(scenario)
    this.agents = identities.map(({ identity, path }) => agentOf(identity, path))
    for (const agent of this.agents) {
      if (!this.#byHandle.has(agent.handle)) this.#byHandle.set(agent.handle, agent)
      const address = agent.address.toLowerCase()
      if (!this.#byAddress.has(address)) this.#byAddress.set(address, agent)
    }
    for (const [index, { identity }] of identities.entries()) {
      this.#addWritten(identity, this.agents[index] as NamedAgent)
    }
    for (const occurrence of occurrencesOf(scenario)) this.#addBegun(occurrence)
    for (const occurrence of occurrencesOf(scenario)) this.#addMail(occurrence)
  }

  /** The agent of a handle, with or without its `@`, or of a mailbox address, whose case does not count. */
  agent(name: string): NamedAgent | undefined {
    if (name.lastIndexOf('@') > 0) return this.#byAddress.get(name.toLowerCase())
    return this.#byHandle.get(name.replace(/^@/, ''))
  }

  /** The agent, where the scenario has but one. */
  get onlyAgent(): NamedAgent | undefined {
    return this.agents.length === 1 ? this.agents[0] : undefined
  }

  /** The threads of a key, one for each mailbox that has it, or that of one mailbox. */
  threads(key: string, owner?: NamedAgent): readonly NamedThread[] {
    const all = this.#threads.get(key) ?? []
    return owner ? all.filter((thread) => thread.owner === owner) : all
  }

  /** The keys of the threads of one mailbox, or of all. */
  threadKeys(owner?: NamedAgent): string[] {
    return [...this.#threads.keys()].filter((key) => this.threads(key, owner).length > 0)
  }

  /** The messages that have a key, in one mailbox or one thread where these are given. */
  messages({
    owner,
    thread,
  }: {
    owner?: NamedAgent | undefined
    thread?: string | undefined
  }): NamedMessage[] {
    return this.#messages.filter((message) => {
      return (!owner || message.owner === owner) && (thread === undefined || message.thread === thread)
    })
  }

  #addWritten(identity: ScenarioIdentity, owner: NamedAgent): void {
    for (const [place, { key: thread, messages }] of identity.threads.entries()) {
      if (thread !== undefined) this.#addThread({ key: thread, owner, begunBy: undefined })
      for (const [index, { key, direction, eml, maildir }] of messages.entries()) {
        if (key === undefined) continue
        const path = [...owner.path, 'threads', place, 'messages', index, 'key']
        const isFile = (eml ?? maildir) !== undefined
        const isSent = direction === undefined && isFile ? undefined : direction === 'outbound'
        this.#messages.push({ key, owner, thread, path, isSent, broughtBy: undefined })
      }
    }
  }

  /** Mail with a subject begins a thread in each mailbox that has none of that key. */
  #addBegun(occurrence: Occurrence): void {
    const { mail } = occurrence
    if (mail?.thread === undefined || mail.subject === undefined) return
    for (const owner of this.#named(mail.agents) ?? [this.onlyAgent]) {
      if (owner && this.threads(mail.thread, owner).length === 0) {
        this.#addThread({ key: mail.thread, owner, begunBy: occurrence })
      }
    }
  }

  #addMail(occurrence: Occurrence): void {
    const { entry, mail } = occurrence
    if (mail?.key === undefined) return
    const { key, thread } = mail
    const own = { key: key.name, thread, path: key.path, isSent: !entry.receive, broughtBy: occurrence }
    const inThread = thread === undefined ? [this.onlyAgent] : this.threads(thread).map(({ owner }) => owner)
    for (const owner of this.#named(mail.agents) ?? inThread) {
      if (owner) this.#messages.push({ ...own, owner })
    }
  }

  #addThread(thread: NamedThread): void {
    this.#threads.set(thread.key, [...(this.#threads.get(thread.key) ?? []), thread])
  }

  /** The agents of these names; undefined where no names are given. */
  #named(names: readonly string[]): (NamedAgent | undefined)[] | undefined {
    return names.length === 0 ? undefined : [...new Set(names.map((name) => this.agent(name)))]
  }
}

/** Every identity of a scenario with its place, those of further organizations last. */
export function allIdentities(scenario: Scenario): { identity: ScenarioIdentity; path: ScenarioPath }[] {
  const households = [
    { identities: scenario.identities, at: [] },
    ...scenario.organizations.map(({ identities }, index) => ({ identities, at: ['organizations', index] })),
  ]
  return households.flatMap(({ identities, at }) => {
    return identities.map((identity, index) => ({ identity, path: [...at, 'identities', index] }))
  })
}

/** The address of an identity's mailbox, given or not. */
export function addressOf({ handle, mailbox_address: address }: ScenarioIdentity): string {
  return address ?? `${handle.toLowerCase()}@agents.example`
}

function agentOf(identity: ScenarioIdentity, path: ScenarioPath): NamedAgent {
  return { handle: identity.handle, address: addressOf(identity), path }
}
