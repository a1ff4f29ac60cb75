import type { AttachmentRow } from '../model/index.js'
import type { Destination, Settle, Worlds } from '../world/index.js'
import { Content } from './content.js'
import { notFound, Refusal } from './refusal.js'
import type { Reply } from './reply.js'

/** Path of a stored file below the site's base: the id says which, the name is for people. */
export function attachmentPath(file: AttachmentRow): string {
  return `/attachments/${file.id}/${encodeURIComponent(file.filename.toWellFormed())}`
}

/** The id of the stored file a path names; undefined when it names none. */
export function attachmentIdOf(path: string): string | undefined {
  return /^\/attachments\/(att_[0-9a-z]+)(?:\/[^/]*)?$/.exec(path)?.[1]
}

/** The answer with a stored file. @throws Refusal @see interface 2.3 */
export function storedFile(
  id: string,
  {
    worlds,
    caller,
    key,
    settle,
  }: {
    readonly worlds: Worlds
    readonly caller: Destination
    readonly key: string | undefined
    readonly settle: Settle
  },
): Reply {
  if (key === undefined) {
    settle('messages.attachment-url', {
      open: () => undefined,
      required: () => {
        throw new Refusal('unauthorized', 'A stored file needs the header Authorization: Bearer <key>.')
      },
    })
  }
  const file = key === undefined ? worlds.findAttachment(id) : caller.world.store.get('attachment', id)
  return file ? fileReply(file) : notFound('attachment', id)
}

function fileReply(file: AttachmentRow): Reply {
  return {
    status: 200,
    headers: {
      'content-type': file.content_type,
      'content-disposition': `attachment; filename*=UTF-8''${encodeFilename(file.filename)}`,
      // A file came from a stranger: a browser that opens it must not run it.
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    },
    content: new Content([Uint8Array.from(atob(file.content), (character) => character.charCodeAt(0))]),
  }
}

/** Percent-encoding for an RFC 8187 extended value, which allows less than a URL does. */
function encodeFilename(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  )
}
