import type { AssumptionOf, Assumptions } from '../gaps.js'
import type { AttachmentEntry } from '../resources.js'
import type { SchemaObject } from './document.js'

type EntryField = keyof AttachmentEntry

/** The fields of an attachment's entry under each assumption; all of them are always there. */
const fieldsUnder: Readonly<Record<AssumptionOf<'messages.attachment-entry'>, readonly EntryField[]>> = {
  full: ['id', 'filename', 'content_type', 'size_bytes', 'content_id', 'url'],
  'url-only': ['url'],
  'download-url': ['id', 'filename', 'content_type', 'size', 'download_url'],
}

/**
 * Returns the schema of an attachment's entry as an assumption shows it, with an example. Generators ignore that one of two
 * fields is required, so without this their clients have no URL.
 */
export function entryUnder(whole: SchemaObject, assumptions: Assumptions, server: string): SchemaObject {
  const { anyOf, properties = {}, ...schema } = whole
  const fields = fieldsUnder[assumptions['messages.attachment-entry']]
  const example = exampleFrom(server)
  return {
    ...schema,
    properties: Object.fromEntries(fields.map((field) => [field, properties[field] ?? {}])),
    required: fields,
    examples: [Object.fromEntries(fields.map((field) => [field, example[field]]))],
  }
}

function exampleFrom(server: string): Required<AttachmentEntry> {
  const url = `${server}/attachments/att_7h/invoice.pdf`
  return {
    id: 'att_7h',
    filename: 'invoice.pdf',
    content_type: 'application/pdf',
    size_bytes: 512,
    size: 512,
    content_id: null,
    url,
    download_url: url,
  }
}
