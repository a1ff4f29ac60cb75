import { readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Command } from 'commander'
import { createFolder } from '../base/create-folder.js'
import { parseJson } from '../base/json.js'
import { invocation } from '../base/package.js'
import { counted, formatCommand } from '../base/text.js'
import { type Checked, type CheckOptions, type CheckWatcher, check } from '../runs/check/check.js'
import type { CheckReport } from '../runs/check/check-report.js'
import { formatReplayLine, type TypedFlag, writeFindingFile } from '../runs/check/disturbed.js'
import type { Tried } from '../runs/check/findings.js'
import { RunError } from '../runs/errors.js'
import { writeResults } from '../runs/replay/report.js'
import { formatSeconds, type ReportFormat } from '../runs/reports/report.js'
import { InputError, type Interruption, interruptedBy, interruptible } from './failure.js'
import {
  addRunFlags,
  addWorldFlags,
  allowDeliveryOption,
  collectText,
  type FlagsFor,
  numberWithin,
  optionsOf,
  parseWait,
  reporterOption,
  splitCommandLine,
  usageOf,
} from './flags.js'
import { plansProgress } from './progress.js'
import { failUnlessPassed, reportPlace, writeReport } from './report-output.js'
import { Progress, sanitize } from './terminal.js'

/** Adds the command that plays a story to an agent while one thing at a time goes wrong. */
export function addCheck(command: Command): void {
  command
    .description(description)
    .usage('[scenario...] [options] -- <command> [argument...]')
    .argument('[scenario...]', 'names of shipped scenarios, or paths of files (default: support-desk)')
    .allowExcessArguments()
    .optionsGroup('What is tried:')
    .option(
      '--only <glob>',
      'only disturbances with such ids; an asterisk stands for any characters (repeatable)',
      collectText,
    )
    .option('--list', 'print the ids of the disturbances, and stop')
    .option(
      '--time <duration>',
      'after this time of a scenario, no further disturbance begins (default: 5m)',
      parseWait,
    )
    .option(
      '--plays <number>',
      'after as many plays of a scenario, no further disturbance begins',
      numberWithin(1, 999_999, 'It is a whole number from 1 to 999999.'),
    )
    .option('--resume <dir>', 'first what an earlier --out DIR/ found, then what it did not try')
  addRunFlags(addWorldFlags(command, 'auto'))
    .addOption(allowDeliveryOption())
    .optionsGroup('Output:')
    .addOption(reporterOption())
    .option(
      '--out <path>',
      'write the report to this file; to a folder (dir/) also a scenario for each finding; of several scenarios, in a folder each',
    )
    .option('--verbose', 'print stack traces on the error stream')
    .addHelpText('after', `\n${examples}`)
  const typed = typedFlagsOf(command)
  command.action((_, flags, line) => runCheck(flags, line, typed))
}

const description = [
  'Plays a scenario to your agent undisturbed, twice, and then again and again with one thing going wrong at a time: a response is ' +
    'lost, an event comes twice, the agent is killed, a hostile mail comes, an open point of the interface is otherwise. It reports ' +
    'what breaks the agent for certain, what to do about it, and the command that repeats it.',
  'The command finds the service in MAILBOX_BASE_URL and MAILBOX_API_KEY, its tools in MAILBOX_MCP_URL, and keeps what it has to ' +
    'remember in MAILBOX_STATE_DIR, which is new for each play. The scenario says what is expected, what is `known`, and which ' +
    '`invariants` are off. A command that starts simulators in its own processes, such as a test runner, is tried under other ' +
    'assumptions only. Ctrl-C ends the check with the report so far.',
].join('\n\n')

const examples = `Examples:
  ${invocation} check refund.yaml -- python3 agent.py
  ${invocation} check refund.yaml --list -- python3 agent.py
  ${invocation} check refund.yaml --only 'restarts/*' --out results/ -- node agent.mjs
  ${invocation} check -- npx vitest run        other assumptions for simulators in your tests
  ${invocation} replay refund.yaml --disturb faults/messages.reply/1/lost -- python3 agent.py

Exit status: 0 if nothing broke, 1 if something did or the agent fails undisturbed, 2 for wrong usage or if nothing could be
tried, 130 or 143 if it was interrupted.`

