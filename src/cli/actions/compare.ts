import { counted } from '../../base/text.js'
import { compareResults, type TrialsComparison } from '../../runs/compare/compare.js'
import { comparisonReport } from '../../runs/compare/comparison-report.js'
import { readResults } from '../../runs/compare/results.js'
import { recordTrial } from '../../runs/kept/judge.js'
import type { Report } from '../../runs/reports/report.js'
import type { addCompare } from '../compare.js'
import { InputError } from '../failure.js'
import type { FlagsOf } from '../flag-command.js'
import { failUnlessPassed, reportPlace, writeReport } from '../report-output.js'

type CompareFlags = FlagsOf<typeof addCompare>

/** Compares two results, and reports whether one is worse. */
export async function runCompare(
  beforeName: string,
  afterName: string,
  { failOn, alpha, reporter, out }: CompareFlags,
): Promise<void> {
  const place = out === undefined ? undefined : await reportPlace(out, reporter)
  if (place?.is === 'folder') {
    throw new InputError(
      `--out ${out}: name a file for the comparison, such as comparison.md, .json, .xml, .html or .txt.`,
    )
  }
  const [before, after] = await Promise.all([readResults(beforeName), readResults(afterName)])
  const comparison = compareResults(before, after, alpha)
  const report = comparisonReport(comparison, before, after)
  const page = (place?.format ?? reporter) === 'html' ? await pageOf(comparison) : undefined
  const paragraphs = [...(report.paragraphs ?? []), ...(page?.paragraphs ?? [])]
  await writeReport({ ...report, ...page, paragraphs }, { format: reporter ?? 'human', place })
  if (failOn === 'worse') failUnlessPassed(report)
}

/** Returns what the page shows of both results: the first flipped trial, or else the first. @throws RunError, ScenarioError */
async function pageOf({
  flipped,
  names,
}: TrialsComparison): Promise<Pick<Report, 'paragraphs' | 'recording' | 'others'>> {
  const { trial = 1 } = flipped.find(({ became }) => became === 'worse') ?? flipped[0] ?? {}
  const [before, after] = [
    await recordTrial(names.before, trial, 'before'),
    await recordTrial(names.after, trial, 'after'),
  ]
  const lines = [before, after].map(({ exchanges, expectations }, index) => ({
    text: `${index === 0 ? names.before : names.after}: ${counted(exchanges.length, 'request')}, ${expectations.filter(({ passed }) => passed).length} of ${counted(expectations.length, 'expectation')} held`,
    ...{ play: index === 0 ? 'before' : 'after', trial, exchange: exchanges[0]?.seq ?? null },
  }))
  return {
    paragraphs: [{ title: `Trial ${trial} in both results`, lines }],
    recording: () => after,
    others: [() => before],
  }
}
