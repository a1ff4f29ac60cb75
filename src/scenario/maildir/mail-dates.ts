import { type MailToThread, type ParsedMail, threadingFacts } from '../../mail/index.js'
import type { MessageRow } from '../../model/index.js'

const minute = 60_000
const endOfTime = 253_402_300_799_999

/** What of a mail tells its time. */
export type MailToDate = Pick<ParsedMail, 'headers' | 'messageId' | 'inReplyTo'>

/**
 * When each mail was written, in milliseconds since the epoch: by its own Date; where that is missing or no
 * date, by the latest usable one of its Received headers; else a minute after the mail it answers; else at
 * `start`.
 * @param others Messages that may be answered besides.
 */
export function datesOf(
  mails: readonly MailToDate[],
  start: number,
  others: readonly Pick<MessageRow, 'message_id' | 'created_at'>[] = [],
): number[] {
  const facts = mails.map(({ headers, messageId, inReplyTo }) => {
    return threadingFacts({
      id: '',
      message_id: messageId,
      in_reply_to: inReplyTo,
      headers,
      created_at: start,
    })
  })
  const known = others.map(({ message_id, created_at }) => {
    return { messageId: message_id, named: [], date: created_at }
  })
  return writtenAt([...facts, ...known], start).slice(0, mails.length)
}

function writtenAt(
  mails: readonly Pick<MailToThread, 'messageId' | 'named' | 'date'>[],
  start: number,
): number[] {
  const dates = mails.map(({ date }) => date)
  const positions = new Map<string, number>()
  for (const [position, { messageId }] of mails.entries()) {
    if (messageId !== null && !positions.has(messageId)) positions.set(messageId, position)
  }
  for (const position of mails.keys()) {
    const undated = new Set<number>()
    let at: number | undefined = position
    // Not by recursion: a chain of undated mails may be as long as the mailbox, or lead back to itself
    while (at !== undefined && dates[at] === undefined && !undated.has(at)) {
      undated.add(at)
      const { named, messageId } = mails[at] as (typeof mails)[number]
      at = positions.get(named.findLast((id) => id !== messageId && positions.has(id)) ?? '')
    }
    let date = at === undefined ? undefined : dates[at]
    for (const answer of [...undated].reverse()) {
      date = date === undefined ? start : Math.min(date + minute, endOfTime)
      dates[answer] = date
    }
  }
  return dates as number[]
}
