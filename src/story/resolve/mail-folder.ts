import type { Path } from '../../base/mistake.js'
import { isMbox, mailsOfMbox, suspicionAbout } from '../../mail/mbox.js'
import { parseEml } from '../../mail/parse-eml.js'
import { MailLimitError, type ParsedMail } from '../../mail/parsed-mail.js'
import {
  assertSize,
  FileError,
  type FolderEntry,
  maxMailFileBytes,
  reasonOf,
  type ScenarioFiles,
} from '../source/files.js'
import { nameParts } from './parts.js'

/** A message that was read from a folder. */
export interface FiledMail {
  /**
   * The name on which its drawn values depend, so that they stay the same when other messages are added or
   * removed.
   */
  readonly name: string
  readonly mail: ParsedMail
  /** Whether the mail program that stored it marked it as read. */
  readonly seen: boolean
}

/** Where a folder is read from, and where problems are reported. */
export interface FolderReading {
  readonly files: ScenarioFiles
  problem(path: Path, message: string): void
  /** Called with warnings: input that is valid but probably not intended. */
  warning(message: string): void
}

/** The maximum amount of mail in a folder or an mbox: the number of messages, and their total size in MiB. */
const usualLimits = { files: 100_000, mebibytes: 1024 }
const mebibyte = 1024 * 1024
const mostProblems = 3

/**
 * Reads the mail of a folder beside the scenario, sorted by name in code unit order. Reports files that cannot be
 * read as problems, and then returns no mail.
 * @param path The path in the scenario that names the folder.
 */
export async function readMailFolder(
  reading: FolderReading,
  folder: string,
  path: Path,
  limits = usualLimits,
): Promise<readonly FiledMail[]> {
  const problems: string[] = []
  const mails = await mailIn(reading, folder, limits, problems).catch((error: unknown) => {
    problems.splice(0, problems.length, reasonOf(error))
  })
  for (const problem of problems.slice(0, mostProblems)) reading.problem(path, problem)
  const further = problems.length - mostProblems
  if (further > 0) reading.problem(path, `${further} more of the files in "${folder}" cannot be used`)
  return problems.length > 0 ? [] : (mails ?? [])
}

/**
 * Returns the mail of a folder or an mbox; adds the problems of single messages. @throws FileError if none is
 * usable
 */
async function mailIn(
  { files, warning }: FolderReading,
  folder: string,
  limits: typeof usualLimits,
  problems: string[],
): Promise<FiledMail[]> {
  const found = await findMail(files, folder, limits.files).catch((error: unknown) => {
    if (error instanceof FileError && error.code === 'wrong-kind') return undefined
    throw error
  })
  if (found === undefined) {
    const source = await files.read(folder, limits.mebibytes * mebibyte)
    return mailOfMbox(source, folder, limits, problems)
  }
  if (found.length === 0) {
    const message = `there is no mail in "${folder}"; expected .eml files, or a Maildir with cur and new`
    throw new FileError('missing', folder, 'holds no mail', message)
  }
  if (found.length > limits.files) throw tooMany(folder, limits)
  const mails: FiledMail[] = []
  let left = limits.mebibytes * mebibyte
  // While a message moves from one folder of a Maildir to the other, it may be in both.
  for (const [name, { path, seen }] of nameParts(found, (file) => file.name)) {
    try {
      const source = await files.read(path)
      left -= source.length
      if (left >= 0) mails.push({ name, seen, mail: parseMailFile(path, source, warning) })
    } catch (error) {
      problems.push(reasonOf(error))
    }
    if (left >= 0) continue
    const { mebibytes } = limits
    throw new FileError('too-large', folder, `holds more than ${mebibytes} MiB of mail, which is the limit`)
  }
  return mails
}

