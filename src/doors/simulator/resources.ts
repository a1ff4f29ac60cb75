import { checkOptions, defineOptions, option } from '../../base/options.js'
import type { EventType, Identity, Thread, Webhook } from '../../contract/resources.js'
import { createSilentSettle } from '../../service/assumptions/settle.js'
import type { MailboxStore } from '../../service/model/mailbox-store.js'
import type { IdentityRow, ModelName, Rows } from '../../service/model/rows.js'
import type { Render } from '../../service/rendering/renderer.js'
import { renderIdentity, renderThread, renderWebhook } from '../../service/rendering/resources.js'
import { secretOf } from '../../service/webhooks/delivery-request.js'
import type { Receiver } from '../../service/webhooks/transport.js'
import { existing, noAgent } from '../../service/world/commands/command.js'
import type { World } from '../../service/world/world.js'

/** Finds the rows of a world and renders them as its responses would, without noting reliances. */
export class ResourceView {
  readonly world: World
  readonly #base: string

  /** @param base the address below which stored files are served */
  constructor(world: World, base = world.base) {
    this.world = world
    this.#base = base
  }

  /** Returns the row with an id. @throws CommandError `not-found` */
  row<M extends ModelName>(model: M, id: string): Rows[M] {
    return existing(this.world, model, id)
  }

  /** Returns the agent with a handle, which may begin with `@`. @throws CommandError `not-found` */
  agent(handle: string): IdentityRow {
    const row = this.world.store.identityBy('handleAnywhere', String(handle).replace(/^@/, ''))
    if (row) return row
    throw noAgent(handle, this.world.store.all('identity'))
  }

  /** Renders a row in the form that responses have. */
  show<Row extends object, Resource>(row: Row, render: Render<Row>): Resource {
    const { store, assumptions, extensions } = this.world
    const settle = createSilentSettle(assumptions)
    return plainCopy(render(row, { store, settle, base: this.#base, fields: extensions.fields })) as Resource
  }

  /** Renders the rows with some ids. */
  showAll<M extends ModelName, Resource>(
    model: M,
    ids: readonly string[],
    render: Render<Rows[M]>,
  ): Resource[] {
    return this.world.store.rows(model, ids).map((row) => this.show(row, render))
  }

  /** Returns the ids of all organizations, or of the first only. */
  organizations(everywhere = false): string[] {
    const { store } = this.world
    return everywhere ? [...store.all('organization')].map(({ id }) => id) : [store.firstOrganization().id]
  }
}

/** Copies a value as JSON would, but shares its strings, which may be large and are immutable. */
function plainCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plainCopy)
  const defined = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(defined.map(([name, inner]) => [name, plainCopy(inner)]))
}

/** An agent to add. */
export interface IdentityInput {
  readonly handle: string
  /** The handle by default. */
  readonly displayName?: string | undefined
  readonly description?: string | undefined
  /** `<handle>@agents.example` by default. */
  readonly mailboxAddress?: string | undefined
}

const identityOptions = defineOptions<IdentityInput>(() => ({
  handle: option.text(),
  displayName: option.text(),
  description: option.text(),
  mailboxAddress: option.text(),
}))

const webhookOptions = defineOptions<WebhookInput>(() => ({
  url: option.text(),
  events: option.list(),
  agentHandle: option.text(),
  authToken: option.text(),
}))

const listOptions = defineOptions<ListOptions>(() => ({ everywhere: option.flag() }))

/** Selects what a list contains. */
export interface ListOptions {
  /** Whether the list covers all organizations rather than only the first. */
  readonly everywhere?: boolean
}

/** Selects the threads that a list contains. */
export interface ThreadListOptions extends ListOptions {
  /** The handle of the agent whose mailbox they are in. */
  readonly agent?: string
}

const threadListOptions = defineOptions<ThreadListOptions>(() => ({
  ...listOptions().shape,
  agent: option.text(),
}))

/** The agents of a world. */
export class Identities {
  readonly #view: ResourceView

  constructor(view: ResourceView) {
    this.#view = view
  }

  /** Adds an agent with an empty mailbox. @throws CommandError `conflict`, `invalid` */
  create(input: IdentityInput): Identity {
    checkOptions('identities.create', input, identityOptions)
    const { handle, displayName, description, mailboxAddress } = input
    const row = this.#view.world.apply({
      type: 'create-identity',
      agent_handle: handle,
      display_name: displayName,
      description,
      mailbox_address: mailboxAddress,
    })
    return this.#view.show(row, renderIdentity)
  }

  /** Returns the agents that `apiKey` can reach, or those of every organization, in the order they were added. */
  list(options: ListOptions = {}): Identity[] {
    checkOptions('identities.list', options, listOptions)
    const { store } = this.#view.world
    const ids = this.#view.organizations(options.everywhere).flatMap((id) => {
      return store.identities(id).page({ order: 'created' })
    })
    return this.#view.showAll('identity', ids, renderIdentity)
  }

  /** Returns the agent with a handle or id. @throws CommandError `not-found` */
  get(handle: string): Identity {
    return this.#view.show(this.#row(handle), renderIdentity)
  }

  /** Removes the agent with a handle or id, and its mailbox. @throws CommandError `not-found` */
  delete(handle: string): void {
    this.#view.world.apply({ type: 'delete-identity', identity_id: this.#row(handle).id })
  }

  #row(handle: string) {
    return this.#view.world.store.get('identity', handle) ?? this.#view.agent(handle)
  }
}

