import { sameAddress } from '../../../mail/address.js'
import type { MailboxStore } from '../../../service/model/mailbox-store.js'
import type { MessageRow } from '../../../service/model/rows.js'
import { recipientsOf } from '../../../service/rendering/header-fields.js'
import type { SentMail } from '../../../service/world/sent-mail.js'
import type { Observation } from '../tracker.js'
import { answeredBy, bareAddress, inboundBefore, reminder } from './mail.js'

/** What is left to answer in a conversation. */
interface Open {
  /** The ids of messages to which nobody has replied: those that came since the last reply, and those before it. */
  latest: Set<string>
  earlier: Set<string>
  /** Whether a person replied instead of the agent, which may then write once more. */
  isOver: boolean
  /** Whether there was a reply since the last message came. */
  hasReply: boolean
  last: SentMail | undefined
}

/** Counts the replies of agents in each conversation, whatever their words and whatever operation sent them. */
export class Conversations {
  readonly #store: MailboxStore
  /** The replies of agents by the thread of what they reply to, in order. */
  readonly #replies = new Map<string, SentMail[]>()
  /** The ids of all mail that agents sent by requests. */
  readonly #sent = new Set<string>()
  readonly #bounced = new Set<string>()
  /** The ids of messages of others that the agent has passed on. */
  readonly #relayed = new Set<string>()

  constructor(store: MailboxStore) {
    this.#store = store
  }

  /** Notes an event of the run. */
  note(observation: Observation): void {
    if (observation.type === 'event' && observation.event === 'message.bounced')
      this.#bounced.add(observation.message)
  }

  /**
   * Notes a message that an agent sent, unless the service said that it refused it. Returns the reply before it, if nothing
   * was left to reply to: neither a new message, nor an answer of a person, nor the silence of a day calls for another.
   */
  take(mail: SentMail, isRefused: boolean): SentMail | undefined {
    this.#sent.add(mail.message.id)
    const [answered] = answeredBy(mail, this.#store).filter(({ direction }) => direction === 'inbound')
    if (!answered) return undefined
    const thread = answered.thread_id
    const replies = this.#replies.get(thread) ?? []
    const open = this.#openBefore(mail, thread, replies)
    const { last } = open
    const isFree = this.#reply(open, mail) || this.#isRelayed(mail, thread, last)
    if (!isRefused) this.#replies.set(thread, [...replies, mail])
    return isFree ? undefined : last
  }

  /** Returns whether somebody whom the agent has asked about it answered since its last reply; each answer is passed on once. */
  #isRelayed({ message }: SentMail, thread: string, last: SentMail | undefined): boolean {
    const rows = inboundBefore(message, message.identity_id, this.#store)
    const news = rows.find(({ id, ordinal, thread_id, from }) => {
      const isLater = thread_id !== thread && ordinal > (last?.message.ordinal ?? 0) && !this.#relayed.has(id)
      return isLater && this.#hasAsked(from, thread_id, ordinal)
    })
    if (news) this.#relayed.add(news.id)
    return news !== undefined
  }

  /** Returns whether the agent wrote to somebody in a thread before their message there. */
  #hasAsked(from: string, thread: string, before: number): boolean {
    const rows = this.#store.rows('message', this.#store.messages(thread).page({ order: 'created' }))
    return rows.some((row) => {
      const isEarlier = row.ordinal < before && this.#sent.has(row.id)
      return isEarlier && recipientsOf(row).some((one) => sameAddress(one, bareAddress(from)))
    })
  }

  /** Returns what was left to answer in a thread before a message. */
  #openBefore({ message }: SentMail, thread: string, replies: readonly SentMail[]): Open {
    const open: Open = {
      latest: new Set(),
      earlier: new Set(),
      isOver: false,
      hasReply: false,
      last: undefined,
    }
    const rows = this.#store.rows('message', this.#store.messages(thread).page({ order: 'created' }))
    const counted = replies.filter((one) => !this.#bounced.has(one.message.id))
    const moments = [
      ...rows.filter(({ id }) => !this.#sent.has(id)).map((row) => ({ row, reply: undefined })),
      ...counted.map((reply) => ({ row: reply.message, reply })),
    ].sort((a, b) => a.row.ordinal - b.row.ordinal)
    for (const { row, reply } of moments) {
      if (row.ordinal >= message.ordinal) break
      if (reply) this.#reply(open, reply)
      else if (row.direction === 'outbound') answeredByPerson(open)
      else if (!isFromItself(row, message)) received(open, row)
    }
    return open
  }

  /** Takes what a reply answers; returns whether there was something. */
  #reply(open: Open, { message, answered, ...mail }: SentMail): boolean {
    const { latest, earlier, last } = open
    const isReminder = last !== undefined && message.created_at - last.message.created_at >= reminder
    const named = answered === null ? undefined : this.#store.messageNamed(message.identity_id, answered)?.id
    // What names a message that was answered may answer another one of those that came with it.
    const candidates = named === undefined ? [...earlier, ...latest] : [...latest]
    const taken = named !== undefined && (latest.has(named) || earlier.has(named)) ? named : candidates.at(-1)
    if (taken !== undefined) for (const set of [latest, earlier]) set.delete(taken)
    const isFree = taken !== undefined || open.isOver || isReminder
    Object.assign(open, { isOver: false, hasReply: true, last: { message, answered, ...mail } })
    return isFree
  }
}

function received(open: Open, { id }: MessageRow): void {
  if (open.hasReply) {
    open.earlier = open.latest
    open.latest = new Set()
  }
  open.latest.add(id)
  Object.assign(open, { isOver: false, hasReply: false })
}

function answeredByPerson(open: Open): void {
  open.latest.clear()
  open.earlier.clear()
  Object.assign(open, { isOver: true, hasReply: true })
}

function isFromItself({ from }: MessageRow, sent: MessageRow): boolean {
  return sameAddress(bareAddress(from), bareAddress(sent.from))
}
