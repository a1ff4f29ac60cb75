import { sameAddress } from '../../../mail/address.js'
import { keepsAnswer } from '../../../service/faults/fault.js'
import type { MailboxStore } from '../../../service/model/mailbox-store.js'
import type { MessageRow } from '../../../service/model/rows.js'
import { recipientsOf } from '../../../service/rendering/header-fields.js'
import { hashText, hexOf } from '../../../service/time/random.js'
import type { SentMail } from '../../../service/world/sent-mail.js'
import type { Observation } from '../tracker.js'
import type { Invariant } from './invariant.js'
import { bareAddress, inboundBefore, reminder, type Wrong, watchMail } from './mail.js'
import { ServedIds } from './served-ids.js'

/** A message to a recipient, and the parts of its request that show whether another one repeats it. */
interface Sending extends SentMail {
  readonly recipient: string
  readonly path: string
  /** The request's `Idempotency-Key`. */
  readonly key: string | undefined
  /** How many responses the agent had got before. */
  readonly responses: number
  /** Whether a fault hit its request. */
  readonly isDisturbed: boolean
}

/** The agent sends no message twice to one recipient for one cause. */
export const sendsOnce: Invariant = {
  general: true,
  advice:
    'Repeat a request that sends mail with the same Idempotency-Key; where keys may be ignored, look for the sent message first. Handle each event once.',
  watch: watchMail('no message sent twice to one recipient for one cause', ({ store }) => {
    const sent = new Map<string, Sending[]>()
    /** The ids of messages that the agent may not know it has sent. */
    const lost = new Set<string>()
    /** The ids of messages that came in since the story began. */
    const arrived = new Set<string>()
    const bounced = new Set<string>()
    const served = new ServedIds()
    /** Those to whom the agent wrote first, such as a person whom it tells what comes in, by mailbox and address. */
    const approached = new Map<string, boolean>()
    /** To whom the agent wrote which words. */
    const written = new Set<string>()
    const together = new Set<Sending>()
    return {
      note(observation) {
        if (observation.type === 'event') {
          const { event, message, recipient } = observation
          if (event === 'message.received') arrived.add(message)
          if (event === 'message.bounced') bounced.add(bounceKey(message, recipient))
        }
        served.note(observation)
        for (const id of lost) if (shows(observation, id)) lost.delete(id)
      },
      judge(mail, { path, status, request, fault }) {
        if (fault && (fault.performed || !keepsAnswer(fault))) lost.add(mail.message.id)
        // The agent has not sent what the service says it refused.
        const isRefused = status >= 400 && status < 500
        for (const recipient of new Set(recipientsOf(mail.message).map((one) => one.toLowerCase()))) {
          const key = request.headers['idempotency-key']
          const { responses } = served
          const sending = { ...mail, recipient, path, key, responses, isDisturbed: fault !== null }
          const contact = `${mail.message.identity_id} ${recipient}`
          const isApproached = approached.get(contact) ?? ofSender(sending, store).length === 0
          approached.set(contact, isApproached)
          const contents = contentsOf(sending, store)
          const equal = (sent.get(contents) ?? []).filter(({ message: { id } }) => {
            return !bounced.has(bounceKey(id, null)) && !bounced.has(bounceKey(id, recipient))
          })
          const facts = { store, lost, arrived, served, written, together, isApproached }
          const before = ofSameCause(sending, equal, facts)
          if (!isRefused) {
            sent.set(contents, [...equal, sending])
            written.add(wordsTo(recipient, sending, store))
          }
          if (before) return repetition(sending, before)
        }
        return undefined
      },
    }
  }),
}

function bounceKey(message: string, recipient: string | null): string {
  return `${message} ${recipient?.toLowerCase() ?? ''}`
}

/** Returns whether an agent learns of a message: by a complete response that contains it, or by an event. */
function shows(observation: Observation, id: string): boolean {
  if (observation.type === 'delivery') return observation.delivery.message_id === id
  if (observation.type !== 'exchange') return false
  const { fault } = observation.exchange
  return (fault === null || keepsAnswer(fault)) && observation.answer()?.includes(id) === true
}

