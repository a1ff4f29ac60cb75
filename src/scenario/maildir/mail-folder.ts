import { type ParsedMail, parseEml } from '../../mail/index.js'
import type { Building, ScenarioPath } from '../building/building.js'
import { nameParts } from '../building/names.js'
import { FileError } from '../source/file-error.js'
import type { ScenarioFiles } from '../source/files.js'
import { findMail, type MailFile } from './mail-files.js'

/** A mail that was read from a folder. */
export interface FiledMail extends Pick<MailFile, 'name' | 'seen'> {
  readonly mail: ParsedMail
}

/** How much mail a folder may hold. */
export interface MailLimits {
  readonly files: number
  /** In all files together. */
  readonly mebibytes: number
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
  building: Pick<Building, 'files' | 'problem'>,
  folder: string,
  path: ScenarioPath,
  limits = usualLimits,
): Promise<readonly FiledMail[]> {
  const { mails, problems } = await tryReading(building.files, folder, limits)
  for (const problem of problems.slice(0, mostProblems)) building.problem(path, problem)
  const further = problems.length - mostProblems
  if (further > 0) building.problem(path, `${further} more of the files in "${folder}" cannot be used`)
  return problems.length > 0 ? [] : mails
}

interface Reading {
  readonly mails: readonly FiledMail[]
  readonly problems: readonly string[]
}

const refused = (problem: string): Reading => ({ mails: [], problems: [problem] })

async function tryReading(files: ScenarioFiles, folder: string, limits: MailLimits): Promise<Reading> {
  const found = await findMail(files, folder, limits.files).catch(reasonOf)
  if (typeof found === 'string') return refused(found)
  if (found.length === 0) {
    return refused(`there is no mail in "${folder}"; expected .eml files, or a Maildir with cur and new`)
  }
  if (found.length > limits.files) {
    return refused(`"${folder}" holds more than ${limits.files} mails; up to so many are read`)
  }
  return readAll(files, folder, found, limits)
}

async function readAll(
  files: ScenarioFiles,
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
        read[position] = { name, seen, mail: await parseEml(source) }
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

/** What is wrong with a file, to be told. */
function reasonOf(error: unknown): string {
  if (error instanceof FileError) return error.message
  throw error
}
