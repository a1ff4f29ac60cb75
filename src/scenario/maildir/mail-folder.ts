import {
  doubtAbout,
  isMbox,
  MailLimitError,
  mailsOfMbox,
  type ParsedMail,
  parseEml,
} from '../../mail/index.js'
import type { Path } from '../problems/problem.js'
import { nameParts } from '../resolve/parts.js'
import { FileError, type FolderEntry, type ScenarioFiles } from '../source/files.js'

/** A mail that was read from a folder. */
export interface FiledMail extends Pick<MailFile, 'name' | 'seen'> {
  readonly mail: ParsedMail
}

/** How much mail a folder may hold. */
interface MailLimits {
  readonly files: number
  /** In all files together. */
  readonly mebibytes: number
}

/** Where a folder is read from, and where problems go. */
export interface FolderReading {
  readonly files: ScenarioFiles
  problem(path: Path, message: string): void
  /** Told of what can be used and hardly is what was meant. */
  warning(message: string): void
}

const usualLimits: MailLimits = { files: 100_000, mebibytes: 1024 }
const mebibyte = 1024 * 1024
/** So many files are read at a time: enough to keep the parser busy, few enough to hold them in memory. */
const readers = 8
const mostProblems = 3

/**
 * Reads the mail of a folder beside the scenario, by name in code unit order. What cannot be read is noted as
 * a problem, and then there is no mail.
 * @param path Where the scenario names the folder.
 */
export async function readMailFolder(
  reading: FolderReading,
  folder: string,
  path: Path,
  limits = usualLimits,
): Promise<readonly FiledMail[]> {
  const { mails, problems } = await tryReading(reading, folder, limits)
  for (const problem of problems.slice(0, mostProblems)) reading.problem(path, problem)
  const further = problems.length - mostProblems
  if (further > 0) reading.problem(path, `${further} more of the files in "${folder}" cannot be used`)
  return problems.length > 0 ? [] : mails
}

interface Reading {
  readonly mails: readonly FiledMail[]
  readonly problems: readonly string[]
}

const refused = (problem: string): Reading => ({ mails: [], problems: [problem] })

async function tryReading(reading: FolderReading, folder: string, limits: MailLimits): Promise<Reading> {
  const found = await findMail(reading.files, folder, limits.files).catch((error: unknown) => {
    return error instanceof FileError && error.code === 'wrong-kind' ? undefined : reasonOf(error)
  })
  if (found === undefined) return readMbox(reading.files, folder, limits)
  if (typeof found === 'string') return refused(found)
  if (found.length === 0) {
    return refused(`there is no mail in "${folder}"; expected .eml files, or a Maildir with cur and new`)
  }
  if (found.length > limits.files) {
    return refused(`"${folder}" holds more than ${limits.files} mails; up to so many are read`)
  }
  return readAll(reading, folder, found, limits)
}

/** The mail of an mbox: a mail is named by its Message-ID, or else by its place. */
async function readMbox(files: ScenarioFiles, file: string, limits: MailLimits): Promise<Reading> {
  const source = await files.read(file).catch(reasonOf)
  if (typeof source === 'string') return refused(source)
  if (!isMbox(source)) {
    return refused(`"${file}" is a file and no mbox; expected a folder of .eml files, a Maildir or an mbox`)
  }
  const sources = mailsOfMbox(source)
  if (sources.length > limits.files) {
    return refused(`"${file}" holds more than ${limits.files} mails; up to so many are read`)
  }
  const read = sources.map((mail, place) => {
    try {
      return parseMailFile(`${file}, mail ${place + 1}`, mail)
    } catch (error) {
      return reasonOf(error)
    }
  })
  const mails = read.filter((mail) => typeof mail !== 'string')
  const named = nameParts(mails, ({ messageId }) => messageId ?? 'mail')
  return {
    mails: named.map(([name, mail]) => ({ name, mail, seen: isMarkedRead(mail) })),
    problems: read.filter((mail) => typeof mail === 'string'),
  }
}

/** Whether the program that kept an mbox says so. */
function isMarkedRead({ headers }: ParsedMail): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'status' && value.includes('R'))
}