function repetition({ message, recipient, answered, key }: Sending, before: Sending): Wrong {
  const cause = answered === null ? '' : ', in reply to the same message'
  return {
    found: `the same message sent again to ${recipient}`,
    differences: [
      `request ${before.exchange} had sent "${message.subject}"${cause}`,
      ...(key !== undefined && key === before.key
        ? ['both have the same Idempotency-Key, which the service ignored']
        : []),
    ],
  }
}

/**
 * Returns a text that is the same for equal messages to a recipient: in the same thread, or each in a new
 * one.
 */
function contentsOf({ message, recipient }: Sending, store: MailboxStore): string {
  const { identity_id, subject, attachment_ids } = message
  const { text, html } = store.bodyOf(message)
  const files = store.rows('attachment', attachment_ids).map(({ filename, content }) => [filename, content])
  const contents = [identity_id, recipient, subject, text, html, files, joinedThread(message, store)]
  return hexOf(hashText(JSON.stringify(contents)))
}

/** Returns a text that is the same for equal words to a recipient, under whatever subject. */
function wordsTo(recipient: string, { message }: SentMail, store: MailboxStore): string {
  const { text, html } = store.bodyOf(message)
  return hexOf(hashText(JSON.stringify([message.identity_id, recipient.toLowerCase(), text, html])))
}

/** Returns the thread that a message has joined; null if it has started one. */
function joinedThread({ id, thread_id }: MessageRow, store: MailboxStore): string | null {
  return store.get('thread', thread_id)?.first_message_id === id ? null : thread_id
}

/** The parts of a story that show what was sent for which cause. */
interface SendingFacts {
  readonly store: MailboxStore
  readonly lost: ReadonlySet<string>
  readonly arrived: ReadonlySet<string>
  readonly served: ServedIds
  /** The words that the agent wrote to somebody, as `wordsTo` returns them. */
  readonly written: ReadonlySet<string>
  /** The messages that each tell of another one of those that the agent had read before the first of them. */
  readonly together: Set<Sending>
  /** Whether the agent wrote to the recipient first. */
  readonly isApproached: boolean
}

/**
 * Returns the last of the equal messages that had the same cause as a message; undefined if its cause is
 * different.
 */
function ofSameCause(mail: Sending, equal: readonly Sending[], facts: SendingFacts): Sending | undefined {
  const { message, answered, operation, path, key } = mail
  const { store, lost, arrived, together } = facts
  const recent = equal.filter((one) => {
    // A different path of the operation names something else to write about.
    const isOther = one.operation === operation && one.path !== path
    return !isOther && message.created_at - one.message.created_at < reminder
  })
  const [first] = recent
  if (!first) {
    together.add(mail)
    return undefined
  }
  const certain = recent.findLast((one) => {
    if (answered !== null && one.answered !== null) return answeredId(one, store) === answeredId(mail, store)
    return key !== undefined && one.key === key
  })
  if (certain) return certain
  // If either names no message, each message that came in may be a cause; after a lost response, only what
  // came in since.
  const open = recent.filter((one) => answered === null || one.answered === null)
  const isLost = open.some((one) => lost.has(one.message.id))
  const causes = causesOf(mail, first, facts).filter(({ id }) => !isLost || arrived.has(id))
  if (open.length < Math.max(1, causes.length)) return undefined
  return open.length < numberRead(mail, open as [Sending, ...Sending[]], facts) ? undefined : open.at(-1)
}

/**
 * Returns of how many messages equal ones may tell, one of each, by when the agent read them, whoever wrote them and whenever
 * they came: those that it was first served after the first of the equal ones, and those that it had read before if it then
 * told of all without reading any again. Who got the same words is somebody to whom the agent replies, not of whom it tells.
 */
