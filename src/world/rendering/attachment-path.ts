import type { AttachmentRow } from '../../model/index.js'

/** Path of a stored file below the site's base: the id says which, the name is for people. */
export function attachmentPath({ id, filename }: AttachmentRow): string {
  // URLs take a segment of one or two dots for a way up, percent-encoded or not.
  const name = /^\.{1,2}$/.test(filename) ? '' : `/${encodeURIComponent(filename.toWellFormed())}`
  return `/attachments/${id}${name}`
}
