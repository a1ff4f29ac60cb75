import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '../../base/json.js'
import { RunError } from '../errors.js'
import type { ReplayReport } from '../replay/outcome.js'
import { isFolder } from '../reports/write-file.js'
import type { TrialRun, TrialsReport } from '../trials/trials-summary.js'

/** The kept results of one or several plays of a story. */
export interface Results {
  /** The file or folder, as it was named. */
  readonly name: string
  readonly scenario: string
  readonly runs: readonly TrialRun[]
}

/** The latest version of results that this program reads. */
const latestVersion = 1

/**
 * Reads the results of `replay`: a folder that `--out` filled, or a report in JSON.
 * @throws RunError `no-results` that names the file and the remedy
 */
export async function readResults(name: string): Promise<Results> {
  const path = (await isFolder(name)) ? join(name, 'report.json') : name
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw noResults(`${path}: ${why}; replay --out FOLDER/ writes results.`)
  })
  const report = parseJson(text)
  if (!isReport(report))
    throw noResults(`${path} is no JSON report of replay; replay --out FOLDER/ writes one.`)
  if (report.version > latestVersion) {
    throw noResults(
      `${path} was written by a later version of agent-mailbox-sim; update this one to read it.`,
    )
  }
  return resultsOf(name, report)
}

/** Returns the results in a report. */
function resultsOf(name: string, report: ReplayReport | TrialsReport): Results {
  const runs = 'runs' in report ? report.runs : [{ trial: 1, ...report }]
  return { name, scenario: report.scenario, runs }
}

function isReport(value: unknown): value is ReplayReport | TrialsReport {
  const { format, version, scenario, runs, verdicts } = Object(value)
  const isReplay = format === 'agent-mailbox-sim/replay-report' && typeof version === 'number'
  return isReplay && typeof scenario === 'string' && Array.isArray(runs ?? verdicts)
}

function noResults(message: string): RunError {
  return new RunError('no-results', message)
}
