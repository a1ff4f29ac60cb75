import type { ReplayReport } from '../report.js'

/** A report for programs, as docs/replay.md has it. */
export function formatJson(report: ReplayReport): string {
  return `${JSON.stringify(report, null, 2)}\n`
}
