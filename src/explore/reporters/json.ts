import type { ExploreReport } from '../report.js'

/** A report as JSON, as docs/explore.md describes it. */
export function formatJson(report: ExploreReport): string {
  return `${JSON.stringify(report, null, 2)}\n`
}
