import type { Path } from '../../base/mistake.js'
import { suspicionAbout } from '../../mail/mbox.js'
import { contentTypeOf } from '../../mail/media-types.js'
import { parseEml } from '../../mail/parse-eml.js'
import { MailLimitError, type ParsedMail } from '../../mail/parsed-mail.js'
import { toBase64 } from '../../mail/transfer-encoding.js'
import type { AttachmentRow } from '../../service/model/rows.js'
import type { ScenarioAttachment, ScenarioMessage } from '../format/mail.js'
import { FileError, reasonOf, type ScenarioFiles } from '../read/files.js'
import type { ProblemAt } from '../read/problem.js'
import type { Agent } from './parts.js'

/** A file to be attached to a message. */
export type FileToAttach = Pick<AttachmentRow, 'filename' | 'content_type' | 'content_id' | 'content'>

/** The contents of the files that a message names. */
export interface Enclosed {
  /** The message in its `.eml` file. */
  readonly eml?: ParsedMail | undefined
  readonly files?: readonly FileToAttach[]
}

type MailWithFiles = Pick<ScenarioMessage, 'eml' | 'attachments'>

/** Reads every file that the messages of agents and the `mails` of a timeline name. */
export async function readEnclosures(
  agents: readonly Agent[],
  mails: readonly { readonly mail: MailWithFiles; readonly path: Path }[],
  files: ScenarioFiles,
): Promise<EnclosureReader> {
  const reader = new EnclosureReader(files)
  for (const { threads } of agents) {
    for (const { message, path } of threads.flatMap(({ messages }) => messages)) {
      await reader.readMail(message, path)
    }
  }
  for (const { mail, path } of mails) await reader.readMail(mail, path)
  return reader
}

class EnclosureReader {
  /** The contents of files, by the message or the entry that names them. */
  readonly enclosed = new Map<object, Enclosed>()
  readonly problems: ProblemAt[] = []
  /** Input that is valid but probably not intended. */
  readonly warnings: string[] = []
  readonly #files: ScenarioFiles
  /** Files by name, since repeated mail shares them. */
  readonly #mails = new Map<string, Promise<ParsedMail>>()
  readonly #contents = new Map<string, Promise<string>>()
  readonly #problem = (path: Path, message: string): void => void this.problems.push({ path, message })
  readonly #warning = (message: string): void => void this.warnings.push(message)

  constructor(files: ScenarioFiles) {
    this.#files = files
  }

  async readMail(mail: MailWithFiles, path: Path): Promise<void> {
    const { eml: file, attachments = [] } = mail
    if (file === undefined && attachments.length === 0) return
    const eml = file === undefined ? undefined : await this.#readEml(file, [...path, 'eml'])
    const files: FileToAttach[] = []
    for (const [index, attachment] of attachments.entries()) {
      const read = await this.#readAttachment(attachment, [...path, 'attachments', index])
      if (read) files.push(read)
    }
    this.enclosed.set(mail, { eml, files })
  }

  /** Reads an `.eml` file; a name of several lines is the message itself. */
  #readEml(name: string, path: Path): Promise<ParsedMail | undefined> {
    return this.#once(this.#mails, name, path, async () => {
      const isMail = name.includes('\n')
      const source = isMail ? new TextEncoder().encode(name) : await this.#files.read(name)
      return parseMailFile(isMail ? 'the mail' : name, source, this.#warning)
    })
  }

  async #readAttachment(attachment: ScenarioAttachment, path: Path): Promise<FileToAttach | undefined> {
    const wanted: Exclude<ScenarioAttachment, string> =
      typeof attachment === 'string' ? { file: attachment } : attachment
    const { file, text } = wanted
    const filename = wanted.filename ?? file?.split('/').at(-1) ?? 'attachment.txt'
    let content = wanted.content
    if (content === undefined && text !== undefined) content = toBase64(new TextEncoder().encode(text))
    else if (content === undefined && file !== undefined) {
      content = await this.#once(this.#contents, file, path, async () =>
        toBase64(await this.#files.read(file)),
      )
    } else if (content === undefined) {
      this.#problem(path, 'an attachment has a file, a content in base64, or a text')
    }
    const content_type = wanted.content_type ?? contentTypeOf(filename)
    return content === undefined
      ? undefined
      : { filename, content_type, content_id: wanted.content_id ?? null, content }
  }

  /** Returns what was read under a name, or reads it; a file that cannot be used is a problem. */
  async #once<Value>(
    known: Map<string, Promise<Value>>,
    name: string,
    path: Path,
    read: () => Promise<Value>,
  ): Promise<Value | undefined> {
    const value = known.get(name) ?? read()
    known.set(name, value)
    try {
      return await value
    } catch (error) {
      this.#problem(path, reasonOf(error))
      return undefined
    }
  }
}

/** Parses a mail file; warns if it hardly looks like a message. @throws FileError if it exceeds the limits of a message */
export function parseMailFile(
  name: string,
  source: Uint8Array,
  warn?: (warning: string) => void,
): ParsedMail {
  const doubt = warn && suspicionAbout(source)
  if (doubt !== undefined) warn?.(`"${name}" ${doubt}`)
  try {
    return parseEml(source)
  } catch (error) {
    if (!(error instanceof MailLimitError)) throw error
    throw new FileError('too-large', name, `is not read: ${error.message}`)
  }
}
