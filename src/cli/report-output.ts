import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatByFileName, formatReport } from '../runs/reports/format-report.js'
import type { ReportFormat } from '../runs/reports/formats.js'
import type { Report } from '../runs/reports/report.js'
import {
  appendToFile,
  explainWriteError,
  isFolder,
  prepareFile,
  writeFileWhole,
} from '../runs/reports/write-file.js'
import { ExitError, exitStatus, InputError } from './failure.js'
import { sanitize, styleFor } from './terminal.js'

/**
 * The destination of a report in addition to the standard output: a file in some format, or a folder with
 * everything.
 */
export type ReportPlace =
  | { readonly is: 'file'; readonly path: string; readonly format: ReportFormat }
  | { readonly is: 'folder'; readonly path: string }

/**
 * Determines what `--out` means before anything is run: a folder if one exists or the name ends in a slash,
 * otherwise a file whose name determines the format if no reporter was chosen. If a folder is possible, `folderFor` says what for.
 * @throws InputError
 */
export async function reportPlace(
  path: string,
  format: ReportFormat | undefined,
  folderFor?: string,
): Promise<ReportPlace> {
  const isFolderWanted = path.endsWith('/') || (await isFolder(path))
  return explained(path, async () => {
    const file = isFolderWanted ? undefined : { path, format: format ?? formatByFileName(path, folderFor) }
    await prepareFile(file ? path : join(path, 'report.html'))
    return file ? { is: 'file', ...file } : { is: 'folder', path }
  })
}

/** Makes sure, before anything is run, that a file can be written at the end of the run. @throws InputError */
export async function checkFile(path: string, flag: string): Promise<void> {
  if (path === '') throw new InputError(`${flag} is empty; name a file.`)
  if (path.endsWith('/') || (await isFolder(path))) {
    throw new InputError(`${flag} ${path} is a folder; name a file in it.`)
  }
  await explained(path, () => prepareFile(path), flag)
}

/** Does something with the path of a flag. @throws InputError */
export async function explained<Result>(
  path: string,
  act: () => Promise<Result>,
  flag = '--out',
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    throw new InputError(`${flag} ${path}: ${explainWriteError(error)}.`, { cause: error })
  }
}

/** How a report is written. */
export interface WritingOptions {
  /** The format on the standard output, unless the report goes to a file. */
  readonly format: ReportFormat
  readonly place: ReportPlace | undefined
  /** Writes everything into a folder. */
  writeFolder?(path: string): Promise<void>
}

/**
 * Writes a report to its file or folder, to the summary of a CI job, and to the standard output, which shows it to people
 * if the file is for programs.
 * @throws InputError
 */
export async function writeReport(
  report: Report,
  { format, place, writeFolder }: WritingOptions,
): Promise<void> {
  let isWritten = false
  try {
    if (place?.is === 'folder') await explained(place.path, async () => writeFolder?.(place.path))
    if (place?.is === 'file') {
      await explained(place.path, () => writeFileWhole(place.path, formatReport(place.format, report)))
    }
    isWritten = true
  } finally {
    await appendStepSummary(report)
    const shown = place?.is === 'file' ? 'human' : format
    const { isTTY, columns } = process.stdout
    const style = styleFor(process.stdout)
    const text = formatReport(shown, report, isTTY ? { style, columns: columns || 80 } : { style })
    const address = isWritten ? formatPageAddress(report, place) : ''
    process.stdout.write(shown === 'human' ? sanitize(text) + address : text)
  }
}

/** Formats the address of the report's page, if there is one: of the request to look at, where something failed. */
function formatPageAddress({ findings }: Report, place: ReportPlace | undefined): string {
  if (!place || (place.is === 'file' && place.format !== 'html')) return ''
  const page = pathToFileURL(place.is === 'file' ? place.path : join(place.path, 'report.html'))
  const seq = findings.find(({ passed, exchange }) => !passed && exchange !== undefined)?.exchange
  return `\nOpen the report: ${page}${seq === undefined ? '' : `#/traffic/${seq}`}\n`
}

/** Appends a report to the file that CI systems show as the summary of a job, if they name one. */
async function appendStepSummary(report: Report): Promise<void> {
  const file = process.env['GITHUB_STEP_SUMMARY']
  if (!file) return
  try {
    await appendToFile(file, formatReport('markdown', report))
  } catch (error) {
    process.stderr.write(`note: no summary was written to GITHUB_STEP_SUMMARY: ${(error as Error).message}\n`)
  }
}

/** Fails the run if its report says so. @throws ExitError */
export function failUnlessPassed({ passed, isEmpty }: Pick<Report, 'passed' | 'isEmpty'>): void {
  if (isEmpty) throw new ExitError(exitStatus.badInput)
  if (!passed) throw new ExitError(exitStatus.failed)
}
