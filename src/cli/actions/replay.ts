import type { Command } from 'commander'
import type { RunningServer } from '../../doors/server/start-server.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import { type AttackMode, type AttacksOptions, playAttacks } from '../../runs/attacks/attacks.js'
import { attacksReport } from '../../runs/attacks/attacks-report.js'
import { disturbedBy } from '../../runs/check/disturbed.js'
import { keepPlay } from '../../runs/kept/results-folder.js'
import { type ReplayOptions, replayAndKeep } from '../../runs/replay/replay.js'
import { prepareResults, replayReport, writeResults } from '../../runs/replay/report.js'
import {
  formatCommandLine,
  hideSecrets,
  repeatCommandLine,
  type TypedFlag,
} from '../../runs/reports/command-line.js'
import { type Report, recordWorld } from '../../runs/reports/report.js'
import { playTrials, type TrialsOptions } from '../../runs/trials/trials.js'
import { trialsReport } from '../../runs/trials/trials-report.js'
import { attackModeOf } from '../../story/attacks/load-attacks.js'
import { readWritten } from '../../story/read/read-scenario.js'
import { parseClientCommand } from '../arguments.js'
import { InputError, type Interruption, interruptible } from '../failure.js'
import type { FlagsOf } from '../flag-command.js'
import { optionsOf } from '../flags.js'
import { trialsProgress } from '../plans-progress.js'
import type { addReplay } from '../replay.js'
import { ReplayProgress } from '../replay-progress.js'
import { explained, failUnlessPassed, isAnnotated, reportPlace, writeReport } from '../report-output.js'
import { Progress, styleFor, withLoadingLine } from '../terminal.js'

type ReplayFlags = FlagsOf<typeof addReplay>

/** The flags, with attacks only if some are played. */
type ChosenFlags = Omit<ReplayFlags, 'attacks'> & { readonly attacks?: AttackMode }

/** Plays a story to an agent, and reports the outcome. */
export async function runReplay(
  flags: ReplayFlags,
  line: Command,
  typed: readonly TypedFlag[],
): Promise<void> {
  const { scenario, command } = parseClientCommand(line, typed)
  if (scenario === undefined) {
    const words = command.length > 0 ? command : ['python', 'my_agent.py']
    const whole = { name: 'replay', scenario: 'refund-request', flags: typed, command: words } as const
    throw new InputError(`replay needs a scenario: npx ${formatCommandLine(whole)}`)
  }
  // Without an agent, or with a server that is kept, the story of the scenario is played alone.
  const isAlone = command.length === 0 || flags.keep === true
  const { attacks = attacksOf(flags) ?? (isAlone ? 'none' : await attackModeOf(scenario)), ...others } = flags
  const chosen = { ...others, ...(attacks !== 'none' && { attacks }) }
  refuseUselessFlags(chosen, typed, command)
  await interruptible((interruption) => replayAndReport(scenario, command, chosen, interruption, typed))
}

async function replayAndReport(
  scenario: string,
  words: readonly string[],
  flags: ChosenFlags,
  interruption: Interruption,
  typed: readonly TypedFlag[],
): Promise<void> {
  const { reporter, trials = 1, attacks, out = [] } = flags
  // The format of several files is that of their names, and so is that of one beside annotations.
  const format = out.length > 1 || reporter === 'github' ? undefined : reporter
  const places = await Promise.all(out.map((path) => reportPlace(path, format, 'everything')))
  const folder = places.find((one) => one.is === 'folder')?.path
  const trace = folder === undefined ? undefined : await explained(folder, () => prepareResults(folder))
  const progress = new Progress()
  const files: URL[] = []
  const reported = await withLoadingLine(scenario, undefined, async (onProgress) => {
    const command = words.length > 0 ? words : undefined
    const onFile = (file: URL): void => void files.push(file)
    const given = { ...optionsOf(flags), scenario, ...interruption, onProgress, onFile, trace, command }
    const isDisturbed = flags.disturb !== undefined && attacks === undefined
    const options = isDisturbed
      ? { ...given, ...(await disturbedBy(flags.disturb, { ...given, command: words })) }
      : given
    if (attacks === undefined && trials === 1) return playOnce(options, progress, flags.verbose === true)
    const watcher = trialsProgress(progress, trials, flags.verbose === true)
    const several = { ...options, trials, watcher }
    return attacks === undefined ? playSeveral(several) : playUnderAttacks({ ...several, attacks }, typed)
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
        await keepPlay(path, simulator, { scenario, extend: flags.extend, files })
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
  const written = await readWritten(scenario, seed).catch(() => undefined)
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
  typed: readonly TypedFlag[],
  words: readonly string[],
): void {
  const useless = typed.find(({ name }) => ['--require', '--jobs', '--vary-seed', '--bail'].includes(name))
  if (useless && trials === undefined && attacks === undefined) {
    throw new InputError(`${useless.name} is about trials; say how many there are with --trials.`)
  }
  if (disturb !== undefined && words.length === 0)
    throw new InputError('--disturb needs a command to play the story to, after --.')
  if (attacks === undefined && (trials === undefined || trials === 1)) return
  const flag = attacks === undefined ? '--trials' : '--attacks'
  if (words.length === 0) throw new InputError(`${flag} needs a command to play the story to, after --.`)
  if (kept) throw new InputError(`--keep goes with a single replay, not with ${flag}.`)
}

/** Plays the story. */
async function playOnce(options: ReplayOptions, progress: Progress, verbose: boolean): Promise<Reported> {
  const watcher = new ReplayProgress(progress, styleFor(process.stderr), verbose)
  const played = await replayAndKeep({ ...options, watcher }).finally(() => watcher.end())
  const { report, simulator, server } = played
  const recording = () => recordWorld(simulator, report.verdicts)
  return { report: { ...replayReport(report), recording }, simulator, server }
}

/** Plays the story several times. */
async function playSeveral(options: TrialsOptions): Promise<Reported> {
  const { report, main } = await playTrials(options)
  const recording = () => {
    return { ...recordWorld(main.simulator, main.run.verdicts), trial: main.run.trial }
  }
  return { report: { ...trialsReport(report), recording }, simulator: main.simulator }
}

/** Plays the story without and under attacks. */
async function playUnderAttacks(options: AttacksOptions, flags: readonly TypedFlag[]): Promise<Reported> {
  const { report, main } = await playAttacks(options)
  const { simulator } = main
  const { scenario, command = [] } = options
  const line = hideSecrets({ name: 'replay', scenario: String(scenario), flags, command }, (words) => {
    return simulator.masker.arguments(words)
  })
  const lineFor = (attack: string): string => {
    const also = [{ name: '--attacks', value: attack }]
    return `npx ${repeatCommandLine(line, { without: ['--attacks'], also })}`
  }
  const { run, play, trial } = main
  const recording = () => ({ ...recordWorld(simulator, run.verdicts), play, trial })
  return { report: { ...attacksReport(report, lineFor), recording }, simulator }
}

/** Keeps the server running until an interruption. */
async function keep({ url, controlUrl, agentAccess }: RunningServer, signal: AbortSignal): Promise<void> {
  agentAccess?.end()
  if (signal.aborted) return
  process.stderr.write(`\nThe server is still running at ${url} (control ${controlUrl}). Ctrl-C stops it.\n`)
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
