import { counted, grouped } from '../../base/text.js'
import { WorldError } from '../model/errors.js'
import type { MailboxStore } from '../model/mailbox-store.js'

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
