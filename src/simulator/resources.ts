import type { EventType } from '../contract/events.js'
import type { Identity, Thread, Webhook } from '../contract/resources.js'
import type { MailboxStore } from '../model/index.js'
import {
  CommandError,
  type Receiver,
  renderIdentity,
  renderThread,
  renderWebhook,
  secretOf,
} from '../world/index.js'
import type { View } from './view.js'

/** An agent to be added. */
export interface IdentityInput {
  readonly handle: string
  /** The handle when it is left out. */
  readonly displayName?: string
  readonly description?: string
  /** `<handle>@agents.example` when it is left out. */
  readonly mailboxAddress?: string
}

/** What a list holds. */
export interface ListOptions {
  /** Whether it holds what belongs to any organization, rather than to the first. */
  readonly everywhere?: boolean
}

function organizationsOf(store: MailboxStore, { everywhere = false }: ListOptions): string[] {
  return everywhere ? [...store.all('organization')].map(({ id }) => id) : [store.firstOrganization().id]
}

function everyId(list: ReturnType<MailboxStore['identities']>): string[] {
  return list.page({ order: 'created', offset: 0, limit: list.count })
}

/** Which threads a list holds. */
export interface ThreadListOptions extends ListOptions {
  /** The handle of the agent whose mailbox they are in. */
  readonly agent?: string
}

function noAgent(handle: string): CommandError {
  return new CommandError('not-found', `There is no agent "${handle}" in this world.`)
}

/** The agents of a world. */
export class Identities {
  readonly #view: View

  constructor(view: View) {
    this.#view = view
  }

  /** Adds an agent with an empty mailbox. @throws CommandError `conflict`, `invalid` */
  create({ handle, displayName, description, mailboxAddress }: IdentityInput): Identity {
    const row = this.#view.world.apply({
      type: 'create-identity',
      agent_handle: handle,
      ...(displayName !== undefined && { display_name: displayName }),
      ...(description !== undefined && { description }),
      ...(mailboxAddress !== undefined && { mailbox_address: mailboxAddress }),
    })
    return this.#view.show(row, renderIdentity)
  }

  /** The agents the simulator's own `apiKey` reaches, or those of every organization, in the order they were added. */
  list(options: ListOptions = {}): Identity[] {
    const { store } = this.#view.world
    return organizationsOf(store, options).flatMap((id) => {
      const rows = store.rows('identity', everyId(store.identities(id)))
      return rows.map((row) => this.#view.show<typeof row, Identity>(row, renderIdentity))
    })
  }

  /** The agent of that handle or id. @throws CommandError `not-found` */
  get(handle: string): Identity {
    return this.#view.show(this.#row(handle), renderIdentity)
  }

  /** Removes an agent, by its handle or id, with its mailbox. @throws CommandError `not-found` */
  delete(handle: string): void {
    this.#view.world.apply({ type: 'delete-identity', identity_id: this.#row(handle).id })
  }

  #row(handle: string) {
    const { store } = this.#view.world
    const row = store.identityAnywhere(handle.replace(/^@/, '')) ?? store.get('identity', handle)
    if (row) return row
    throw noAgent(handle)
  }
}

/** The threads of a world. */
export class Threads {
  readonly #view: View

  constructor(view: View) {
    this.#view = view
  }

  /**
   * The threads the simulator's own `apiKey` reaches, those of every organization or those of one agent; the
   * one with the latest message first.
   * @throws CommandError `not-found` where there is no such agent
   */
  list({ agent, ...options }: ThreadListOptions = {}): Thread[] {
    const { store } = this.#view.world
    const scopes = agent === undefined ? organizationsOf(store, options) : [this.#agent(agent)]
    const threads = store.threads(...scopes)
    const ids = threads.page({ order: 'last-message', descending: true, offset: 0, limit: threads.count })
    return store.rows('thread', ids).map((row) => this.#view.show<typeof row, Thread>(row, renderThread))
  }

  /** The thread of that id. @throws CommandError `not-found` */
  get(id: string): Thread {
    const row = this.#view.world.store.get('thread', id)
    if (!row) throw new CommandError('not-found', `There is no thread "${id}" in this world.`)
    return this.#view.show(row, renderThread)
  }

  /** Marks a thread read. @throws CommandError `not-found` */
  markRead(id: string): Thread {
    return this.#mark(id, false)
  }

  /** Marks a thread unread. @throws CommandError `not-found` */
  markUnread(id: string): Thread {
    return this.#mark(id, true)
  }

  #agent(handle: string): string {
    const row = this.#view.world.store.identityAnywhere(handle.replace(/^@/, ''))
    if (!row) throw noAgent(handle)
    return row.id
  }

  #mark(id: string, unread: boolean): Thread {
    const row = this.#view.world.apply({ type: 'set-thread-unread', thread_id: id, unread })
    return this.#view.show(row, renderThread)
  }
}

/** A subscription to be added. */
export interface WebhookInput {
  readonly url: string
  readonly events: readonly EventType[]
  /** The agent it is scoped to; all of them when it is left out. */
  readonly agentHandle?: string
  readonly authToken?: string
}

/** The webhook subscriptions of a world. */
export class Webhooks {
  readonly #view: View

  constructor(view: View) {
    this.#view = view
  }

  /** Subscribes a URL. @throws CommandError */
  create({ url, events, agentHandle, authToken }: WebhookInput): Webhook {
    const row = this.#view.world.apply({
      type: 'create-webhook',
      url,
      events: [...events],
      agent_handle: agentHandle ?? null,
      auth_token: authToken ?? null,
    })
    return this.#view.show(row, renderWebhook)
  }

  /** The subscriptions the simulator's own `apiKey` reaches, or those of every organization, in the order they were added. */
  list(options: ListOptions = {}): Webhook[] {
    const { store } = this.#view.world
    return organizationsOf(store, options).flatMap((id) => {
      const rows = store.rows('webhook', everyId(store.webhooks(id)))
      return rows.map((row) => this.#view.show<typeof row, Webhook>(row, renderWebhook))
    })
  }

  /**
   * Has deliveries to a URL, or with `*` to any that nobody else here takes, go to a receiver in this process; one that
   * answers nothing answers 200. It stays through resets. Gives back how to have that end.
   * @example sim.webhooks.on('http://agent.test/hook', async (request) => handle(await request.json()))
   */
  on(url: string, receiver: Receiver): () => void {
    return this.#view.world.receivers.on(url, receiver)
  }

  /** Ends everything that `on` began. @internal */
  forgetReceivers(): void {
    this.#view.world.receivers.clear()
  }

  /** What deliveries of a subscription are signed with, `whsec_…`, where a reading has them signed. @throws CommandError `not-found` */
  secret(id: string): string {
    const { store, beginning } = this.#view.world
    if (store.get('webhook', id)) return secretOf(beginning.seed, id)
    throw new CommandError('not-found', `There is no webhook "${id}" in this world.`)
  }

  /** Ends a subscription. @throws CommandError `not-found` */
  delete(id: string): void {
    this.#view.world.apply({ type: 'delete-webhook', webhook_id: id })
  }
}
