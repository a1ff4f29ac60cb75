import { type ParsedMail, toBase64 } from '../../mail/index.js'
import type { Scenario, ScenarioAttachment, ScenarioMessage } from '../format/index.js'
import { type FiledMail, parseMailFile, readMailFolder } from '../maildir/mail-folder.js'
import type { Path, ProblemAt } from '../problems/problem.js'
import type { ScenarioFiles } from '../source/files.js'
import { FileError } from '../source/files.js'
import type { Agent } from './parts.js'

/** A file on its way into a message. */
export interface FileToAttach {
  readonly filename: string
  readonly content_type: string
  readonly content_id: string | null
  /** Base64. */
  readonly content: string
}

/** What the files that a mail or an identity names hold. */
export interface Enclosed {
  /** The mail of its `.eml` file. */
  readonly eml?: ParsedMail | undefined
  readonly files?: readonly FileToAttach[]
  readonly folders?: readonly (readonly FiledMail[])[]
}

/** Reads every file that a scenario names: by the message, the entry's mail or the identity that names it. */
export async function readEnclosures(
  agents: readonly Agent[],
  { timeline }: Scenario,
  files: ScenarioFiles,
): Promise<EnclosureReader> {
  const reader = new EnclosureReader(files)
  for (const { identity, path, threads } of agents) {
    for (const { messages } of threads) {
      for (const own of messages) await reader.readMessage(own.message, own.path)
    }
    await reader.readFolders(identity, identity.maildir, [...path, 'maildir'])
  }
  for (const [index, { receive, send }] of timeline.entries()) {
    if (receive) await reader.readMail(receive, ['timeline', index, 'receive'])
    if (send) await reader.readMail(send, ['timeline', index, 'send'])
  }
  return reader
}

type NamesFiles = Pick<ScenarioMessage, 'eml' | 'attachments'>

class EnclosureReader {
  /** What the files hold, by the message, the entry's mail or the identity that names them. */
  readonly enclosed = new Map<object, Enclosed>()
  readonly problems: ProblemAt[] = []
  /** What can be used and hardly is what was meant. */
  readonly warnings: string[] = []
  readonly #files: ScenarioFiles
  /** What was read, by name: repeated mail shares it. */
  readonly #mails = new Map<string, Promise<ParsedMail>>()
  readonly #contents = new Map<string, Promise<string>>()

  constructor(files: ScenarioFiles) {
    this.#files = files
  }

  async readMessage(message: ScenarioMessage, path: Path): Promise<void> {
    if (message.maildir === undefined) return this.readMail(message, path)
    for (const [key, value] of Object.entries(message)) {
      if (value === undefined || key === 'maildir' || key === 'direction') continue
      this.#problem([...path, key], `"${key}" does not go with "maildir", which takes direction alone`)
    }
    return this.readFolders(message, message.maildir, [...path, 'maildir'])
  }

  async readMail(mail: NamesFiles, path: Path): Promise<void> {
    const { eml: file, attachments = [] } = mail
    if (file === undefined && attachments.length === 0) return
    const read = async (name: string) => {
      const warning = (message: string) => void this.warnings.push(message)
      // A name of several lines is none.
      if (name.includes('\n')) return parseMailFile('the mail', new TextEncoder().encode(name), warning)
      return parseMailFile(name, await this.#files.read(name), warning)
    }
    const eml =
      file === undefined
        ? undefined
        : await this.#try([...path, 'eml'], () => once(this.#mails, file, () => read(file)))
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
    const read: (readonly FiledMail[])[] = []
    for (const [index, folder] of [folders].flat().entries()) {
      const place = typeof folders === 'string' ? path : [...path, index]
      const problem = (at: Path, message: string): void => this.#problem(at, message)
      const warning = (message: string) => void this.warnings.push(message)
      read.push(await readMailFolder({ files: this.#files, problem, warning }, folder, place))
    }
    this.enclosed.set(owner, { folders: read })
  }

  async #readAttachment(attachment: ScenarioAttachment, path: Path): Promise<FileToAttach | undefined> {
    const wanted: Exclude<ScenarioAttachment, string> =
      typeof attachment === 'string' ? { file: attachment } : attachment
    const { file, text } = wanted
    const filename = wanted.filename ?? file?.split('/').at(-1) ?? 'attachment.txt'
    let content = wanted.content
    if (content === undefined && text !== undefined) content = toBase64(new TextEncoder().encode(text))
    else if (content === undefined && file !== undefined) {
      const read = async () => toBase64(await this.#files.read(file))
      content = await this.#try(path, () => once(this.#contents, file, read))
    } else if (content === undefined) {
      this.#problem(path, 'an attachment has a file, a content in base64, or a text')
    }
    const content_type = wanted.content_type ?? contentTypeOf(filename)
    return content === undefined
      ? undefined
      : { filename, content_type, content_id: wanted.content_id ?? null, content }
  }

  /** What reading gives; a file that cannot be used is a problem. */
  async #try<Value>(path: Path, read: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      this.#problem(path, error.message)
      return undefined
    }
  }

  #problem(path: Path, message: string): void {
    this.problems.push({ path, message })
  }
}

function once<Value>(
  made: Map<string, Promise<Value>>,
  name: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const value = made.get(name) ?? make()
  made.set(name, value)
  return value
}

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
  const ending = filename.split('.').at(-1)?.toLowerCase() ?? ''
  return (Object.hasOwn(types, ending) ? types[ending] : undefined) ?? 'application/octet-stream'
}
