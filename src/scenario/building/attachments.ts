import { sizeOfBase64, toBase64 } from '../../mail/index.js'
import type { ScenarioAttachment } from '../format/index.js'
import { FileError } from '../source/file-error.js'
import { type Building, idFor, type ScenarioPath } from './building.js'

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  eml: 'message/rfc822',
  gif: 'image/gif',
  html: 'text/html',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  zip: 'application/zip',
}

/** The media type a file's name suggests. */
export function contentTypeOf(filename: string): string {
  return types[filename.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}

/** A file on its way into a message. */
export interface FileToAttach {
  readonly filename: string
  readonly content_type: string
  readonly content_id: string | null
  /** Base64. */
  readonly content: string
}

/** Adds files to the base as those of a message; gives back their ids. */
export function attachFiles(
  building: Building,
  messageId: string,
  messageName: string,
  files: readonly FileToAttach[],
): string[] {
  return files.map((file, index) => {
    const id = idFor(building, 'attachment', `${messageName}/attachments/${index}`)
    building.builder.add('attachment', {
      id,
      message_id: messageId,
      size_bytes: sizeOfBase64(file.content),
      ...file,
    })
    return id
  })
}

/** Reads the attachments a message of a scenario lists. */
export async function readAttachments(
  building: Building,
  attachments: readonly ScenarioAttachment[],
  path: ScenarioPath,
): Promise<FileToAttach[]> {
  const read: FileToAttach[] = []
  for (const [index, attachment] of attachments.entries()) {
    const file = await readAttachment(building, attachment, [...path, index])
    if (file) read.push(file)
  }
  return read
}

async function readAttachment(
  building: Building,
  attachment: ScenarioAttachment,
  path: ScenarioPath,
): Promise<FileToAttach | undefined> {
  const wanted = typeof attachment === 'string' ? { file: attachment } : attachment
  const filename = wanted.filename ?? wanted.file?.split('/').at(-1) ?? 'attachment.txt'
  const content = await contentOf(building, wanted, path)
  if (content === undefined) return undefined
  return {
    filename,
    content_type: wanted.content_type ?? contentTypeOf(filename),
    content_id: wanted.content_id ?? null,
    content,
  }
}

async function contentOf(
  building: Building,
  wanted: Exclude<ScenarioAttachment, string>,
  path: ScenarioPath,
): Promise<string | undefined> {
  if (wanted.content !== undefined) return wanted.content
  if (wanted.text !== undefined) return toBase64(new TextEncoder().encode(wanted.text))
  if (wanted.file === undefined) {
    building.problem(path, 'an attachment has a file, a content in base64, or a text')
    return undefined
  }
  try {
    return toBase64(await building.files.read(wanted.file))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    building.problem(path, error.message)
    return undefined
  }
}
