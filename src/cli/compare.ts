import { type Command, Option } from 'commander'
import { invocation } from '../base/package.js'
import { compareResults, readResults } from '../runs/compare/compare.js'
import { type ReportFormat, reportFormats } from '../runs/reports/report.js'
import { InputError } from './failure.js'
import { reporterOption } from './flags.js'
import { failUnlessPassed, reportPlace, writeReport } from './report-output.js'

/** Adds the command that compares two results of a story. */
export function addCompare(command: Command): void {
  command
    .description(description)
    .argument('<before>', 'folder or JSON report of replay, e.g. of the main branch')
    .argument('<after>', 'the same of the change')
    .addOption(
      new Option(
        '--fail-on <verdict>',
        'exit with status 1 if the result is worse, or there are too few trials to tell',
      ).choices(['worse']),
    )
    // It is about no single run, and so has no page of one.
    .addOption(reporterOption(reportFormats.filter((format) => format !== 'html')))
    .option('--out <file>', 'write the report to this file; the report for people is still printed')
    .option('--verbose', 'print stack traces on the error stream')
    .addHelpText('after', `\n${examples}`)
    .action(compare)
}

const description =
  'Compares two results of replay --trials by their trials: those of the same seed are a pair. It reports how often the story ' +
  'passed and each expectation held before and after, and the first trial that flipped. From six pairs on, an exact McNemar ' +
  'test at 5 % says whether it got worse or better; with fewer, it is worse only if an expectation that always held never holds.'

const examples = `Examples:
  ${invocation} replay refund-conversation --trials 50 --vary-seed --out main/ -- python my_agent.py
  ${invocation} replay refund-conversation --trials 50 --vary-seed --out change/ -- python my_agent.py
  ${invocation} compare main/ change/
  ${invocation} compare main/ change/ --fail-on worse --reporter markdown --out comment.md

Exit status: 0 unless --fail-on worse finds it worse or cannot tell (1), 2 for wrong usage or results that cannot be compared.`

interface CompareFlags {
  readonly failOn?: 'worse'
  readonly reporter?: ReportFormat
  readonly out?: string
}

/** Compares two results, and reports whether one is worse. */
async function compare(
  beforeName: string,
  afterName: string,
  { failOn, reporter, out }: CompareFlags,
): Promise<void> {
  const place = out === undefined ? undefined : await reportPlace(out, reporter)
  if (place?.format === 'folder' || place?.format === 'html') {
    throw new InputError(
      `--out ${out}: name a file for the comparison, such as comparison.md, .json, .xml or .txt.`,
    )
  }
  const [before, after] = await Promise.all([readResults(beforeName), readResults(afterName)])
  const report = compareResults(before, after)
  await writeReport(report, { format: reporter ?? 'human', places: place ? [place] : [] })
  if (failOn === 'worse') failUnlessPassed(report)
}