async function readAll(
  { files, warning }: FolderReading,
  folder: string,
  found: readonly MailFile[],
  { mebibytes }: MailLimits,
): Promise<Reading> {
  // While a Maildir's mail goes from one of its folders to the other, both may have it
  const named = nameParts(found, ({ name }) => name)
  const read = new Array<FiledMail | string>(named.length)
  const waiting = named.entries()
  let left = mebibytes * mebibyte
  const readOn = async (): Promise<void> => {
    for (const [position, [name, { path, seen }]] of waiting) {
      const source = await files.read(path).catch(reasonOf)
      if (typeof source === 'string') read[position] = source
      else {
        left -= source.length
        if (left < 0) return
        try {
          read[position] = { name, seen, mail: parseMailFile(path, source, warning) }
        } catch (error) {
          read[position] = reasonOf(error)
        }
      }
    }
  }
  await Promise.all(Array.from({ length: readers }, readOn))
  if (left < 0) return refused(`"${folder}" holds more than ${mebibytes} MiB of mail; up to so much is read`)
  return {
    mails: read.filter((mail) => typeof mail !== 'string'),
    problems: read.filter((mail) => typeof mail === 'string'),
  }
}

/** Reads the mail in a file; what hardly is one is warned of. @throws FileError when it is beyond the limits of a mail */
export function parseMailFile(
  name: string,
  source: Uint8Array,
  warning?: (message: string) => void,
): ParsedMail {
  const doubt = warning && doubtAbout(source)
  if (doubt !== undefined) warning?.(`"${name}" ${doubt}`)
  try {
    return parseEml(source)
  } catch (error) {
    if (!(error instanceof MailLimitError)) throw error
    throw new FileError('too-large', name, `is not read: ${error.message}`)
  }
}

/** What is wrong with a file, to be told. */
function reasonOf(error: unknown): string {
  if (error instanceof FileError) return error.message
  throw error
}

/** A file with a mail in it. */
interface MailFile {
  /** As `ScenarioFiles` takes it. */
  readonly path: string
  /**
   * What the values of the mail hang on, so that they stay when other mail comes or goes: its path within the
   * folder or, in a Maildir, its unique name, which stays when somebody reads it.
   */
  readonly name: string
  /** Whether a Maildir says that it was read. */
  readonly seen: boolean
}

const emlName = /\.eml$/i
// Where a colon may not be in a name, programs write another mark
const maildirFlags = /[:;!]2,([A-Za-z]*)$/

/**
 * Finds the mail of a folder beside a scenario, by name in code unit order: every `.eml` file in it and in the
 * folders below it or, if it is a Maildir, every file of its `cur` and `new`. Names that begin with a dot do
 * not count, and links to folders are not followed. It stops once there are more than `most`.
 * @throws FileError
 */
async function findMail(files: ScenarioFiles, folder: string, most: number): Promise<MailFile[]> {
  const boxes = (await entriesOf(files, folder)).filter(({ name, isFolder }) => {
    return isFolder && (name === 'cur' || name === 'new')
  })
  const below = boxes.length === 2 ? [] : await mailBelow(files, folder, most)
  // Git keeps no empty folders: of a Maildir in it, one of the two may be all that is left
  const found = below.length > 0 ? below : await mailOfMaildir(files, boxes)
  return found.sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name))
}

async function entriesOf(files: ScenarioFiles, folder: string): Promise<FolderEntry[]> {
  return (await files.list(folder)).filter(({ name }) => !name.startsWith('.'))
}

async function mailBelow(files: ScenarioFiles, top: string, most: number): Promise<MailFile[]> {
  const found: MailFile[] = []
  const folders = [{ path: top, prefix: '' }]
  for (const { path: folder, prefix } of folders) {
    for (const { name, path, isFolder } of await entriesOf(files, folder)) {
      if (isFolder) folders.push({ path, prefix: `${prefix}${name}/` })
      else if (emlName.test(name)) found.push({ path, name: composed(prefix + name), seen: false })
    }
    if (found.length > most) break
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

// Some file systems keep letters and their accents apart
function composed(name: string): string {
  return name.normalize('NFC')
}