function numberRead(mail: Sending, open: readonly [Sending, ...Sending[]], facts: SendingFacts): number {
  const { store, served, written, lost, arrived, together, isApproached } = facts
  const { message, recipient } = mail
  const [{ responses }] = open
  const thread = joinedThread(message, store)
  const list = thread === null || isApproached ? message.identity_id : thread
  const isLost = open.some((one) => lost.has(one.message.id))
  const rows = inboundBefore(message, list, store).filter(({ from }) => {
    const sender = bareAddress(from)
    return sameAddress(sender, recipient) || !written.has(wordsTo(sender, mail, store))
  })
  const assumptions = rows.map((row) => ({ row, ...(served.servingOf(row.id) ?? { first: 0, last: 0 }) }))
  const later = assumptions.filter(({ row, first }) => first > responses && (!isLost || arrived.has(row.id)))
  const earlier = assumptions.filter(({ first }) => first > 0 && first <= responses)
  const others = earlier.filter(({ row }) => !sameAddress(bareAddress(row.from), recipient))
  const told = Math.max(1, open.filter((one) => together.has(one)).length)
  // An agent that starts again, or runs twice, reads again; one that does not wait for a response was delayed by a fault.
  const isReadAgain = earlier.some(({ last }) => last > responses)
  const once = others.filter(({ first, last }) => first === last).length
  if (!isReadAgain && told < once && !open.some((one) => one.isDisturbed)) together.add(mail)
  return later.length + told + (together.has(mail) ? 1 : 0)
}

/**
 * Returns the messages that an agent may be writing about: those that came within a day, or since it first
 * wrote the same, in the thread or from the recipient, and what it tells the recipient of; in the whole mailbox if it
 * wrote to the recipient first, and there older ones as well that it has read and that are unread.
 */
function causesOf(
  mail: Sending,
  first: Sending,
  { store, served, isApproached }: SendingFacts,
): MessageRow[] {
  const { message } = mail
  const thread = joinedThread(message, store)
  const all = inboundBefore(message, message.identity_id, store)
  const own = thread === null ? ofSender(mail, store) : inboundBefore(message, thread, store)
  const isAboutAll = own.length === 0 || (thread === null && isApproached)
  const isUnread = ({ id, thread_id }: MessageRow): boolean => {
    const isServed = served.has(id) || served.has(thread_id)
    return isAboutAll && isServed && store.get('thread', thread_id)?.unread === true
  }
  const isTold = thread === null && !isAboutAll ? tellsOf(message, store) : () => false
  const causes = isAboutAll ? all : all.filter((row) => own.includes(row) || isTold(row))
  return causes.filter((row) => {
    const isRecent = row.created_at > message.created_at - reminder || row.ordinal > first.message.ordinal
    return isRecent || isUnread(row)
  })
}

/** Returns what the recipient of a message had written to the mailbox. */
function ofSender({ message, recipient }: Sending, store: MailboxStore): MessageRow[] {
  const all = inboundBefore(message, message.identity_id, store)
  return all.filter(({ from }) => sameAddress(bareAddress(from), recipient))
}

/** The fewest characters of a text whose repetition shows that a message tells of another. */
const leastQuoted = 8

/** Returns whether a message repeats what is written in another, or who wrote it. */
function tellsOf(message: MessageRow, store: MailboxStore): (row: MessageRow) => boolean {
  const { text, html } = store.bodyOf(message)
  const told = `${message.subject}\n${text ?? ''}\n${html ?? ''}`.toLowerCase()
  return (row) => {
    const said = store.bodyOf(row).text?.trim().toLowerCase() ?? ''
    const parts = [said, bareAddress(row.from).toLowerCase()]
    return parts.some((part) => part.length >= leastQuoted && told.includes(part))
  }
}

function answeredId({ message, answered }: SentMail, store: MailboxStore): string | null {
  return store.messageNamed(message.identity_id, answered ?? '')?.id ?? answered
}
