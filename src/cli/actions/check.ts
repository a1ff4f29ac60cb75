import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { parseJson } from '../../base/json.js'
import { counted } from '../../base/text.js'
import {
  type Checked,
  type CheckOptions,
  type CheckWatcher,
  check,
  checkFlags,
} from '../../runs/check/check.js'
import { type CheckReport, checkReport } from '../../runs/check/check-report.js'
import { writeFindingFile } from '../../runs/check/finding-file.js'
import type { Tried } from '../../runs/check/findings.js'
import { RunError } from '../../runs/errors.js'
import { writeResults } from '../../runs/replay/report.js'
import { repeatCommandLine, type TypedFlag } from '../../runs/reports/command-line.js'
import { formatSeconds, type Report } from '../../runs/reports/report.js'
import { makeFolder } from '../../runs/reports/write-file.js'
import { parseClientCommand } from '../arguments.js'
import type { addCheck } from '../check.js'
import { InputError, interruptedBy, interruptible } from '../failure.js'
import type { FlagsOf } from '../flag-command.js'
import { optionsOf } from '../flags.js'
import { plansProgress } from '../plans-progress.js'
import { failUnlessPassed, reportPlace, writeReport } from '../report-output.js'
import { Progress } from '../terminal.js'

type CheckFlags = FlagsOf<typeof addCheck>

/** Checks an agent, and reports what breaks it. */
export async function runCheck(flags: CheckFlags, line: Command, typed: readonly TypedFlag[]): Promise<void> {
  const { scenario, command } = parseClientCommand(line, typed, ['python3', 'agent.py'])
  const { out, reporter, resume } = flags
  const place =
    out === undefined ? undefined : await reportPlace(out, reporter, 'a scenario for each finding')
  const folder = place?.is === 'folder' ? place.path : undefined
  if (folder !== undefined) await makeFolder(folder)
  const ids = resume === undefined ? undefined : await idsOf(resume)
  await interruptible(async ({ signal, kill }) => {
    const options = { ...optionsOf(flags), signal, kill, scenario, command, flags: typed, resume: ids }
    const checked = await checkWithProgress(options).catch((error: unknown) => {
      const isOver = error instanceof RunError && error.code === 'interrupted'
      throw isOver ? interruptedBy(signal.reason, 'Interrupted before anything was tried.') : error
    })
    if (flags.list) {
      process.stdout.write(checked.ids.map((id) => `${id}\n`).join(''))
      return
    }
    const report =
      folder === undefined ? checked.report : await withFiles(checked, folder, { scenario, command, typed })
    const printed: Report = { ...checkReport(report, checked.refused), recording: checked.recording }
    await writeReport(printed, {
      ...{ format: reporter ?? 'human', places: place ? [place] : [] },
      writeFolder: (path) => writeResults(path, printed),
    })
    if (report.interrupted) throw interruptedBy(signal.reason)
    failUnlessPassed(printed)
  })
}

/** Returns the ids of the findings of an earlier check, and of what it did not try. @throws InputError */
async function idsOf(folder: string): Promise<readonly string[]> {
  const path = join(folder, 'report.json')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InputError(
      `--resume ${folder}: ${path}: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}; check --out ${folder}/ writes it.`,
    )
  })
  const { format, findings = [], untried = [] } = Object(parseJson(text)) as Partial<CheckReport>
  if (format === 'agent-mailbox-sim/check-report')
    return [...findings.flatMap(({ id, also }) => [id, ...also]), ...untried]
  throw new InputError(`--resume ${folder}: ${path} is no report of check.`)
}

/** Writes a scenario for each finding; returns the report with their paths. */
async function withFiles(
  { report, documentOf }: Checked,
  folder: string,
  line: {
    readonly scenario: string | undefined
    readonly command: readonly string[]
    readonly typed: readonly TypedFlag[]
  },
): Promise<CheckReport> {
  const findings = report.findings.map(async (finding) => {
    const { document, disturbance } = documentOf(finding.id)
    const { thinkTime } = disturbance.playing ?? {}
    const again = (file: string): string => {
      const also = thinkTime === undefined ? [] : [{ name: '--think-time', value: `${thinkTime}ms` }]
      return repeatCommandLine(
        { name: 'replay', scenario: file, flags: line.typed, command: line.command },
        { without: checkFlags, also },
      )
    }
    return { ...finding, file: await writeFindingFile(folder, finding, document, again) }
  })
  return { ...report, findings: await Promise.all(findings) }
}

async function checkWithProgress(options: Omit<CheckOptions, 'watcher'>): Promise<Checked> {
  const progress = new Progress()
  try {
    return await check({ ...options, watcher: watcherOf(progress) })
  } finally {
    progress.end()
  }
}

/** Shows the progress: a bar on a terminal, a line for each play elsewhere. */
function watcherOf(progress: Progress): CheckWatcher {
  let undisturbed = 0
  return {
    ...plansProgress<{ readonly id: string }, Tried>(progress, {
      noun: 'play',
      nameOf: ({ id }) => id,
      hasFailed: ({ passed }) => !passed,
      formatEnd: ({ passed, isSpoiled, why, wallMs }, { id }) => {
        const how = isSpoiled ? 'not judged' : passed ? 'passed' : 'failed'
        return `${id}: ${how}, ${formatSeconds(wallMs)}${why === null ? '' : `: ${why}`}`
      },
      listsEnds: false,
    }),
    undisturbed() {
      const text = `undisturbed, play ${++undisturbed}`
      if (progress.isTerminal) progress.show(text)
      else progress.print(text)
    },
    estimated({ planned, fitting, milliseconds, elsewhere }) {
      const others =
        elsewhere === 0 ? '' : `, each with about ${counted(elsewhere, 'request')} to others, such as a model`
      progress.print(
        `${counted(planned, 'disturbance')}, of which ${fitting} fit into the budget: about ${formatSeconds(milliseconds)}${others}`,
      )
    },
  }
}
