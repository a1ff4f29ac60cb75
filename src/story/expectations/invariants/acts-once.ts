import { sameAddress } from '../../../mail/address.js'
import { keepsAnswer } from '../../../service/faults/fault.js'
import type { MailboxStore } from '../../../service/model/mailbox-store.js'
import type { MessageRow } from '../../../service/model/rows.js'
import { recipientsOf } from '../../../service/rendering/header-fields.js'
import { hashText, hexOf } from '../../../service/time/random.js'
import { parseInstant } from '../../../service/time/time.js'
import { reachedReceiver } from '../../../service/webhooks/delivery.js'
import type { SentMail } from '../../../service/world/sent-mail.js'
import { writeOf } from '../exchanges.js'
import type { JudgedMailbox, Observation } from '../tracker.js'
import type { Invariant, Wrong } from './invariant.js'
import { answeredBy, bareAddress, reminder, Served } from './mail.js'

/** The agent does nothing twice. */
export const actsOnce: Invariant = {
  general: true,
  advice:
    'Keep what you have handled where every process and every start sees it, and note it before another attempt. Repeat a request that sends mail with the same Idempotency-Key; where keys may be ignored, look for the sent message first.',
  watch({ replies }, { mailbox }) {
    const acts = new Acts(mailbox, replies === 1)
    return {
      expected: `nothing done twice${replies === undefined ? '' : ', and one reply to a message'}`,
      observe: (observation) => acts.observe(observation),
    }
  },
}

/** How long after an event came again a second reply is surely about it, in milliseconds of story time. */
const soon = 3_600_000

type WritingRequest = Extract<Observation, { readonly type: 'exchange' }>

/** Something that an agent did by a request: the number of that, and its place in the order of events. */
interface Act {
  readonly exchange: number
  readonly seq: number
  /** Which start of the agent's program did it, if that is known. */
  readonly start: number | undefined
}

/** A write, as a line that is equal for equal ones. */
interface Write extends Act {
  readonly line: string
  /** Whether a fault disturbed the response, so that a client may repeat it. */
  readonly isDisturbed: boolean
}

/** A message of an agent, with what shows whether another one repeats it. */
interface Sending extends Act, SentMail {
  readonly exchange: number
  /** Bare addresses in lower case. */
  readonly recipients: readonly string[]
  /** Equal for equal words and files. */
  readonly words: string
  /** The id of the message that it names, or of the thread that it joins; null if it names nothing. */
  readonly about: string | null
  /** The messages of others that it answers. */
  readonly answers: readonly MessageRow[]
  /** Whether the agent did not get the response to its request. */
  readonly isLost: boolean
}

/** An event that was delivered again after it had reached its receiver. */
interface Repeated {
  readonly event: string
  readonly message: string
  readonly at: number
  readonly seq: number
}

/** What an agent has done so far, and what called for doing something again. */
class Acts {
  /** Its store is another one after a reset. */
  readonly #mailbox: JudgedMailbox
  readonly #isOneReply: boolean
  readonly #served: Served
  readonly #sent: Sending[] = []
  readonly #writes: Write[] = []
  /** Bounced messages with the recipient, or with an empty one for all. */
  readonly #bounced = new Set<string>()
  /** The events that were delivered, the place of the first delivery, and the events that came again. */
  readonly #events = new Set<string>()
  #firstEvent = Number.POSITIVE_INFINITY
  readonly #repeated: Repeated[] = []

  constructor(mailbox: JudgedMailbox, isOneReply: boolean) {
    this.#mailbox = mailbox
    this.#isOneReply = isOneReply
    this.#served = new Served(mailbox)
  }

