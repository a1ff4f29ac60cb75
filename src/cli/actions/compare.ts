import { compareResults } from '../../runs/compare/compare.js'
import { comparisonReport } from '../../runs/compare/comparison-report.js'
import { readResults } from '../../runs/compare/results.js'
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
  if (place?.is === 'folder' || place?.format === 'html') {
    throw new InputError(
      `--out ${out}: name a file for the comparison, such as comparison.md, .json, .xml or .txt.`,
    )
  }
  const [before, after] = await Promise.all([readResults(beforeName), readResults(afterName)])
  const report = comparisonReport(compareResults(before, after, alpha), before, after)
  await writeReport(report, { format: reporter ?? 'human', place })
  if (failOn === 'worse') failUnlessPassed(report)
}
