import type { HeaderField, MessageRow } from '../../model/index.js'
import { formatMailDate } from '../time.js'

/** The RFC 5322 header fields of a message: those it came with, else those that follow from its row. */
export function headerFieldsOf(row: MessageRow): readonly HeaderField[] {
  if (row.headers) return row.headers
  const answered: HeaderField[] = row.in_reply_to === null ? [] : [['In-Reply-To', row.in_reply_to]]
  return [
    ['Message-ID', row.message_id ?? messageIdOf(row)],
    ['Date', formatMailDate(row.created_at)],
    ['From', row.from],
    ['To', row.to.join(', ')],
    ['Subject', row.subject],
    ...answered,
    ['MIME-Version', '1.0'],
  ]
}

/** The Message-ID of a message that came without one: its id at the sender's domain. */
function messageIdOf(row: MessageRow): string {
  const domain = /@([^@>\s]+)>?$/.exec(row.from)?.[1] ?? 'mail.invalid'
  return `<${row.id}@${domain}>`
}
