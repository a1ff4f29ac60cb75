import { judgeResults } from '../../runs/kept/judge.js'
import { replayReport } from '../../runs/replay/report.js'
import type { Report } from '../../runs/reports/report.js'
import { trialsReport } from '../../runs/trials/trials-report.js'
import { readExpectations } from '../../story/other-expectations.js'
import { InputError } from '../failure.js'
import type { FlagsOf } from '../flag-command.js'
import type { addJudge } from '../judge.js'
import { failUnlessPassed, reportPlace, writeReport } from '../report-output.js'

type JudgeFlags = FlagsOf<typeof addJudge>

/** Judges kept plays by other expectations, and reports the outcome. */
export async function runJudge(results: string, { expect, out, json, reporter }: JudgeFlags): Promise<void> {
  const format = reporter ?? (json ? 'json' : undefined)
  const place = out === undefined ? undefined : await reportPlace(out, format)
  if (place?.is === 'folder') {
    throw new InputError(`--out ${out}: name a file for the report, such as judged.json, .xml, .md or .html.`)
  }
  const { report, recording } = await judgeResults(results, await readExpectations(expect))
  const told: Report = 'runs' in report ? trialsReport(report) : replayReport(report)
  const document = { ...told.document, judged: { results, expect } }
  await writeReport({ ...told, document, recording }, { format: format ?? 'human', place })
  failUnlessPassed(told)
}