  /** Notes what happened; returns what is wrong with it. */
  observe(observation: Observation): Wrong | undefined {
    let wrong: Wrong | undefined
    if (observation.type === 'delivery') this.#noteDelivery(observation)
    else if (observation.type === 'event' && observation.event === 'message.bounced')
      this.#bounced.add(`${observation.message} ${observation.recipient?.toLowerCase() ?? ''}`)
    else if (observation.type === 'exchange') {
      const mails = observation.sent().map((mail) => sendingOf(mail, observation, this.#mailbox.store))
      for (const next of mails) wrong ??= this.#equalMail(next) ?? this.#secondReply(next)
      wrong ??= this.#equalWrite(observation)
      const { status } = observation.exchange
      // The agent has not sent what the service says it refused.
      if (status < 400 || status > 499) this.#sent.push(...mails)
    }
    this.#served.note(observation)
    return wrong
  }

  #noteDelivery({ delivery, moment }: Extract<Observation, { readonly type: 'delivery' }>): void {
    const { event, message_id: message, attempts } = delivery
    this.#events.add(event.id)
    this.#firstEvent = Math.min(this.#firstEvent, moment.seq)
    const hasReached = attempts
      .slice(0, -1)
      .some(({ duration_ms, error }) => duration_ms !== null && reachedReceiver(error))
    if (attempts.at(-1)?.duration_ms === null && hasReached)
      this.#repeated.push({ event: event.id, message, ...moment })
  }

  /** Finds an equal message to the same recipient within a day, about the same, with nothing new served in between. */
  #equalMail(next: Sending): Wrong | undefined {
    const open = this.#sent.filter((one) => !this.#isBounced(one, next.recipients))
    const equal = open.filter(({ recipients, words, about, message }) => {
      const isRecent = next.message.created_at - message.created_at < reminder
      const isSame = isRecent && words === next.words && about === next.about
      return isSame && recipients.some((one) => next.recipients.includes(one))
    })
    const last = equal.at(-1)
    if (!last) return undefined
    const isNamed = next.about !== null && next.about !== next.message.thread_id
    // What names no message may tell of any that is new.
    const isNew = isNamed ? this.#hasNews(last, next) : this.#served.between(last.seq, next.seq).length > 0
    if (isNew || (!isNamed && equal.length < this.#causesOf(next, equal, open))) return undefined
    const to = next.recipients.find((one) => last.recipients.includes(one))
    return { found: `the same message sent again to ${to}`, differences: toldBefore(last) }
  }

  /**
   * Returns how many equal messages that name no other one may be right: one for each message that the agent was served since it
   * wrote anything else, of their thread, from their recipient, or else of anybody, of whom it may tell a colleague; after a lost
   * response only of those that came in the story.
   */
  #causesOf(next: Sending, equal: readonly Sending[], open: readonly Sending[]): number {
    const first = equal[0]?.seq ?? 0
    const other = open.findLast(({ seq }) => seq < first)
    const start = equal.some(({ isLost }) => isLost) ? parseInstant(this.#mailbox.clock.beganAt) : undefined
    const rows = this.#served
      .between(other?.seq ?? 0, next.seq)
      .filter(({ created_at }) => start === undefined || created_at >= start)
    const own = rows.filter(({ thread_id, from }) => {
      if (next.about !== null) return thread_id === next.about
      return next.recipients.some((one) => sameAddress(one, bareAddress(from)))
    })
    return own.length > 0 ? own.length : rows.length
  }

  /** Finds an earlier reply to the same message, if its event came again or the agent was started again, or one is allowed. */
  #secondReply(next: Sending): Wrong | undefined {
    for (const one of this.#sent.toReversed()) {
      const common = one.answers.filter(({ id }) => next.answers.some((row) => row.id === id))
      if (common.length === 0 || this.#isBounced(one, next.recipients) || this.#hasNews(one, next)) continue
      // Mail that names no message may answer any of those in its thread.
      const isNamed = one.answered !== null && next.answered !== null
      const others = this.#sent.filter(({ answers }) => answers.some(({ id }) => common[0]?.id === id))
      if (!isNamed && others.length < common.length) continue
      const cause = this.#causeBetween(one, next, common)
      if (!cause && !this.#isOneReply) continue
      const person = bareAddress(next.answers[0]?.from ?? '')
      const found = `a second reply to ${person}${cause ? ` after ${cause}` : ''}`
      return { found, differences: toldBefore(one) }
    }
    return undefined
  }

  /** Returns what made the agent reply to messages again, in words. */
  #causeBetween(before: Sending, next: Sending, answered: readonly MessageRow[]): string | undefined {
    const isRecent = next.message.created_at - before.message.created_at < reminder
    if (isStartedAgain(before, next)) return isRecent ? 'the agent was started again' : undefined
    const again = this.#repeated.findLast(({ message, at, seq }) => {
      const isBetween = seq > before.seq && seq < next.seq && answered.some(({ id }) => id === message)
      return isBetween && (isRecent || next.message.created_at - at < soon)
    })
    return again && `the event ${again.event} came again`
  }

