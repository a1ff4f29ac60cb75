import { didYouMean } from '../../contract/nearest.js'
import { once } from '../../contract/once.js'
import type { IdentityRow, MailboxStore } from '../../model/index.js'
import { type Building, idFor, inLocale, type ScenarioPath, somebody } from '../building/building.js'
import { nameParts } from '../building/names.js'
import type { WrittenMessage, WrittenThread } from '../building/written-threads.js'
import { identitiesOf } from '../format/identities-of.js'
import type { Scenario, ScenarioTimelineEntry } from '../format/index.js'
import type { Locale } from '../wording/locale-names.js'

/** What it takes for mail to begin a thread that others speak of. */
interface BeginningMail {
  readonly thread?: string | undefined
  readonly subject?: string | undefined
}

/** How a message is spoken of: by its key, and whose and in which thread it is, where that is said. */
export interface MessageWanted {
  readonly key: string
  readonly thread?: string | undefined
  readonly owner?: IdentityRow | undefined
}

/** Who and what the entries of a timeline are about: agents by handle or address, threads by key. */
export class Cast {
  readonly building: Building
  /** The entries in the order of the file, each with its name. */
  readonly entries: readonly (readonly [name: string, entry: ScenarioTimelineEntry])[]
  readonly #store: MailboxStore
  readonly #locales: ReadonlyMap<string, Locale | undefined>

  constructor(building: Building, scenario: Scenario, store: MailboxStore) {
    this.building = building
    this.#store = store
    this.#locales = new Map(
      identitiesOf(scenario)
        .toReversed()
        .map(({ handle, locale }) => [handle, locale]),
    )
    this.entries = nameParts(scenario.timeline, nameOfEntry)
    for (const [name, { receive, send }] of this.entries) {
      if (receive) this.#begin(name, receive, [receive.to ?? []].flat())
      if (send) this.#begin(name, send, [send.from ?? []].flat())
    }
  }

  /** The building with the language of an agent's mailbox in force. */
  inLocaleOf({ agent_handle }: IdentityRow): Building {
    return inLocale(this.building, this.#locales.get(agent_handle))
  }

  /** The handles of all agents. */
  get handles(): readonly string[] {
    return [...this.#store.all('identity')].map(({ agent_handle }) => agent_handle)
  }

  /** The agent of a handle, with or without its @, or of a mailbox address. */
  agent(name: string): IdentityRow | undefined {
    if (name.lastIndexOf('@') > 0) return this.#store.identityByMailboxAnywhere(name)
    return this.#store.identityAnywhere(name.replace(/^@/, ''))
  }

  /** The agent of that id. */
  agentOfId(id: string): IdentityRow | undefined {
    return this.#store.get('identity', id)
  }

  /** The agent of a handle; a handle nobody has is a problem. */
  existingAgent(handle: string, path: ScenarioPath): IdentityRow | undefined {
    const identity = this.agent(handle)
    if (!identity) {
      const hint = didYouMean(handle, this.handles) || `; there is ${this.handles.join(', ') || 'none'}`
      this.building.problem(path, `there is no identity with the handle "${handle}"${hint}`)
    }
    return identity
  }

  /** The agent, where the scenario has but one. */
  onlyAgent(): IdentityRow | undefined {
    const [first, ...others] = this.#store.all('identity')
    return others.length === 0 ? first : undefined
  }

  /** Threads of that key, of an agent or of everybody: written ones, and those that mail of it begins. */
  threads(key: string, owner?: IdentityRow): readonly WrittenThread[] {
    const all = this.building.written.all(key)
    return owner ? all.filter(({ identity }) => identity.id === owner.id) : all
  }

  /** The one thread of that key; one that is in no mailbox, or in several, is a problem. */
  thread(key: string, owner: IdentityRow | undefined, path: ScenarioPath): WrittenThread | undefined {
    const threads = this.threads(key, owner)
    const [only, ...others] = threads
    const handles = threads.map(({ identity }) => identity.agent_handle).join(' and ')
    if (!only) this.building.problem(path, `there is no thread "${key}"; mail that begins one has a subject`)
    if (others.length === 0) return only
    this.building.problem(path, `the mailboxes of ${handles} have a thread "${key}" each; say whose it is`)
    return undefined
  }

  /** The one message of that key; one that there is not, or of which there are several, is a problem. */
  message({ key, thread, owner }: MessageWanted, path: ScenarioPath): WrittenMessage | undefined {
    const found = this.building.written.messages(key).filter((message) => {
      const inThread = thread === undefined || message.thread === thread
      return inThread && (!owner || message.identity.id === owner.id)
    })
    const [only, ...others] = found
    if (!only) this.building.problem(path, `there is no message "${key}"`)
    if (others.length === 0) return only
    this.building.problem(path, `there are ${found.length} messages "${key}"; say which is meant`)
    return undefined
  }

  /** Somebody from outside, the same for the same name. */
  somebody(identity: IdentityRow, name: string): string {
    return somebody(this.inLocaleOf(identity), name)
  }

  /** Notes that mail with a subject begins a thread in each mailbox that has none of that key. */
  #begin(entry: string, { thread: key, subject }: BeginningMail, names: readonly string[]): void {
    if (key === undefined || subject === undefined) return
    const owners = names.length === 0 ? [this.onlyAgent()] : names.map((name) => this.agent(name))
    for (const identity of owners) {
      if (!identity || this.threads(key, identity).length > 0) continue
      const name = `${identity.id}/timeline/${key}`
      const id = idFor(this.building, 'thread', name)
      const outside = once(() => this.somebody(identity, name))
      const subjectFrom = `timeline/${entry}/subject`
      this.building.written.add(key, { id, identity, outside, subjectFrom })
    }
  }
}

/** The key of an entry, or what tells it from the others. */
function nameOfEntry({ key, describe: _, repeat: __, after, at, ...action }: ScenarioTimelineEntry): string {
  return key ?? `${after ?? at} ${Object.keys(action)[0]}`
}