interface CheckFlags extends FlagsFor<Omit<CheckOptions, 'resume'>> {
  readonly resume?: string | undefined
  readonly reporter?: ReportFormat
  readonly out?: string | undefined
}

/**
 * Returns the flags of a command as typed, in order; Commander adds them while it parses the command line.
 */
function typedFlagsOf(command: Command): readonly TypedFlag[] {
  const typed: TypedFlag[] = []
  for (const option of command.options) {
    command.on(`option:${option.name()}`, (value: string | null | undefined) => {
      typed.push({ name: `--${option.name()}`, value: value ?? undefined })
    })
  }
  return typed
}

/** Checks an agent with one scenario after another, and reports what breaks it; what several write is in a folder for each. */
async function runCheck(flags: CheckFlags, line: Command, typed: readonly TypedFlag[]): Promise<void> {
  const { own: scenarios, command } = splitCommandLine(line)
  if (command.length === 0) throw new InputError(`check needs a command to run, after --: ${usageOf(line)}`)
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
function flagsOf(name: string, { out, resume, ...others }: CheckFlags): CheckFlags {
  return { ...others, out: out && join(out, name, '/'), resume: resume && join(resume, name) }
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
  const folder = place?.format === 'folder' ? place.path : undefined
  if (folder !== undefined) await createFolder(folder)
  const ids = resume === undefined ? undefined : await idsOf(resume)
  const progress = new Progress()
  const options = { ...optionsOf(flags), signal, kill, scenario, command, flags: typed, resume: ids }
  const checked = await check({ ...options, watcher: watcherOf(progress) })
    .catch((error: unknown) => {
      const isOver = error instanceof RunError && error.code === 'interrupted'
      throw isOver ? interruptedBy(signal.reason, 'Interrupted before anything was tried.') : error
    })
    .finally(() => progress.end())
  if (flags.list && !checked.report.undisturbed.refusal) {
    process.stdout.write(checked.report.untried.map((id) => `${id}\n`).join(''))
    return true
  }
  // A scenario plays nothing to a command that starts simulators of its own.
  const withoutFiles = folder === undefined || checked.report.in_process
  const report = withoutFiles ? checked.report : await withFiles(checked, folder, command, typed)
  const printed = checked.print(report)
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
      `--resume ${folder}: ${path}: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}; check --out ${formatCommand([join(folder, '/')])} writes it.`,
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
  command: readonly string[],
  typed: readonly TypedFlag[],
): Promise<CheckReport> {
  const findings = report.findings.map(async (finding) => {
    const { document, disturbance } = documentOf(finding.id)
    const { thinkTime } = disturbance.playing ?? {}
    const { attacks } = disturbance.under ?? {}
    const also = [
      ...(thinkTime === undefined ? [] : [{ name: '--think-time', value: `${thinkTime}ms` }]),
      ...(attacks === undefined ? [] : [{ name: '--attacks', value: [attacks].flat().join(',') }]),
    ]
    const again = (file: string) => formatReplayLine(file, command, typed, also)
    return { ...finding, file: await writeFindingFile(folder, finding, document, again) }
  })
  return { ...report, findings: await Promise.all(findings) }
}

/** Shows the progress: a bar on a terminal, a line for each play elsewhere. */
function watcherOf(progress: Progress): CheckWatcher {
  let undisturbed = 0
  return {
    ...plansProgress<{ readonly id: string }, Tried>(progress, {
      noun: 'play',
      nameOf: ({ id }) => id,
      hasFailed: ({ failures }) => failures.length > 0,
      formatEnd({ failures: [first], isSpoiled, wallMs }, { id }) {
        if (progress.isTerminal) return undefined
        const how = isSpoiled ? 'not judged' : first ? 'failed' : 'passed'
        return sanitize(`${id}: ${how}, ${formatSeconds(wallMs)}${first ? `: ${first.problem}` : ''}`)
      },
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
