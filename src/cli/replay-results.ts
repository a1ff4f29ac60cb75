import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Replayed, ReplayReport } from '../replay/index.js'
import { formatHuman, formatJson, formatJunit } from '../replay/reporters/index.js'
import { makeFolder, prepareResults, writeResults } from '../replay/results/index.js'
import { InputError } from './failure.js'
import { isFolder } from './is-folder.js'
import type { ReplayReporter } from './replay.js'
import { paintFor } from './terminal.js'

/** Where a report goes: a file in a form, or a folder with all there is, reliances among it. */
export type ReportPlace =
  | { readonly is: 'folder'; readonly path: string; readonly trace: string }
  | { readonly is: 'file'; readonly path: string; readonly reporter: ReplayReporter }

/**
 * What `--out` means: a folder where there is one of that name or it ends in a slash; otherwise a file, whose form its
 * name tells where no reporter was chosen. Made sure of before the story is played, which takes its time.
 * @throws InputError
 */
export async function placeOf(path: string, reporter: ReplayReporter | undefined): Promise<ReportPlace> {
  try {
    if (path.endsWith('/') || (await isFolder(path))) {
      return { is: 'folder', path, trace: await prepareResults(path) }
    }
    await makeFolder(dirname(path))
  } catch (error) {
    throw new InputError(`--out ${path}: ${(error as Error).message}.`)
  }
  return { is: 'file', path, reporter: reporter ?? reporterByName(path) }
}

/** Writes the report to the standard output, and wherever else it is to go. */
export async function writeReport(
  replayed: Replayed,
  reporter: ReplayReporter,
  place: ReportPlace | undefined,
): Promise<void> {
  const { report } = replayed
  try {
    if (place?.is === 'folder') await writeResults(place.path, replayed)
    if (place?.is === 'file') await writeFile(place.path, formatted(report, place.reporter))
  } catch (error) {
    throw new InputError(`--out ${place?.path}: ${(error as Error).message}.`)
  } finally {
    // What is in a file for programs is here for people.
    const text =
      place?.is === 'file' || reporter === 'human' ? humanHere(report) : formatted(report, reporter)
    process.stdout.write(text)
  }
}

function formatted(report: ReplayReport, reporter: ReplayReporter): string {
  if (reporter === 'json') return formatJson(report)
  return reporter === 'junit' ? formatJunit(report) : formatHuman(report)
}

function humanHere(report: ReplayReport): string {
  return formatHuman(report, paintFor(process.stdout))
}

function reporterByName(path: string): ReplayReporter {
  if (path.endsWith('.json')) return 'json'
  return path.endsWith('.xml') ? 'junit' : 'human'
}
