import { operations } from '../contract/operations.js'
import type { AttachmentRow, MailboxStore, OrganizationRow } from '../model/index.js'
import type { Worlds } from '../world/index.js'
import { authenticate } from './authentication.js'
import type { Reply } from './reply.js'
import type { RequestContext } from './request.js'
import { notFound } from './request-error.js'

/** The id of the stored file a path names; undefined when it names none. */
export function attachmentIdOf(path: string): string | undefined {
  return /^\/attachments\/(att_[0-9a-z]+)(?:\/[^/]*)?$/.exec(path)?.[1]
}

/** Answers with a stored file. @throws RequestError @see interface 2.3 */
export function storedFile(id: string, worlds: Worlds, context: RequestContext): Reply {
  const { selected, key, settle } = context
  const { store } = selected.world
  const file = settle('messages.attachment-url', {
    // Whoever brings a key is in one world; to whoever brings none, the id alone says which file it is.
    open: () => store.get('attachment', id) ?? (key === undefined ? worlds.findAttachment(id) : undefined),
    required: () => ownFile(store, authenticate(operations['messages.list'], context), id),
  })
  return file ? fileReply(file) : notFound('attachment', id)
}

/** The stored file of that id, if the organization could find it in its list of messages. */
function ownFile(store: MailboxStore, { id }: OrganizationRow, fileId: string): AttachmentRow | undefined {
  const file = store.get('attachment', fileId)
  const message = file && store.get('message', file.message_id)
  return message?.organization_id === id ? file : undefined
}

/** A media type a header can carry, with or without parameters. */
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+ *(;[\x20-\x7e]*)?$/

function fileReply({ content, content_type, filename }: AttachmentRow): Reply {
  return {
    status: 200,
    headers: {
      'content-type': mediaType.test(content_type) ? content_type : 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeFilename(filename)}`,
      // A file came from a stranger: a browser that opens it must not run it.
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    },
    body: {
      bytes: () => Uint8Array.from(atob(content), (character) => character.charCodeAt(0)),
      size: content.length,
    },
  }
}

/** Percent-encoding for an RFC 8187 extended value, which allows less than a URL does. */
function encodeFilename(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  )
}
