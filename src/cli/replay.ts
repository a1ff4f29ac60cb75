import { type Command, InvalidArgumentError } from 'commander'
import { invocation } from '../base/package.js'
import type { RunningServer } from '../doors/server/start-server.js'
import type { Simulator } from '../doors/simulator/simulator.js'
import { type AttackMode, type AttacksOptions, playAttacks } from '../runs/attacks/attacks.js'
import { attacksReport } from '../runs/attacks/attacks-report.js'
import { disturbedBy } from '../runs/check/disturbed.js'
import { keepPlay } from '../runs/kept/kept-play.js'
import { type ReplayOptions, replayAndKeep } from '../runs/replay/replay.js'
import { prepareResults, replayReport, writeResults } from '../runs/replay/report.js'
import { recordWorld } from '../runs/reports/html.js'
import { formatSeconds, type Report, type ReportFormat } from '../runs/reports/report.js'
import {
  playTrials,
  type RecordedTrial,
  type Requirement,
  type TrialPlan,
  type TrialRun,
  type TrialsWatcher,
  trialsReport,
} from '../runs/trials/trials.js'
import { attackModeOf } from '../story/attacks/lay-attacks.js'
import { readWritten } from '../story/read/read-scenario.js'
import { InputError, type Interruption, interruptible } from './failure.js'
import {
  addNetworkFlags,
  addRunFlags,
  addWorldFlags,
  collectText,
  type FlagsFor,
  isTyped,
  numberWithin,
  optionsOf,
  parseWait,
  reporterOption,
  splitCommandLine,
  usageOf,
} from './flags.js'
import { formatEvent, plansProgress, playProgress } from './progress.js'
import { explained, failUnlessPassed, isAnnotated, reportPlace, writeReport } from './report-output.js'
import { Progress, sanitize, withLoadingLine } from './terminal.js'

/** Adds the command that plays a story against an agent and judges the outcome. */
export function addReplay(command: Command): void {
  command
    .description(description)
    .usage('<scenario> [options] [-- <command> [argument...]]')
    .argument('[scenario]', 'name of a shipped scenario, or path of a file')
    .allowExcessArguments()
  addWorldFlags(command, undefined, ' (default: auto; without a command, the story is played immediately)')
  addRunFlags(command)
    .option(
      '--grace <duration>',
      'story time after the last entry (default: 1h; on other clocks than auto 30s)',
      parseWait,
    )
    .option('--keep', 'keep the server running afterwards, until Ctrl-C')
    .optionsGroup('How often, and what is required:')
    .option(
      '--trials <number>',
      'play it this many times, each time in a fresh world',
      numberWithin(1, 10_000, 'It must be a whole number from 1 to 10000.'),
    )
    .option(
      '--require <all|rate>',
      'the share of the trials that must pass, e.g. 0.9 (default: all)',
      parseRequirement,
    )
    .option('--vary-seed', 'another seed for each trial; the first has the given one')
    .option('--bail', 'stop once the requirement can no longer be met')
    .optionsGroup('Under attack:')
    .option(
      '--attacks <none|all|names>',
      'lay attacks over the story: all together, or each of these separately (default: as the scenario says)',
      parseAttacks,
    )
    .option(
      '--disturb <id>',
      'play it with a disturbance of check, after one undisturbed play to compare with',
    )
    .optionsGroup('Output:')
    .addOption(reporterOption())
    .option(
      '--out <path>',
      'write the report to this file; to a folder (dir/) also the requests, and the gaps that responses depend on (repeatable)',
      collectText,
    )
    .option(
      '--verbose',
      'print requests, deliveries and stack traces on the error stream, and all rows of tables',
    )
  addNetworkFlags(command, 0).addHelpText('after', `\n${examples}`)
  command.action((_, flags, line) => replay(flags, line))
}

const description = [
  'Plays a scenario to an agent on its own server: mail arrives, requests fail, time passes. At the end, it ' +
    'reports which expectations of the scenario hold and, for the others, the closest match.',
  'The command finds the service in MAILBOX_BASE_URL and MAILBOX_API_KEY, its tools in MAILBOX_MCP_URL, and the control API in MAILBOX_SIM_URL. The ' +
    'story begins once the command is up: its webhook receivers accept connections, or its first request arrives. When the ' +
    'story has ended, the command gets SIGTERM. If it exits earlier with status 0, the rest of the story is played ' +
    'without it. Without a command, the whole story is played immediately.',
].join('\n\n')