/** The threads of a world. */
export class Threads {
  readonly #view: ResourceView

  constructor(view: ResourceView) {
    this.#view = view
  }

  /**
   * Returns the threads that `apiKey` can reach, those of every organization, or those of one agent; the one with the
   * latest message first.
   * @throws CommandError `not-found` if there is no such agent
   */
  list(options: ThreadListOptions = {}): Thread[] {
    checkOptions('threads.list', options, threadListOptions)
    const { agent, everywhere } = options
    const scopes = agent === undefined ? this.#view.organizations(everywhere) : [this.#view.agent(agent).id]
    const list = this.#view.world.store.threads(...scopes)
    const ids = list.page({ order: 'last-message', descending: true })
    return this.#view.showAll('thread', ids, renderThread)
  }

  /** Returns the thread with an id. @throws CommandError `not-found` */
  get(id: string): Thread {
    return this.#view.show(this.#view.row('thread', id), renderThread)
  }

  /** Marks a thread as read. @throws CommandError `not-found` */
  markRead(id: string): Thread {
    return this.#mark(id, false)
  }

  /** Marks a thread as unread. @throws CommandError `not-found` */
  markUnread(id: string): Thread {
    return this.#mark(id, true)
  }

  #mark(id: string, unread: boolean): Thread {
    const row = this.#view.world.apply({ type: 'set-thread-unread', thread_id: id, unread })
    return this.#view.show(row, renderThread)
  }
}

/** A subscription to add. */
export interface WebhookInput {
  readonly url: string
  readonly events: readonly EventType[]
  /** The handle of the agent it is scoped to; all agents by default. */
  readonly agentHandle?: string | undefined
  readonly authToken?: string | undefined
}

/** The webhook subscriptions of a world. */
export class Webhooks {
  readonly #view: ResourceView

  constructor(view: ResourceView) {
    this.#view = view
  }

  /** Subscribes a URL to events. @throws CommandError */
  create(input: WebhookInput): Webhook {
    checkOptions('webhooks.create', input, webhookOptions)
    const { url, events, agentHandle, authToken } = input
    const row = this.#view.world.apply({
      type: 'create-webhook',
      url,
      events: events && [...events],
      agent_handle: agentHandle ?? null,
      auth_token: authToken ?? null,
    })
    return this.#view.show(row, renderWebhook)
  }

  /** Returns the subscriptions that `apiKey` can reach, or those of every organization, in the order they were added. */
  list(options: ListOptions = {}): Webhook[] {
    checkOptions('webhooks.list', options, listOptions)
    const { store } = this.#view.world
    const ids = this.#view.organizations(options.everywhere).flatMap((id) => {
      return store.webhooks(id).page({ order: 'created' })
    })
    return this.#view.showAll('webhook', ids, renderWebhook)
  }

  /**
   * Registers a receiver in this process for the deliveries to a URL, or with `*` for those that no other receiver takes.
   * If it returns nothing, the delivery gets 200. Receivers survive resets. Returns a function that removes
   * the receiver.
   * @example sim.webhooks.on('http://agent.test/hook', async (request) => handle(await request.json()))
   */
  on(url: string, receiver: Receiver): () => void {
    if (typeof receiver !== 'function') {
      throw new TypeError(
        'webhooks.on takes a URL and a function that gets each request and returns a Response.',
      )
    }
    return this.#view.world.receivers.on(url, receiver)
  }

  /** Removes every receiver. @internal */
  forgetReceivers(): void {
    this.#view.world.receivers.clear()
  }

  /**
   * Returns the secret that signs the deliveries of a subscription, if they are signed: that of the delivery format, or
   * one of the subscription, `whsec_…`.
   * @throws CommandError `not-found`
   */
  secret(id: string): string {
    const { seed, deliveryFormat } = this.#view.world.initialState
    const own = secretOf(seed, this.#view.row('webhook', id).id)
    return deliveryFormat?.secret ?? own
  }

  /** Deletes a subscription. @throws CommandError `not-found` */
  delete(id: string): void {
    this.#view.world.apply({ type: 'delete-webhook', webhook_id: id })
  }
}

/** The numbers of agents, threads, messages and webhooks in a world. */
export interface WorldSummary {
  readonly agents: number
  readonly threads: number
  readonly messages: number
  readonly webhooks: number
}

/** Counts the rows of a store. */
export function summarize(store: MailboxStore): WorldSummary {
  const ids = [...store.all('organization')].map(({ id }) => id)
  return {
    agents: ids.reduce((sum, id) => sum + store.identities(id).count, 0),
    threads: store.threads(...ids).count,
    messages: store.messages(...ids).count,
    webhooks: ids.reduce((sum, id) => sum + store.webhooks(id).count, 0),
  }
}
