import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Changes, ExploreReport } from '../explore/index.js'
import { formatReport, type ReportForm } from '../explore/reporters/index.js'
import { makeFolder } from '../replay/results/index.js'
import { InputError } from './failure.js'
import { isFolder } from './is-folder.js'
import { paintFor } from './terminal.js'

/** A file for a report, and the form it has there. */
export interface ReportFile {
  readonly path: string
  readonly form: ReportForm
}

/** How a report is written. */
export interface WritingOptions {
  /** Its form on the standard output, where it goes to no file. */
  readonly reporter: ReportForm
  readonly place: ReportFile | undefined
  /** The command line that explores with changes made from the start. */
  readonly again: (changes: Changes) => string
}

/**
 * What `--out` means; the name of the file tells its form where no reporter was chosen. Made sure of before anything is
 * run, which takes its time.
 * @throws InputError
 */
export async function placeOf(path: string, reporter: ReportForm | undefined): Promise<ReportFile> {
  try {
    await makeFolder(dirname(path))
  } catch (error) {
    throw new InputError(`--out ${path}: ${(error as Error).message}.`)
  }
  if (path.endsWith('/') || (await isFolder(path))) {
    throw new InputError(`--out ${path} is a folder; name a file in it, such as explore.json or explore.xml.`)
  }
  return { path, form: reporter ?? formByName(path) }
}

/** Writes a report to its file, and to the standard output: there for people, where a file has it for programs. */
export async function writeReport(
  report: ExploreReport,
  { reporter, place, again }: WritingOptions,
): Promise<void> {
  const endless = Number.POSITIVE_INFINITY
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : endless
  try {
    const plain = { paint: paintFor({}), columns: endless, again }
    if (place) await writeFile(place.path, formatReport(place.form, report, plain))
  } catch (error) {
    throw new InputError(`--out ${place?.path}: ${(error as Error).message}.`)
  } finally {
    const form = place ? 'human' : reporter
    process.stdout.write(formatReport(form, report, { paint: paintFor(process.stdout), columns, again }))
  }
}

function formByName(path: string): ReportForm {
  if (path.endsWith('.json')) return 'json'
  if (path.endsWith('.xml')) return 'junit'
  return path.endsWith('.md') ? 'markdown' : 'human'
}