const examples = `Examples:
  ${invocation} replay refund-request -- python my_agent.py
  ${invocation} replay story.yaml --clock 60x -- npx tsx agent.ts
  ${invocation} replay story.yaml --trials 10 --require 0.9 --jobs 2 -- python my_agent.py
  ${invocation} replay prompt-injection --attacks all -- python my_agent.py
  ${invocation} replay story.yaml --ready http://127.0.0.1:8787/ -- ./agent --port 8787
  ${invocation} replay story.yaml --out results/ -- npm run agent    report.html, report.json, report.xml, …

Exit status: 0 if everything passed (of trials: as many as required), 1 if something did not, 2 for wrong usage, an invalid
scenario, or a run in which nothing was checked.`

function parseRequirement(text: string): Requirement {
  if (text === 'all') return text
  const rate = /^[\d.]+$/.test(text) ? Number(text) : Number.NaN
  if (rate >= 0 && rate <= 1) return rate
  throw new InvalidArgumentError('It must be all, or a share from 0 to 1 such as 0.9.')
}

function parseAttacks(text: string): AttackMode | 'none' {
  if (text === 'none' || text === 'all') return text
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => name !== '')) return names
  throw new InvalidArgumentError('It must be none, all, or names of attacks, separated by commas.')
}

interface ReplayFlags extends FlagsFor<Omit<AttacksOptions, 'attacks' | 'watcher'>> {
  readonly extend?: readonly string[]
  readonly bail?: true
  readonly attacks?: AttackMode | 'none'
  readonly keep?: true
  readonly reporter?: ReportFormat
  readonly verbose?: boolean
  readonly disturb?: string
  readonly out?: readonly string[]
}

/** The flags, with attacks only if some are played. */
type ChosenFlags = Omit<ReplayFlags, 'attacks'> & { readonly attacks?: AttackMode }

/** Plays a story to an agent, and reports the outcome. */
async function replay(flags: ReplayFlags, line: Command): Promise<void> {
  const { own, command } = splitCommandLine(line)
  const [scenario, ...surplus] = own
  if (scenario === undefined) throw new InputError(`replay needs a scenario: ${usageOf(line)}`)
  if (surplus.length > 0)
    throw new InputError(`replay takes one scenario; the command goes after --: ${usageOf(line)}`)
  // Without an agent, or with a server that is kept, the story of the scenario is played alone.
  const isAlone = command.length === 0 || flags.keep === true
  const { attacks = attacksOf(flags) ?? (isAlone ? 'none' : await attackModeOf(scenario)), ...others } = flags
  const chosen = { ...others, ...(attacks !== 'none' && { attacks }) }
  refuseUselessFlags(chosen, line, command)
  await interruptible((interruption) => replayAndReport(scenario, command, chosen, interruption))
}

async function replayAndReport(
  scenario: string,
  words: readonly string[],
  flags: ChosenFlags,
  interruption: Interruption,
): Promise<void> {
  const { reporter, attacks, out = [] } = flags
  // The format of several files is that of their names, and so is that of one beside annotations.
  const format = out.length > 1 || reporter === 'github' ? undefined : reporter
  const places = await Promise.all(out.map((path) => reportPlace(path, format, 'everything')))
  const folder = places.find((one) => one.format === 'folder')?.path
  const trace = folder === undefined ? undefined : await explained(folder, () => prepareResults(folder))
  const progress = new Progress()
  let disturbed: Awaited<ReturnType<typeof disturbedBy>> | undefined
  const reported = await withLoadingLine(scenario, async (onProgress) => {
    const command = words.length > 0 ? words : undefined
    const given = { ...optionsOf(flags), scenario, ...interruption, onProgress, trace, command }
    if (flags.disturb !== undefined && attacks === undefined)
      disturbed = await disturbedBy(flags.disturb, { ...given, command: words })
    return playAsChosen({ ...given, ...disturbed }, flags, progress)
  }).finally(() => progress.end())
  const { simulator, server } = reported
  // Only annotations name these places, which takes another reading of the scenario.
  const report = isAnnotated(reporter)
    ? await withPlaces(reported.report, scenario, simulator.seed)
    : reported.report
  try {
    await writeReport(report, {
      format: reporter ?? 'human',
      places,
      isOutputShown: true,
      isWhole: flags.verbose,
      async writeFolder(path) {
        await writeResults(path, report)
        await keepPlay(path, simulator, { scenario, extend: flags.extend, ...disturbed })
      },
    })
    if (flags.keep && server) await keep(server, interruption.signal)
  } finally {
    await server?.close()
  }
  failUnlessPassed(report)
}

