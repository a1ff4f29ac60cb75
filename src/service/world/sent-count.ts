import { counted, grouped } from '../../base/text.js'
import { WorldError } from '../model/errors.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import { recipientsOf } from '../rendering/header-fields.js'

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

/**
 * Explains that agents have sent as many messages as a story allows: it names those that send the most to
 * each other.
 */
function explainRunaway(store: MailboxStore, sent: number): string {
  const most = `The agents have sent ${counted(sent, 'message')}, the most that a story allows (--max-sent, maxSent)`
  return `${most}: ${whoSends(store)}.`
}

function whoSends(store: MailboxStore): string {
  const counts = new Map<string, number>()
  for (const row of store.written.rows.message) {
    const sender = store.get('identity', row.identity_id)
    if (row.direction !== 'outbound' || !sender) continue
    const agents = recipientsOf(row).flatMap((address) => {
      return store.identityBy('foldedMailbox', row.organization_id, address)?.agent_handle ?? []
    })
    // A handle has no spaces.
    for (const agent of agents.length > 0 ? agents : ['']) {
      const pair = `${sender.agent_handle} ${agent}`
      counts.set(pair, (counts.get(pair) ?? 0) + 1)
    }
  }
  const [[pair, count] = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a)
  const [sender = '', recipient = ''] = pair.split(' ')
  if (sender === recipient) return `"${sender}" replies to itself`
  const answersEachOther = counts.has(`${recipient} ${sender}`)
  return answersEachOther
    ? `"${sender}" and "${recipient}" reply to each other`
    : `"${sender}" sent ${grouped(count)} of them`
}
