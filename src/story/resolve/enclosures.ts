import type { Path } from '../../base/mistake.js'
import { contentTypeOf } from '../../mail/media-types.js'
import type { ParsedMail } from '../../mail/parsed-mail.js'
import { toBase64 } from '../../mail/transfer-encoding.js'
import type { AttachmentRow } from '../../service/model/rows.js'
import type { ProblemAt } from '../problems/problem.js'
import type { ScenarioAttachment, ScenarioMessage } from '../schema/mail.js'
import { reasonOf, type ScenarioFiles } from '../source/files.js'
import { type FiledMail, parseMailFile, readMailFolder } from './mail-folder.js'
import type { Agent } from './parts.js'

/** A file to be attached to a message. */
export type FileToAttach = Pick<AttachmentRow, 'filename' | 'content_type' | 'content_id' | 'content'>

/** The contents of the files that a message or an identity names. */
export interface Enclosed {
  /** The message in its `.eml` file. */
  readonly eml?: ParsedMail | undefined
  readonly files?: readonly FileToAttach[]
  readonly folders?: readonly (readonly FiledMail[])[]
}

type MailWithFiles = Pick<ScenarioMessage, 'eml' | 'attachments'>

/** Reads every file that the mailboxes of agents and the `mails` of a timeline name. */
export async function readEnclosures(
  agents: readonly Agent[],
  mails: readonly { readonly mail: MailWithFiles; readonly path: Path }[],
  files: ScenarioFiles,
): Promise<EnclosureReader> {
  const reader = new EnclosureReader(files)
  for (const { identity, path, threads } of agents) {
    for (const { message, path: own } of threads.flatMap(({ messages }) => messages)) {
      if (message.maildir === undefined) await reader.readMail(message, own)
      else await reader.readMessagesOf(message, message.maildir, own)
    }
    await reader.readFolders(identity, identity.maildir, [...path, 'maildir'])
  }
  for (const { mail, path } of mails) await reader.readMail(mail, path)
  return reader
}

class EnclosureReader {
  /** The contents of files, by the message, the entry or the identity that names them. */
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

  /** Reads the folder that a message of a written thread names. */
  async readMessagesOf(message: ScenarioMessage, maildir: string, path: Path): Promise<void> {
    for (const [key, value] of Object.entries(message)) {
      if (value === undefined || key === 'maildir' || key === 'direction') continue
      this.#problem([...path, key], `"${key}" does not go with "maildir", which allows only direction`)
    }
    return this.readFolders(message, maildir, [...path, 'maildir'])
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

  async readFolders(
    owner: object,
    folders: string | readonly string[] | undefined,
    path: Path,
  ): Promise<void> {
    if (folders === undefined) return
    const assumption = { files: this.#files, problem: this.#problem, warning: this.#warning }
    const read: (readonly FiledMail[])[] = []
    for (const [index, folder] of [folders].flat().entries()) {
      const place = typeof folders === 'string' ? path : [...path, index]
      read.push(await readMailFolder(assumption, folder, place))
    }
    this.enclosed.set(owner, { folders: read })
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
