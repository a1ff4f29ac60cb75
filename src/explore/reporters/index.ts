import type { ExploreReport } from '../report.js'
import { formatHuman, type HumanOptions } from './human.js'
import { formatJson } from './json.js'
import { formatJunit } from './junit.js'
import { formatMarkdown } from './markdown.js'

export type { HumanOptions } from './human.js'
export { formatMarkdown } from './markdown.js'

/** The forms a report is written in. */
export const reportForms = ['human', 'json', 'junit', 'markdown'] as const

/** A form a report is written in. */
export type ReportForm = (typeof reportForms)[number]

/** A report in one of its forms. */
export function formatReport(form: ReportForm, report: ExploreReport, human: HumanOptions): string {
  const forms = {
    human: () => formatHuman(report, human),
    json: formatJson,
    junit: formatJunit,
    markdown: formatMarkdown,
  }
  return forms[form](report)
}
