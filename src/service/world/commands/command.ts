import { once } from '../../../base/once.js'
import type { z } from '../../../base/schema.js'
import { counted, expectedOneOf, grouped, wildcard } from '../../../base/text.js'
import type { Assumptions } from '../../../contract/gaps.js'
import { createSettle, type Reliance, type Settle, tickOf } from '../../assumptions/settle.js'
import { unknownId, WorldError } from '../../model/errors.js'
import type { MailboxStore } from '../../model/mailbox-store.js'
import type { IdentityRow, IdKind, MessageRow, ModelName, Rows, WebhookRow } from '../../model/rows.js'
import type { IdSource } from '../../time/random.js'
import type { NewMailEvent } from '../../webhooks/subscriptions.js'
import type { KeptAnswer } from '../kept-answers.js'

/** The parts of a world that commands work on. */
interface CommandParts {
  readonly store: MailboxStore
  readonly initialState: { readonly seed: number; readonly bounces?: readonly string[] }
  readonly ids: Pick<IdSource, 'next' | 'nextInstant'>
  readonly sent: SentCount
}

/** What a command works on, at one instant, and what the world has to do once it is applied. */
export class CommandContext {
  readonly store: MailboxStore
  /** The messages that agents have sent. */
  readonly sent: SentCount
  readonly seed: number
  /** The events that it emitted, which are then dispatched to subscriptions. */
  readonly emitted: NewMailEvent[] = []
  /** The subscriptions that it created, changed or deleted, whose secrets stay masked from then on. */
  readonly subscriptions: WebhookRow[] = []
  /** The message that it added, apart from copies for other agents; undefined if it added none. */
  added: MessageRow | undefined
  /** The response that it keeps, if any. */
  answer: KeptAnswer | undefined
  /** The silent points on which the place of a message depended. */
  readonly relied: Reliance[] = []
  /** Settles silent points; notes nothing. */
  readonly settle: Settle
  readonly #bounces: readonly string[]
  readonly #ids: CommandParts['ids']
  readonly #at: number

  constructor({ store, initialState, ids, sent }: CommandParts, at: number, assumptions: Assumptions) {
    this.store = store
    this.sent = sent
    this.seed = initialState.seed
    this.settle = createSettle(assumptions)
    this.#bounces = initialState.bounces ?? []
    this.#ids = ids
    this.#at = at
  }

  now(): number {
    return this.#at
  }

  newId(kind: IdKind): string {
    return this.#ids.next(kind)
  }

  /** Returns when a message that comes at an instant is created; `latest` is the instant of the last one of its thread. */
  nextInstant(comes: number, latest: number | undefined): number {
    return this.#ids.nextInstant(comes, latest, tickOf(this.settle))
  }

  /** Returns the first instant from one on at which a thread has no message, as far as a response can tell. */
  freeInstant(thread: string, from: number): number {
    return this.store.messages(thread).freeInstant(from, tickOf(this.settle))
  }

  emit(event: NewMailEvent): void {
    this.emitted.push(event)
  }

  noteSecrets(webhook: WebhookRow): void {
    this.subscriptions.push(webhook)
  }

  /** Returns whether mail to an address bounces, according to the scenario. */
  bounces(address: string): boolean {
    return this.#bounces.some((pattern) => wildcard(pattern.toLowerCase())(address.toLowerCase()))
  }
}

/** One kind of command: how it is validated and applied. */
export interface CommandDefinition<Schema extends z.ZodType<{ type: string }>, Result> {
  /** Creates the schema when it is first needed, since all schemas together take a tenth of a cold start. */
  readonly schema: () => Schema
  /**
   * Applies the command. Everything that can be refused is refused before the first write.
   * @throws WorldError
   */
  apply(world: CommandContext, command: z.output<Schema>): Result
}

/** Defines a command, keeping its types. */
export function defineCommand<Schema extends z.ZodType<{ type: string }>, Result>(
  definition: CommandDefinition<Schema, Result>,
): CommandDefinition<Schema, Result> {
  return { ...definition, schema: once(definition.schema) }
}

/** Returns the row with that id. @throws WorldError `not-found` */
export function existing<M extends ModelName>(
  { store }: { readonly store: MailboxStore },
  model: M,
  id: string,
): Rows[M] {
  const row = store.get(model, id)
  if (!row) throw unknownId(model, id)
  return row
}

/** Returns the organization with that id, or the first one. @throws WorldError `not-found` */
export function organizationOf(world: CommandContext, id: string | undefined): Rows['organization'] {
  return id === undefined ? world.store.firstOrganization() : existing(world, 'organization', id)
}

/** Creates the error for an unknown agent handle. It suggests a similar handle, or lists the existing ones. */
export function noAgent(handle: string, agents: Iterable<IdentityRow>, where = 'in this world'): WorldError {
  const handles = [...agents].map(({ agent_handle }) => agent_handle)
  const hint = expectedOneOf(String(handle), handles, '.')
  return new WorldError('not-found', `There is no agent "${handle}" ${where}${hint}`)
}

/** The maximum number of messages that agents may send in a story, unless an option says otherwise. */
export const defaultMaxSent = 1000

/** Counts the messages that agents send in a world, up to a most. */
export class SentCount {
  readonly most: number
  #count: number
  #refusal: string | null = null

  constructor(count = 0, most = Number.POSITIVE_INFINITY) {
    this.#count = count
    this.most = most
  }

  get count(): number {
    return this.#count
  }

  /** Why a message was refused because there were as many already; null if none was. */
  get refusal(): string | null {
    return this.#refusal
  }

  /** Checks that an agent may send another message. @throws WorldError `too-many` */
  check(store: MailboxStore): void {
    if (this.#count < this.most) return
    this.#refusal ??= explainRunaway(store, this.#count)
    throw new WorldError('too-many', this.#refusal)
  }

  /** Counts a message that an agent has sent. */
  note(): void {
    this.#count++
  }
}

/** Explains that agents have sent as many messages as a story allows, and which of them sent the most. */
function explainRunaway(store: MailboxStore, sent: number): string {
  const counts = new Map<string, number>()
  for (const { direction, identity_id } of store.written.rows.message) {
    const handle = store.get('identity', identity_id)?.agent_handle
    if (direction === 'outbound' && handle !== undefined) counts.set(handle, (counts.get(handle) ?? 0) + 1)
  }
  const senders = [...counts].sort(([, a], [, b]) => b - a).slice(0, 2)
  const who = senders.map(([handle, count]) => `"${handle}" sent ${grouped(count)} of them`).join(', ')
  return `The agents have sent ${counted(sent, 'message')}, the most that a story allows (--max-sent, maxSent): ${who}.`
}