  /** Notes a write; finds an equal one after an event was delivered again or the agent was started again. */
  #equalWrite(observation: WritingRequest): Wrong | undefined {
    const line = writeOf(observation)
    const { exchange } = observation
    // A thread that is marked as read twice is as it would be if it had been marked once.
    const isMark = /^threads\.(update|mark-(un)?read)$/.test(exchange.operation ?? '')
    if (line === undefined || isMark) return undefined
    const next = { ...actOf(observation), line, isDisturbed: exchange.fault !== null }
    const equal = this.#writes.filter((one) => {
      if (one.line !== line || one.isDisturbed) return false
      return !this.#sent.some((mail) => {
        return mail.exchange === one.exchange && this.#isBounced(mail, mail.recipients)
      })
    })
    this.#writes.push(next)
    const last = equal.at(-1)
    if (!last) return undefined
    // A program may set a state again when it starts; what a POST does is done twice.
    const isRestarted = exchange.method === 'POST' && isStartedAgain(last, next)
    const isOfStart = isRestarted && this.#served.between(last.seq, next.seq).length === 0
    const cause = isOfStart ? 'the agent was started again' : this.#eventBefore(equal, next)
    if (cause === undefined) return undefined
    const differences = [`request ${last.exchange} had written the same`]
    return { found: `the same write again after ${cause}`, differences }
  }

  /**
   * What is about the message of an event that came again is repeated; of other equal writes, one belongs to each event. What a
   * client wrote before any event came, it writes for other reasons.
   */
  #eventBefore(equal: readonly Write[], next: Write): string | undefined {
    const [earliest] = equal
    if (!earliest || earliest.seq < this.#firstEvent) return undefined
    const again = this.#repeated.findLast(({ message, seq }) => {
      if (this.#served.between(seq, next.seq).length > 0) return false
      const isAfter = equal.some((one) => one.seq < seq)
      return (isAfter && this.#isAbout(next.line, message)) || equal.length >= this.#events.size
    })
    return again && `the event ${again.event} came again`
  }

  #isAbout(line: string, id: string): boolean {
    const row = this.#mailbox.store.get('message', id)
    if (!row) return false
    return [row.id, row.thread_id, bareAddress(row.from)].some((one) => line.includes(one))
  }

  /** Returns whether a bounce of a message excuses another one to these recipients. */
  #isBounced({ message: { id } }: Sending, recipients: readonly string[]): boolean {
    return ['', ...recipients].some((one) => this.#bounced.has(`${id} ${one}`))
  }

  /** Returns whether something of the thread or of a recipient of an earlier message was served before the next one. */
  #hasNews(earlier: Sending, next: Sending): boolean {
    return this.#served.between(earlier.seq, next.seq).some((row) => {
      // What the earlier one answers may have come to the agent by other ways.
      if (earlier.answers.some(({ id }) => id === row.id)) return false
      return (
        row.thread_id === earlier.message.thread_id ||
        earlier.recipients.some((one) => sameAddress(one, bareAddress(row.from)))
      )
    })
  }
}

/** Returns a message of an agent with what shows whether another one repeats it. */
function sendingOf(mail: SentMail, request: WritingRequest, store: MailboxStore): Sending {
  const { message, answered } = mail
  const { fault, path } = request.exchange
  const { text, html } = store.bodyOf(message)
  const files = store
    .rows('attachment', message.attachment_ids)
    .map(({ filename, content }) => [filename, content])
  const named = answered ?? path.split('/').find((part) => store.get('message', part))
  const hasBegun = store.get('thread', message.thread_id)?.first_message_id === message.id
  const joined = hasBegun ? null : message.thread_id
  return {
    ...mail,
    ...actOf(request),
    recipients: [...new Set(recipientsOf(message).map((one) => one.toLowerCase()))],
    words: hexOf(hashText(JSON.stringify([message.identity_id, message.subject, text, html, files]))),
    about: named === undefined ? joined : (store.messageNamed(message.identity_id, named)?.id ?? named),
    answers: answeredBy(mail, store).filter(({ direction }) => direction === 'inbound'),
    isLost: fault !== null && (fault.performed === true || !keepsAnswer(fault)),
  }
}

function actOf({ moment, exchange }: WritingRequest): Act {
  return { exchange: exchange.seq, seq: moment.seq, start: exchange.start }
}

/** Returns whether the agent's program was started again between two acts, or runs twice. */
function isStartedAgain(before: Act, next: Act): boolean {
  return before.start !== undefined && next.start !== undefined && before.start !== next.start
}

function toldBefore({ exchange, message }: Sending): string[] {
  return [`request ${exchange} had sent "${message.subject}"`]
}
