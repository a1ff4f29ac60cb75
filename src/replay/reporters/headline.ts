import { counted } from '../../contract/counted.js'
import { failedEntries, failedVerdicts, type ReplayReport, wasPlayed } from '../report.js'

/** What became of a replay, in a line: `refund-request failed: 2 of 6 expectations, and the command`. */
export function headlineOf(report: ReplayReport): string {
  const { scenario, passed, verdicts, command } = report
  if (!wasPlayed(report)) return `${scenario} failed: the command could not be started`
  if (!passed) return `${scenario} failed: ${enumerate(problemsOf(report))}`
  if (verdicts.length > 0) return `${scenario} passed: ${ofAll(verdicts.length)}`
  return `${scenario} passed: it expects nothing${command ? ', and the command is fine' : ''}`
}

function problemsOf(report: ReplayReport): string[] {
  const { verdicts, command, tape } = report
  const failed = failedVerdicts(report).length
  const entries = failedEntries(report).length
  return [
    ...(failed > 0 ? [`${failed} of ${counted(verdicts.length, 'expectation')}`] : []),
    ...(command?.passed === false ? ['the command'] : []),
    ...(entries > 0 ? [`${counted(entries, 'entry', 'entries')} of the timeline`] : []),
    ...(tape?.same === false ? ['the tape'] : []),
  ]
}

function ofAll(count: number): string {
  return count === 1 ? 'its expectation holds' : `all ${count} expectations hold`
}

function enumerate(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}
