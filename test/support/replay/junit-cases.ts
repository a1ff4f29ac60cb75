import { formatReport } from '../../../src/runs/reports/format-report.js'
import type { Report } from '../../../src/runs/reports/report.js'

/** Returns the test cases of a report as JUnit, each with `passed` or `failure`: `It pauses. failure`. */
export function junitCases(report: Report): string[] {
  const [, ...cases] = formatReport('junit', report).split('<testcase ')
  return cases.map((text) => {
    const [, name] = /name="([^"]*)"/.exec(text) ?? []
    return `${name} ${/<(failure) /.exec(text)?.[1] ?? 'passed'}`
  })
}
