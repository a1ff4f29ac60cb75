import { readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Command } from 'commander'
import { parseJson } from '../../base/json.js'
import { counted, formatCommand } from '../../base/text.js'
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
import { InputError, type Interruption, interruptedBy, interruptible } from '../failure.js'
import type { FlagsOf } from '../flag-command.js'
import { optionsOf } from '../flags.js'
import { plansProgress } from '../plans-progress.js'
import { failUnlessPassed, reportPlace, writeReport } from '../report-output.js'
import { Progress } from '../terminal.js'

type CheckFlags = FlagsOf<typeof addCheck>

/** Checks an agent with one scenario after another, and reports what breaks it; what several write is in a folder for each. */
export async function runCheck(flags: CheckFlags, line: Command, typed: readonly TypedFlag[]): Promise<void> {
  const { scenarios, command } = parseClientCommand(line, typed, ['python3', 'agent.py'])
  const names = scenarios.map((one) => basename(one, extname(one)))
  const isSeveral = names.length > 1
  if (isSeveral) refuseSharedPlace(names, flags)
  await interruptible(async (interruption) => {
    let hasFailed = false
    for (const [index, scenario] of (isSeveral ? scenarios : [scenarios[0]]).entries()) {
      const own = isSeveral ? flagsOf(names[index] as string, flags) : flags
      if (!(await checkScenario(scenario, command, own, typed, interruption))) hasFailed = true
    }
    failUnlessPassed({ passed: !hasFailed })
  })
}

/** Returns the flags of one of several scenarios, with its own folders. */
function flagsOf(name: string, flags: CheckFlags): CheckFlags {
  const { out, resume } = flags
  return {
    ...flags,
    ...(out !== undefined && { out: join(out, name, '/') }),
    ...(resume !== undefined && { resume: join(resume, name) }),
  }
}

/** Refuses what several scenarios cannot share. @throws InputError */
function refuseSharedPlace(names: readonly string[], { out, reporter }: CheckFlags): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined && out !== undefined)
    throw new InputError(`Two of the scenarios are called ${twice}; check them one after another.`)
  if (out !== undefined && !out.endsWith('/'))
    throw new InputError(`--out ${out}: several scenarios have a report each; name a folder: ${out}/`)
  if (reporter === 'junit' || reporter === 'html')
    throw new InputError(`--reporter ${reporter} writes one report; --out DIR/ has one of each scenario.`)
}

/** Checks an agent with a scenario, and reports what breaks it; returns whether nothing does. */
async function checkScenario(
  scenario: string | undefined,
  command: readonly string[],
  flags: CheckFlags,
  typed: readonly TypedFlag[],
  { signal, kill }: Interruption,
): Promise<boolean> {
  const { out, reporter, resume } = flags
  const place =
    out === undefined ? undefined : await reportPlace(out, reporter, 'a scenario for each finding')
  const folder = place?.is === 'folder' ? place.path : undefined
  if (folder !== undefined) await makeFolder(folder)
  const ids = resume === undefined ? undefined : await idsOf(resume)
  const options = { ...optionsOf(flags), signal, kill, scenario, command, flags: typed, resume: ids }
  const checked = await checkWithProgress(options).catch((error: unknown) => {
    const isOver = error instanceof RunError && error.code === 'interrupted'
    throw isOver ? interruptedBy(signal.reason, 'Interrupted before anything was tried.') : error
  })
  if (flags.list) {
    process.stdout.write(checked.ids.map((id) => `${id}\n`).join(''))
    return true
  }
  const report =
    folder === undefined ? checked.report : await withFiles(checked, folder, { scenario, command, typed })
  const printed: Report = { ...checkReport(report, checked.refused), recording: checked.recording }
  await writeReport(printed, {
    ...{ format: reporter ?? 'human', places: place ? [place] : [] },
    writeFolder: (path) => writeResults(path, printed),
  })
  if (report.interrupted) throw interruptedBy(signal.reason)
  return printed.passed
}

/** Returns the ids of the findings of an earlier check, and of what it did not try. @throws InputError */
async function idsOf(folder: string): Promise<readonly string[]> {
  const path = join(folder, 'report.json')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InputError(
      `--resume ${folder}: ${path}: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}; check --out ${formatCommand([`${folder}/`])} writes it.`,
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
    const { attacks } = disturbance.under ?? {}
    const also = [
      ...(thinkTime === undefined ? [] : [{ name: '--think-time', value: `${thinkTime}ms` }]),
      ...(attacks === undefined ? [] : [{ name: '--attacks', value: [attacks].flat().join(',') }]),
    ]
    const again = (file: string): string => {
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
