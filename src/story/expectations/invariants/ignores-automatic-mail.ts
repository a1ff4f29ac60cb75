import { sameAddress } from '../../../mail/address.js'
import type { MailboxStore } from '../../../service/model/mailbox-store.js'
import type { MessageRow } from '../../../service/model/rows.js'
import { addressesOf, recipientsOf } from '../../../service/rendering/header-fields.js'
import type { SentMail } from '../../../service/world/sent-mail.js'
import type { Invariant, Wrong } from './invariant.js'
import { answeredBy, bareAddress, inboundBefore, reminder } from './mail.js'

/** The agent answers neither itself nor a program, a bounce or a list that does not name it. */
export const ignoresAutomaticMail: Invariant = {
  general: true,
  advice:
    'Answer no mail whose answer goes to your own address, and none with a header field of automatic mail: Auto-Submitted other than no, Precedence bulk, List-Id, a null Return-Path, multipart/report and others.',
  watch(_, { mailbox }) {
    /** Whether the agent reads the bytes of messages, which have all header fields. */
    let readsRaw = false
    let hasSkipped = false

    const judge = (mail: SentMail): Wrong | undefined => {
      const own = bareAddress(mail.message.from)
      const answered = calledFor(mail, mailbox.store)
      if (answered.length === 0) return undefined
      if (recipientsOf(mail.message).every((one) => sameAddress(one, own))) {
        const differences = answered.map(({ id, direction }) => `it answers ${id}, which is ${direction}`)
        return { found: `an answer of ${own} to itself`, differences }
      }
      const marks = answered.map((row) => markOf(row, own))
      const [mark] = marks
      if (!mark || marks.includes(undefined)) return undefined
      // It cannot know what no response shows.
      if (mailbox.assumptions.current()['messages.headers'] === 'omitted' && !readsRaw) {
        hasSkipped = true
        return undefined
      }
      const differences = answered.map(({ id, from }) => `it answers ${id} from ${bareAddress(from)}`)
      return { found: `an answer to automatic mail, ${mark.join(': ')}`, differences }
    }

    return {
      expected: 'no answer to itself or to automatic mail',
      unjudged: () =>
        hasSkipped ? 'no response shows the header fields of automatic mail that it answered' : undefined,
      observe(observation) {
        if (observation.type !== 'exchange') return undefined
        if (observation.exchange.operation === 'messages.raw') readsRaw = true
        for (const mail of observation.sent()) {
          const wrong = judge(mail)
          if (wrong) return wrong
        }
        return undefined
      },
    }
  },
}

/** Returns the field by which a message is automatic; undefined for mail to a list that names the agent beside it. */
function markOf(row: MessageRow, own: string) {
  const fields = row.headers ?? row.further_headers ?? []
  const { to, cc } = addressesOf(row)
  const isOfList = fields.some(([name]) => name.toLowerCase() === 'list-id')
  const named = [...to, ...cc]
  const isNamed = isOfList && named.length > 1 && named.some((one) => sameAddress(one, own))
  const ofLists = /^(list-id|list-unsubscribe|precedence)$/i
  return automaticField(isNamed ? fields.filter(([name]) => !ofLists.test(name)) : fields)
}

/**
 * Returns the messages that a message answers: the one that it names; those that came to its thread in the last day since the
 * mailbox last wrote there; for one that begins a thread, all that came from its recipient, if the agent had never written there.
 */
function calledFor(mail: SentMail, store: MailboxStore): MessageRow[] {
  const { message, answered } = mail
  const named = answeredBy(mail, store)
  if (answered !== null) return named
  const inThread = store.rows('message', store.messages(message.thread_id).page({ order: 'created' }))
  const last = inThread.findLast((row) => row.direction === 'outbound' && row.ordinal < message.ordinal)
  const received = named.filter(({ direction, ordinal, created_at }) => {
    const isSince = ordinal > (last?.ordinal ?? -1) && created_at > message.created_at - reminder
    return direction === 'inbound' && isSince
  })
  if (named.length > 0 || last) return received
  const [recipient, ...others] = recipientsOf(message)
  if (recipient === undefined || others.length > 0) return []
  const all = store.rows('message', store.messages(message.identity_id).page({ order: 'created' }))
  const hasWritten = all.some((row) => {
    const isEarlier = row.direction === 'outbound' && row.ordinal < message.ordinal
    return isEarlier && recipientsOf(row).some((one) => sameAddress(one, recipient))
  })
  if (hasWritten) return []
  return inboundBefore(message, message.identity_id, store).filter(({ from }) => {
    return sameAddress(bareAddress(from), recipient)
  })
}

type HeaderField = readonly [name: string, value: string]

/**
 * Returns the header field that marks a message as written by a program or sent to a list, to which no
 * program should reply; undefined if there is none.
 * @see RFC 3834 section 2, RFC 2919, RFC 2369, RFC 3464, RFC 8098; docs/expectations.md
 */
export function automaticField(fields: readonly HeaderField[]): HeaderField | undefined {
  return fields.find(([name, value]) => marks.get(name.toLowerCase())?.test(value.trim()))
}

/** The values that are a mark, by the name of the field. */
const marks: ReadonlyMap<string, RegExp> = new Map([
  ['auto-submitted', /^(?!no\b)./i],
  ['precedence', /^(bulk|list|junk|auto[_-]?reply)\b/i],
  ['list-id', /./],
  ['list-unsubscribe', /./],
  ['x-autoreply', /^(?!no\b)/i],
  ['x-autorespond', /^(?!no\b)/i],
  // Its other values suppress receipts only.
  ['x-auto-response-suppress', /\b(all|oof|autoreply)\b/i],
  // Bounces, receipts and reports of abuse.
  ['content-type', /^multipart\/report\b/i],
  // Bounces have a null return path, so that no bounce is returned for them.
  ['return-path', /^<\s*>$/],
])
