import type { EventType } from '../contract/events.js'
import type { Identity, Thread, Webhook } from '../contract/resources.js'
import { renderIdentity, renderThread, renderWebhook } from '../handlers/index.js'
import { CommandError } from '../world/index.js'
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

  /** The agents the simulator's own `apiKey` reaches, in the order they were added. */
  list(): Identity[] {
    const { store } = this.#view.world
    const identities = store.identities(store.firstOrganization().id)
    const ids = identities.page({ order: 'created', offset: 0, limit: identities.count })
    return store
      .rows('identity', ids)
      .map((row) => this.#view.show<typeof row, Identity>(row, renderIdentity))
  }

  /** The agent of that handle. @throws CommandError `not-found` */
  get(handle: string): Identity {
    return this.#view.show(this.#row(handle), renderIdentity)
  }

  /** Removes an agent with its mailbox. @throws CommandError `not-found` */
  delete(handle: string): void {
    this.#view.world.apply({ type: 'delete-identity', identity_id: this.#row(handle).id })
  }

  #row(handle: string) {
    const row = this.#view.world.store.identityAnywhere(handle.replace(/^@/, ''))
    if (row) return row
    throw new CommandError('not-found', `There is no agent "${handle}" in this world.`)
  }
}

/** The threads of a world. */
export class Threads {
  readonly #view: View

  constructor(view: View) {
    this.#view = view
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

  /** Ends a subscription. @throws CommandError `not-found` */
  delete(id: string): void {
    this.#view.world.apply({ type: 'delete-webhook', webhook_id: id })
  }
}