/** Returns a report with the places in the scenario of what its findings are about. */
async function withPlaces(report: Report, scenario: string, seed: number): Promise<Report> {
  // The file may be gone by now.
  const written = await readWritten(scenario, { seed }).catch(() => undefined)
  const findings = report.findings.map((finding) => {
    const at =
      finding.expectation === undefined ? undefined : written?.locate(['expect', finding.expectation])
    return { ...finding, place: written && at && { file: written.source, line: at.line } }
  })
  return { ...report, findings }
}

/** Returns the attacks that a disturbance consists of; undefined for another one. */
function attacksOf({ disturb = '' }: ReplayFlags): AttackMode | undefined {
  const [, name] = /^attacks\/(.+)$/.exec(disturb) ?? []
  return name === undefined || name === 'all' ? name : [name]
}

/** A report, and the simulator whose traffic is kept beside it; a single replay also has its server. */
interface Reported {
  readonly report: Report
  readonly simulator: Simulator
  readonly server?: RunningServer
}

/** Refuses flags that would have no effect. @throws InputError */
function refuseUselessFlags(
  { trials, attacks, keep: kept, disturb }: ChosenFlags,
  line: Command,
  words: readonly string[],
): void {
  const useless = ['require', 'jobs', 'vary-seed', 'bail'].find((name) => isTyped(line, name))
  if (useless && trials === undefined && attacks === undefined) {
    throw new InputError(`--${useless} is about trials; say how many there are with --trials.`)
  }
  if (disturb !== undefined && words.length === 0)
    throw new InputError('--disturb needs a command to play the story to, after --.')
  if (attacks === undefined && (trials === undefined || trials === 1)) return
  const flag = attacks === undefined ? '--trials' : '--attacks'
  if (words.length === 0) throw new InputError(`${flag} needs a command to play the story to, after --.`)
  if (kept) throw new InputError(`--keep goes with a single replay, not with ${flag}.`)
}

/** Plays the story: once, several times, or without and under attacks. */
async function playAsChosen(
  options: ReplayOptions,
  { trials = 1, attacks, verbose = false }: Pick<ChosenFlags, 'trials' | 'attacks' | 'verbose'>,
  progress: Progress,
): Promise<Reported> {
  if (attacks === undefined && trials === 1) {
    const watcher = playProgress(progress, verbose)
    const { report, simulator, server } = await replayAndKeep({ ...options, watcher })
    const recording = () => recordWorld(simulator, report.verdicts)
    return { report: { ...replayReport(report), recording }, simulator, server }
  }
  const several = { ...options, trials, watcher: trialsProgress(progress, trials, verbose) }
  if (attacks === undefined) {
    const { report, main } = await playTrials(several)
    return withRecording(trialsReport(report), main)
  }
  const { report, main } = await playAttacks({ ...several, attacks })
  return withRecording(attacksReport(report), main, { play: main.play })
}

/** Returns the report of several plays, with a recording of the most telling one, and facts about that. */
function withRecording(report: Report, { simulator, run }: RecordedTrial, facts = {}): Reported {
  const recording = () => ({ ...recordWorld(simulator, run.verdicts), ...facts, trial: run.trial })
  return { report: { ...report, recording }, simulator }
}

/** Shows trials, `count` of each series, with the number of the trial before each line that its command writes. */
function trialsProgress(progress: Progress, count: number, verbose: boolean): TrialsWatcher {
  const nameOf = ({ trial, series }: TrialPlan): string => {
    return series === undefined ? `${trial}` : `${series}, trial ${trial}`
  }
  return {
    ...plansProgress<TrialPlan, TrialRun>(progress, {
      noun: 'trial',
      nameOf,
      hasFailed: ({ passed, not_judged }) => !passed && not_judged === null,
      formatEnd(run, plan) {
        const which = plan.series === undefined ? `trial ${run.trial}` : nameOf(plan)
        return sanitize(`${which}: ${replayReport(run).headline}, in ${formatSeconds(run.wall_ms)}`)
      },
    }),
    of({ trial }) {
      const mark = `${String(trial).padStart(String(count).length)} │ `
      const write = (lines: readonly string[]): void =>
        progress.print(lines.map((line) => mark + line).join('\n'))
      return {
        wrote: write,
        noted: (note) => write([`note: ${note}`]),
        happened(event) {
          const line = verbose ? formatEvent(event) : undefined
          if (line !== undefined) write([sanitize(line)])
        },
      }
    },
  }
}

/** Keeps the server running until an interruption. */
async function keep({ url, controlUrl, agentAccess }: RunningServer, signal: AbortSignal): Promise<void> {
  agentAccess?.end()
  if (signal.aborted) return
  process.stderr.write(`\nThe server is still running at ${url} (control ${controlUrl}). Ctrl-C stops it.\n`)
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
