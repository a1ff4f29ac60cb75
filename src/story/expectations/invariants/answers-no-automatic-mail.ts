import { automaticField } from '../../../mail/automatic.js'
import type { MailboxStore } from '../../../service/model/mailbox-store.js'
import type { MessageRow } from '../../../service/model/rows.js'
import type { SentMail } from '../../../service/world/sent-mail.js'
import type { Invariant } from './invariant.js'
import { answeredBy, bareAddress, reminder, watchMail } from './mail.js'

/** The agent does not reply to mail from programs and lists. */
export const answersNoAutomaticMail: Invariant = {
  advice:
    'Do not reply to mail with one of the header fields in docs/fuzz.md: Auto-Submitted other than no, Precedence bulk, list or junk, List-Id, a null Return-Path, multipart/report and others.',
  watch: watchMail('no reply to automatic mail', ({ assumptions, store }) => {
    /** Whether the agent reads the bytes of messages, which have all header fields. */
    let readsRaw = false
    return {
      note(observation) {
        if (observation.type === 'exchange' && observation.exchange.operation === 'messages.raw')
          readsRaw = true
      },
      judge(mail) {
        // It cannot know what no response shows.
        if (assumptions.current()['messages.headers'] === 'omitted' && !readsRaw) return undefined
        const answered = calledFor(mail, store)
        const marks = answered.map(({ headers, further_headers }) =>
          automaticField(headers ?? further_headers ?? []),
        )
        const [mark] = marks
        if (!mark || marks.includes(undefined)) return undefined
        const differences = answered.map(({ id, from }) => `it replies to ${id} from ${bareAddress(from)}`)
        return { found: `a reply to automatic mail, ${mark.join(': ')}`, differences }
      },
    }
  }),
}

/**
 * Returns the received messages that called for a message: the one that it names, or those that came in the last day,
 * since the mailbox last wrote to the thread.
 */
function calledFor(mail: SentMail, store: MailboxStore): MessageRow[] {
  const { message, answered } = mail
  const received = answeredBy(mail, store).filter(({ direction }) => direction === 'inbound')
  if (answered !== null) return received
  const rows = store.rows('message', store.messages(message.thread_id).page({ order: 'created' }))
  const last = rows.findLast((row) => row.direction === 'outbound' && row.ordinal < message.ordinal)
  return received.filter(({ ordinal, created_at }) => {
    return ordinal > (last?.ordinal ?? -1) && created_at > message.created_at - reminder
  })
}
