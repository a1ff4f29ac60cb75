import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatByFileName, formatReport } from '../runs/reports/format-report.js'
import type { Report, ReportFormat } from '../runs/reports/report.js'
import {
  appendToFile,
  explainWriteError,
  isFolder,
  prepareFile,
  writeFileWhole,
} from '../runs/reports/write-file.js'
import { ExitError, exitStatus, formatFailure, InputError } from './failure.js'
import { sanitize, styleFor } from './terminal.js'

/**
 * The destination of a report in addition to the standard output: a file in some format, or a folder with
 * everything.
 */
interface ReportPlace {
  readonly path: string
  readonly format: ReportFormat | 'folder'
}

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
    const own = isFolderWanted ? 'folder' : (format ?? formatByFileName(path, folderFor))
    await prepareFile(own === 'folder' ? join(path, 'report.html') : path)
    return { path, format: own }
  })
}

/** Makes sure, before anything is run, that a file can be written at the end of the run. @throws InputError */
export async function checkFile(path: string): Promise<void> {
  if (path === '') throw new InputError(`--out is empty; name a file.`)
  if (path.endsWith('/') || (await isFolder(path))) {
    throw new InputError(`--out ${path} is a folder; name a file in it.`)
  }
  await explained(path, () => prepareFile(path))
}

/** Does something with the path of `--out`. @throws InputError */
export async function explained<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    throw new InputError(`--out ${path}: ${explainWriteError(error)}.`, { cause: error })
  }
}

/** How a report is written. */
interface WritingOptions {
  /** The format on the standard output, or else that of the only file. */
  readonly format: ReportFormat
  readonly places: readonly ReportPlace[]
  /** Whether the output of the command was shown while it ran. */
  readonly isOutputShown?: boolean
  /** Whether people are shown all rows of tables. */
  readonly isWhole?: boolean | undefined
  /** Writes everything into a folder. */
  writeFolder?(path: string): Promise<void>
}

/** Returns whether a report that is printed in a format is also, or only, printed as annotations of GitHub Actions. */
export function isAnnotated(format: ReportFormat | undefined): boolean {
  return format === 'github' || process.env['GITHUB_ACTIONS'] === 'true'
}

/**
 * Writes a report to the standard output, and then to its files and folders and to the summary of a CI job; what cannot be
 * written does not keep the others from it.
 * @throws ExitError if something could not be written and the report passed: it does not decide about a run that failed
 */
export async function writeReport(
  report: Report,
  { format, places, isOutputShown, isWhole = false, writeFolder }: WritingOptions,
): Promise<void> {
  const shown = places.some((one) => one.format === format) ? 'human' : format
  const style = styleFor(process.stdout)
  const told = isOutputShown && shown === 'human' ? { ...report, output: undefined } : report
  const text = formatReport(shown, told, { style, isWhole })
  process.stdout.write(shown === 'human' ? sanitize(text) : text)
  if (isAnnotated(shown) && shown !== 'github' && !report.passed)
    process.stderr.write(sanitize(formatReport('github', report)))
  let problem: InputError | undefined
  for (const place of places) {
    try {
      await explained(place.path, async () => {
        if (place.format === 'folder') await writeFolder?.(place.path)
        else await writeFileWhole(place.path, formatReport(place.format, report))
      })
      if (shown === 'human') process.stdout.write(formatPageAddress(report, place))
    } catch (error) {
      process.stderr.write(formatFailure(error))
      problem ??= error as InputError
    }
  }
  await appendStepSummary(report)
  if (problem && report.passed && !report.isEmpty) throw new ExitError(problem.status)
}

/** Formats the address of the report's page, if there is one: of the request to look at, where something failed. */
function formatPageAddress({ findings }: Report, { path, format }: ReportPlace): string {
  if (format !== 'html' && format !== 'folder') return ''
  const page = pathToFileURL(format === 'html' ? path : join(path, 'report.html'))
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
