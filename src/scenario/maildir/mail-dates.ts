import { type ParsedMail, receivedDate } from '../../mail/index.js'
import type { MessageRow } from '../../model/index.js'
import { parseInstant } from '../../world/index.js'

/** What of a mail tells its time. */
export type MailToDate = Pick<ParsedMail, 'date' | 'headers' | 'messageId' | 'answered' | 'references'>

const minute = 60_000
const endOfTime = parseInstant('9999-12-31T23:59:59.999Z') as number

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
  const dates = [...mails.map(ownDate), ...others.map(({ created_at }) => created_at)]
  const ids = [...mails.map(({ messageId }) => messageId), ...others.map(({ message_id }) => message_id)]
  const positions = new Map<string, number>()
  for (const [position, id] of ids.entries()) {
    if (id !== null && !positions.has(id)) positions.set(id, position)
  }
  for (const position of mails.keys()) {
    const undated = new Set<number>()
    let at: number | undefined = position
    // Not by recursion: a chain of undated mails may be as long as the mailbox, or lead back to itself
    while (at !== undefined && dates[at] === undefined && !undated.has(at)) {
      undated.add(at)
      at = answeredBy(mails[at] as MailToDate, positions)
    }
    let date = at === undefined ? undefined : dates[at]
    for (const answer of [...undated].reverse()) {
      date = date === undefined ? start : Math.min(date + minute, endOfTime)
      dates[answer] = date
    }
  }
  return dates.slice(0, mails.length) as number[]
}

function ownDate(mail: MailToDate): number | undefined {
  const date = mail.date ?? receivedDate(mail)
  return date === null ? undefined : parseInstant(date)
}

/** Where the mail is that a mail answers: the nearest of those it names that is there. */
function answeredBy(
  { messageId, answered, references }: MailToDate,
  positions: ReadonlyMap<string, number>,
): number | undefined {
  const named = [...answered, ...references.toReversed()]
  return positions.get(named.find((id) => id !== messageId && positions.has(id)) ?? '')
}