/** Returns the mail of an mbox, named by Message-ID, or else by position. */
function mailOfMbox(
  source: Uint8Array,
  file: string,
  limits: typeof usualLimits,
  problems: string[],
): FiledMail[] {
  if (!isMbox(source)) {
    const reason = 'is a file but not an mbox; expected a folder of .eml files, a Maildir or an mbox'
    throw new FileError('wrong-kind', file, reason)
  }
  const mails: ParsedMail[] = []
  let count = 0
  for (const one of mailsOfMbox(source)) {
    count++
    if (count > limits.files) throw tooMany(file, limits)
    const name = `${file}, mail ${count}`
    try {
      assertSize(name, one.length, maxMailFileBytes)
      mails.push(parseMailFile(name, one))
    } catch (error) {
      problems.push(reasonOf(error))
    }
  }
  return nameParts(mails, ({ messageId }) => messageId ?? 'mail').map(([name, mail]) => {
    return { name, mail, seen: isMarkedRead(mail) }
  })
}

function tooMany(folder: string, { files }: typeof usualLimits): FileError {
  return new FileError('too-large', folder, `holds more than ${files} messages, which is the limit`)
}

/** Returns whether the mail program that wrote an mbox marked a message as read. */
function isMarkedRead({ headers }: ParsedMail): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'status' && value.includes('R'))
}

/**
 * Parses a mail file; warns if it hardly looks like a message. @throws FileError if it exceeds the limits of
 * a message
 */
export function parseMailFile(
  name: string,
  source: Uint8Array,
  warning?: (message: string) => void,
): ParsedMail {
  const doubt = warning && suspicionAbout(source)
  if (doubt !== undefined) warning?.(`"${name}" ${doubt}`)
  try {
    return parseEml(source)
  } catch (error) {
    if (!(error instanceof MailLimitError)) throw error
    throw new FileError('too-large', name, `is not read: ${error.message}`)
  }
}

/** A mail file, named by its path in the folder or, in a Maildir, without the flags that reading it changes. */
interface MailFile extends Pick<FiledMail, 'name' | 'seen'> {
  /** The name to pass to `ScenarioFiles`. */
  readonly path: string
}

const emlName = /\.eml$/i
// Programs replace the colon where file names must not contain one.
const maildirFlags = /[:;!]2,([A-Za-z]*)$/

/**
 * Finds the mail of a folder beside a scenario, sorted by name in code unit order: every `.eml` file in it and in
 * the folders below it or, if it is a Maildir, every file of its `cur` and `new`. Skips names that begin with a dot
 * and links to folders. Stops searching after more than `limit` files.
 * @throws FileError
 */
async function findMail(files: ScenarioFiles, folder: string, limit: number): Promise<MailFile[]> {
  const boxes = (await entriesOf(files, folder)).filter(({ name, isFolder }) => {
    return isFolder && (name === 'cur' || name === 'new')
  })
  const below = boxes.length === 2 ? [] : await mailBelow(files, folder, limit)
  // Git keeps no empty folders, so a committed Maildir may have only one of the two.
  const found = below.length > 0 ? below : await mailOfMaildir(files, boxes)
  return found.sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name))
}

async function entriesOf(files: ScenarioFiles, folder: string): Promise<FolderEntry[]> {
  return (await files.list(folder)).filter(({ name }) => !name.startsWith('.'))
}

async function mailBelow(files: ScenarioFiles, top: string, limit: number): Promise<MailFile[]> {
  const found: MailFile[] = []
  const folders = [{ path: top, prefix: '' }]
  for (const { path: folder, prefix } of folders) {
    for (const { name, path, isFolder } of await entriesOf(files, folder)) {
      if (isFolder) folders.push({ path, prefix: `${prefix}${name}/` })
      else if (emlName.test(name)) found.push({ path, name: composed(prefix + name), seen: false })
    }
    if (found.length > limit) break
  }
  return found
}

async function mailOfMaildir(files: ScenarioFiles, boxes: readonly FolderEntry[]): Promise<MailFile[]> {
  const found: MailFile[] = []
  for (const box of boxes) {
    for (const { name, path, isFolder } of await entriesOf(files, box.path)) {
      if (isFolder) continue
      const flags = box.name === 'cur' ? maildirFlags.exec(name)?.[1] : undefined
      found.push({
        path,
        name: composed(name.replace(maildirFlags, '')),
        seen: flags?.includes('S') ?? false,
      })
    }
  }
  return found
}

// Some file systems store letters and accents separately.
function composed(name: string): string {
  return name.normalize('NFC')
}
