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
export interface FiledMail {
  /** What its values hang on, so that they stay when other mail comes or goes. */
  readonly name: string
  readonly mail: ParsedMail
  /** Whether the program that kept it says that it was read. */
  readonly seen: boolean
}

/** Where a folder is read from, and where problems go. */
export interface FolderReading {
  readonly files: ScenarioFiles
  problem(path: Path, message: string): void
  /** Told of what can be used and hardly is what was meant. */
  warning(message: string): void
}

/** How much mail a folder may hold: files, and MiB in all of them together. */
const usualLimits = { files: 100_000, mebibytes: 1024 }
const mebibyte = 1024 * 1024
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
  const mails: FiledMail[] = []
  const problems: string[] = []
  try {
    for await (const mail of mailIn(reading, folder, limits)) {
      if (typeof mail === 'string') problems.push(mail)
      else mails.push(mail)
    }
  } catch (error) {
    problems.splice(0, problems.length, reasonOf(error))
  }
  for (const problem of problems.slice(0, mostProblems)) reading.problem(path, problem)
  const further = problems.length - mostProblems
  if (further > 0) reading.problem(path, `${further} more of the files in "${folder}" cannot be used`)
  return problems.length > 0 ? [] : mails
}

/** The mail of a folder or an mbox; a text for one that cannot be used. @throws FileError where nothing of it can */
async function* mailIn(
  { files, warning }: FolderReading,
  folder: string,
  limits: typeof usualLimits,
): AsyncGenerator<FiledMail | string> {
  const found = await findMail(files, folder, limits.files).catch((error: unknown) => {
    if (error instanceof FileError && error.code === 'wrong-kind') return undefined
    throw error
  })
  if (found === undefined) {
    yield* mailOfMbox(await files.read(folder), folder, limits)
    return
  }
  if (found.length === 0) {
    const message = `there is no mail in "${folder}"; expected .eml files, or a Maildir with cur and new`
    throw new FileError('missing', folder, 'holds no mail', message)
  }
  if (found.length > limits.files) throw tooMany(folder, limits)
  let left = limits.mebibytes * mebibyte
  // While a Maildir's mail goes from one of its folders to the other, both may have it.
  for (const [name, { path, seen }] of nameParts(found, (file) => file.name)) {
    const mail = await files
      .read(path)
      .then((source) => {
        left -= source.length
        return left < 0 ? '' : parseMailFile(path, source, warning)
      })
      .catch(reasonOf)
    if (left < 0) {
      const { mebibytes } = limits
      throw new FileError(
        'too-large',
        folder,
        `holds more than ${mebibytes} MiB of mail; up to so much is read`,
      )
    }
    yield typeof mail === 'string' ? mail : { name, seen, mail }
  }
}

/** The mail of an mbox: a mail is named by its Message-ID, or else by its place. */
function* mailOfMbox(
  source: Uint8Array,
  file: string,
  limits: typeof usualLimits,
): Generator<FiledMail | string> {
  if (!isMbox(source)) {
    const reason = 'is a file and no mbox; expected a folder of .eml files, a Maildir or an mbox'
    throw new FileError('wrong-kind', file, reason)
  }
  const sources = mailsOfMbox(source)
  if (sources.length > limits.files) throw tooMany(file, limits)
  const mails: ParsedMail[] = []
  for (const [place, one] of sources.entries()) {
    try {
      mails.push(parseMailFile(`${file}, mail ${place + 1}`, one))
    } catch (error) {
      yield reasonOf(error)
    }
  }
  for (const [name, mail] of nameParts(mails, ({ messageId }) => messageId ?? 'mail')) {
    yield { name, mail, seen: isMarkedRead(mail) }
  }
}

function tooMany(folder: string, { files }: typeof usualLimits): FileError {
  return new FileError('too-large', folder, `holds more than ${files} mails; up to so many are read`)
}

/** Whether the program that kept an mbox says so. */
function isMarkedRead({ headers }: ParsedMail): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'status' && value.includes('R'))
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

/** A file with a mail in it; its name is its path within the folder or, in a Maildir, one that reading it does not change. */
interface MailFile extends Pick<FiledMail, 'name' | 'seen'> {
  /** As `ScenarioFiles` takes it. */
  readonly path: string
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
