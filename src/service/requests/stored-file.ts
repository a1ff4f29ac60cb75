import { operations } from '../../contract/operations.js'
import { fromBase64 } from '../../mail/transfer-encoding.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { AttachmentRow, OrganizationRow } from '../model/rows.js'
import { authenticate } from '../operations/operation.js'
import type { Reply } from '../operations/reply.js'
import type { RequestContext } from '../operations/request.js'
import { notFound } from '../operations/request-error.js'
import type { Worlds } from '../world/worlds.js'
import { answerOtherMethod } from './undocumented.js'

/** Responds with a stored file. @throws RequestError @see interface 2.3 */
export function storedFile(id: string, worlds: Worlds, context: RequestContext): Reply {
  const { selected, key, settle, request } = context
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return answerOtherMethod(
      context,
      ['GET'],
      () => `A stored file supports only GET, not ${request.method}.`,
    )
  }
  const { store } = selected.world
  const file = settle('messages.attachment-url', {
    // A key selects one world; without a key, the id alone identifies the file.
    open: () => store.get('attachment', id) ?? (key === undefined ? worlds.findAttachment(id) : undefined),
    required: () => ownFile(store, authenticate(operations['messages.list'], context), id),
  })
  return file ? fileReply(file) : notFound('attachment', id)
}

/** Returns a stored file if it belongs to a message of the organization. */
function ownFile(store: MailboxStore, { id }: OrganizationRow, fileId: string): AttachmentRow | undefined {
  const file = store.get('attachment', fileId)
  const message = file && store.get('message', file.message_id)
  return message?.organization_id === id ? file : undefined
}

/** A media type that a header can carry, with or without parameters. */
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+ *(;[\x20-\x7e]*)?$/

function fileReply({ content, content_type, filename }: AttachmentRow): Reply {
  return {
    status: 200,
    headers: {
      'content-type': mediaType.test(content_type) ? content_type : 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeFilename(filename)}`,
      // Files come from strangers: a browser that opens one must not run it.
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    },
    body: { bytes: () => fromBase64(content), size: content.length },
  }
}

/** Percent-encodes an RFC 8187 extended value, which allows fewer characters than a URL. */
function encodeFilename(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  )
}
