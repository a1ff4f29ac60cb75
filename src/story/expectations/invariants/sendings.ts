import { sameAddress } from '../../../mail/address.js'
import { keepsAnswer } from '../../../service/faults/fault.js'
import type { MailboxStore } from '../../../service/model/mailbox-store.js'
import type { MessageRow } from '../../../service/model/rows.js'
import { recipientsOf } from '../../../service/rendering/header-fields.js'
import { hashText, hexOf } from '../../../service/time/random.js'
import type { SentMail } from '../../../service/world/sent-mail.js'
import type { Observation } from '../tracker.js'
import { answeredBy, bareAddress } from './mail.js'
import type { Served } from './served.js'

/** A request that sent mail. */
type SendingRequest = Extract<Observation, { readonly type: 'exchange' }>

/** A message of an agent, with what shows whether another one repeats it. */
export interface Sending extends SentMail {
  /** Bare addresses in lower case. */
  readonly recipients: readonly string[]
  /** Equal for equal words and files. */
  readonly words: string
  /** The id of the message that it names, or of the thread that it joins; null if it names nothing. */
  readonly about: string | null
  /** The messages of others that it answers. */
  readonly answers: readonly MessageRow[]
  /** Its request's place in the order of events. */
  readonly seq: number
  /** Which start of the agent's program sent it, if that is known. */
  readonly start: number | undefined
  /** Whether the agent did not get the response to its request. */
  readonly isLost: boolean
}

/** Returns a message of an agent with what shows whether another one repeats it. */
export function sendingOf(
  mail: SentMail,
  { moment, exchange: { fault, path, start } }: SendingRequest,
  store: MailboxStore,
): Sending {
  const { message, answered } = mail
  const { text, html } = store.bodyOf(message)
  const files = store
    .rows('attachment', message.attachment_ids)
    .map(({ filename, content }) => [filename, content])
  const named = answered ?? path.split('/').find((part) => store.get('message', part))
  const hasBegun = store.get('thread', message.thread_id)?.first_message_id === message.id
  return {
    ...mail,
    recipients: [...new Set(recipientsOf(message).map((one) => one.toLowerCase()))],
    words: hexOf(hashText(JSON.stringify([message.identity_id, message.subject, text, html, files]))),
    about:
      named === undefined
        ? hasBegun
          ? null
          : message.thread_id
        : (store.messageNamed(message.identity_id, named)?.id ?? named),
    answers: answeredBy(mail, store).filter(({ direction }) => direction === 'inbound'),
    seq: moment.seq,
    start,
    isLost: fault !== null && (fault.performed === true || !keepsAnswer(fault)),
  }
}

/** Returns whether something of the thread or of a recipient of an earlier message was served before the next one. */
export function hasNews(earlier: Sending, next: Sending, served: Served): boolean {
  return served.between(earlier.seq, next.seq).some((row) => {
    // What the earlier one answers may have come to the agent by other ways.
    if (earlier.answers.some(({ id }) => id === row.id)) return false
    return (
      row.thread_id === earlier.message.thread_id ||
      earlier.recipients.some((one) => sameAddress(one, bareAddress(row.from)))
    )
  })
}
