import { composeEml } from '../../mail/compose-eml.js'
import { fromBase64 } from '../../mail/transfer-encoding.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { MessageRow } from '../model/rows.js'
import { headerFieldsOf } from './header-fields.js'

/** Returns a message in RFC 5322 format: byte for byte as it was received, or else composed from its row. */
export function rawMessage(row: MessageRow, store: MailboxStore): Uint8Array<ArrayBuffer> {
  if (row.raw !== undefined) return fromBase64(row.raw)
  const { text, html } = store.bodyOf(row)
  const attachments = store.rows('attachment', row.attachment_ids).map((file) => {
    const { filename, content_type, content_id, content } = file
    return { filename, contentType: content_type, contentId: content_id, content }
  })
  const composed = composeEml({ headers: headerFieldsOf(row, store), text, html, attachments })
  return new TextEncoder().encode(composed)
}
