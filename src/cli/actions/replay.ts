import type { Command } from 'commander'
import { counted } from '../../base/text.js'
import type { RunningServer } from '../../doors/server/start-server.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import {
  type AttackMode,
  type AttacksOptions,
  type NamedTrial,
  playAttacks,
} from '../../runs/attacks/attacks.js'
import { attacksReport } from '../../runs/attacks/attacks-report.js'
import { compareResults } from '../../runs/compare/compare.js'
import { headlineOf } from '../../runs/compare/comparison-report.js'
import { type Results, readResults, resultsOf } from '../../runs/compare/results.js'
import { readKeptPlay } from '../../runs/kept/kept-play.js'
import { ResultsFolder } from '../../runs/kept/results-folder.js'
import { minimize } from '../../runs/minimize/minimize.js'
import { minimizeReport } from '../../runs/minimize/minimize-report.js'
import { type Replayed, type ReplayOptions, replayAndKeep } from '../../runs/replay/replay.js'
import { prepareResults, replayReport, writeResults } from '../../runs/replay/report.js'
import {
  formatCommandLine,
  hideSecrets,
  repeatCommandLine,
  type TypedFlag,
} from '../../runs/reports/command-line.js'
import { type Report, recordWorld } from '../../runs/reports/report.js'
import { playTrials, type RecordedTrial, type TrialsOptions } from '../../runs/trials/trials.js'
import { trialsReport } from '../../runs/trials/trials-report.js'
import { attackModeOf } from '../../story/load.js'
import { InputError, type Interruption, interruptible } from '../failure.js'
import type { FlagsOf } from '../flag-command.js'
import { optionsOf } from '../flags.js'
import type { addReplay } from '../replay.js'
import { ReplayProgress } from '../replay-progress.js'
import { explained, failUnlessPassed, reportPlace, writeReport } from '../report-output.js'
import { Progress, styleFor, withLoadingLine } from '../terminal.js'
import { trialsProgress } from '../trials-progress.js'
import { parseClientCommand } from './arguments.js'

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
  const isRest = isAlone || flags.from !== undefined || flags.minimize === true
  const { attacks = isRest ? 'none' : await attackModeOf(scenario), ...others } = flags
  const chosen = { ...others, ...(attacks !== 'none' && { attacks }) }
  refuseUselessFlags(chosen, typed, command)
  await interruptible((interruption) =>
    flags.minimize
      ? minimizeAndReport(scenario, command, chosen, interruption)
      : replayAndReport(scenario, command, chosen, interruption, typed),
  )
}

/** Plays parts of a failing story, and reports which it needs to fail. */
async function minimizeAndReport(
  scenario: string,
  command: readonly string[],
  flags: ChosenFlags,
  interruption: Interruption,
): Promise<void> {
  const format = flags.reporter
  const place = flags.out === undefined ? undefined : await reportPlace(flags.out, format)
  if (place?.is === 'folder' || (place?.format ?? format) === 'html') {
    throw new InputError(
      '--minimize has no page and no folder; name a file such as smallest.json, .md, .xml or .txt.',
    )
  }
  const progress = new Progress()
  const onPlay = (play: number, parts: number): void => {
    progress.show(`play ${play}: ${counted(parts, 'part')} of the story`)
  }
  const { from: _, ...options } = optionsOf(flags)
  const minimized = await minimize({ ...options, ...interruption, scenario, command, onPlay }).finally(() => {
    progress.end()
  })
  const report = minimizeReport(minimized)
  await writeReport(report, { format: format ?? 'human', place })
  failUnlessPassed(report)
}

async function replayAndReport(
  scenario: string,
  words: readonly string[],
  flags: ChosenFlags,
  interruption: Interruption,
  typed: readonly TypedFlag[],
): Promise<void> {
  const chosen = flags.reporter
  const place = flags.out === undefined ? undefined : await reportPlace(flags.out, chosen, 'everything')
  const { trials = 1, attacks } = flags
  // Read before anything is played.
  const baseline = flags.baseline === undefined ? undefined : await readResults(flags.baseline)
  const trace =
    place?.is === 'folder' ? await explained(place.path, () => prepareResults(place.path)) : undefined
  const progress = new Progress()
  const earlier = await earlierPlay(scenario, flags)
  const named = { scenario: earlier?.scenario ?? scenario, extend: earlier?.extend ?? flags.extend }
  const results = place?.is === 'folder' ? new ResultsFolder(place.path, named) : undefined
  const files: URL[] = []
  const reported = await withLoadingLine(scenario, undefined, (onProgress) => {
    const command = words.length > 0 ? words : undefined
    const onFile = (file: URL): void => void files.push(file)
    const told = { ...optionsOf(flags), scenario, from: undefined, ...earlier }
    const options = { ...told, ...interruption, onProgress, onFile, trace, command }
    if (attacks === undefined && trials === 1) {
      return playOnce(options, progress, flags.verbose === true, async (played) => {
        await results?.keep(played, options)
      })
    }
    const watcher = trialsProgress(progress, trials, flags.verbose === true)
    const several = { ...options, trials, watcher }
    if (attacks === undefined) {
      const onPlayed: TrialsOptions['onPlayed'] = async (played, { trial }) => {
        await results?.keep(played, { trial, allowEmpty: flags.allowEmpty })
      }
      return playSeveral({ ...several, onPlayed }, baseline)
    }
    const onPlayed: TrialsOptions['onPlayed'] = async (played, { trial, series }) => {
      await results?.keep(played, { trial, series, allowEmpty: flags.allowEmpty })
    }
    return playUnderAttacks({ ...several, attacks, onPlayed }, typed)
  }).finally(() => progress.end())
  const { report, simulator, server } = reported
  try {
    await writeReport(report, {
      format: chosen ?? 'human',
      place,
      async writeFolder(path) {
        const isSeries = attacks !== undefined || trials > 1
        const required = { count: trials, require: flags.require ?? ('all' as const) }
        await writeResults(path, report)
        await results?.write(simulator, { files, ...(isSeries && { trials: required }) })
      },
    })
    if (flags.keep && server) await keep(server, interruption.signal)
  } finally {
    await server?.close()
  }
  failUnlessPassed(report)
}

/** Returns what a play from a moment of earlier results begins with; undefined if the story is played from its start. */
async function earlierPlay(folder: string, { from, ...flags }: ChosenFlags) {
  if (from === undefined) return undefined
  const { scenario, seed, start, under, until, ...play } = await readKeptPlay(folder, flags)
  const extend = [...play.extend, ...(flags.extend ?? [])]
  return { scenario, seed, start, under, extend, from: await until(from) }
}

/** A report, and the simulator whose traffic is kept beside it; a single replay also has its server. */
interface Reported {
  readonly report: Report
  readonly simulator: Simulator
  readonly server?: RunningServer
}

/** The flags that do not go with `--minimize`. */
const beside = ['--trials', '--attacks', '--baseline', '--from', '--keep']

/** Refuses flags that would have no effect. @throws InputError */
function refuseUselessFlags(
  { trials, attacks, baseline, from, play, trial, minimize: minimized, keep: kept }: ChosenFlags,
  typed: readonly TypedFlag[],
  words: readonly string[],
): void {
  const useless = typed.find(({ name }) =>
    ['--require', '--jobs', '--vary-seed', '--bail', '--baseline'].includes(name),
  )
  if (useless && trials === undefined && attacks === undefined) {
    throw new InputError(`${useless.name} is about trials; say how many there are with --trials.`)
  }
  if (minimized) {
    const other = typed.find(({ name }) => beside.includes(name))
    if (other) throw new InputError(`${other.name} does not go with --minimize; leave one of them out.`)
    if (words.length === 0) throw new InputError('--minimize needs a command to play the story to, after --.')
  }
  const own = typed.find(({ name }) => ['--seed', '--start', '--vary-seed', '--attacks'].includes(name))
  if (from !== undefined && own) {
    throw new InputError(`${own.name} is for a story from its start, not with --from; leave it out.`)
  }
  const ofResults = play !== undefined ? '--play' : trial !== undefined ? '--trial' : undefined
  if (ofResults !== undefined && from === undefined) {
    throw new InputError(
      `${ofResults} is about earlier results; say from which moment the rest is played: --from 12.${trial === undefined ? '' : ` For a number of trials, use --trials ${trial}.`}`,
    )
  }
  if (baseline !== undefined && attacks !== undefined) {
    throw new InputError(
      '--baseline compares trials of the story alone; leave out attacks with --attacks none.',
    )
  }
  if (baseline !== undefined && trials === 1) {
    throw new InputError('--baseline compares several trials; say how many with --trials.')
  }
  if (attacks === undefined && (trials === undefined || trials === 1)) return
  const flag = attacks === undefined ? '--trials' : '--attacks'
  if (words.length === 0) throw new InputError(`${flag} needs a command to play the story to, after --.`)
  if (kept) throw new InputError(`--keep goes with a single replay, not with ${flag}.`)
}

/** Plays the story. */
async function playOnce(
  options: ReplayOptions,
  progress: Progress,
  verbose: boolean,
  onPlayed: (played: Replayed) => Promise<void>,
): Promise<Reported> {
  const watcher = new ReplayProgress(progress, styleFor(process.stderr), verbose)
  const played = await replayAndKeep({ ...options, watcher }).finally(() => watcher.end())
  const { report, simulator, server } = played
  await onPlayed(played)
  const recording = () => recordWorld(simulator, report.verdicts)
  return { report: { ...replayReport(report), recording }, simulator, server }
}

/** Plays the story several times; with a baseline, the report says what has changed since. */
async function playSeveral(options: TrialsOptions, baseline: Results | undefined): Promise<Reported> {
  const { report, main, beside } = await playTrials(options)
  const record = ({ run, simulator }: RecordedTrial) => {
    return { ...recordWorld(simulator, run.verdicts), trial: run.trial }
  }
  const recordings = { recording: () => record(main), beside: beside && (() => record(beside)) }
  const told = { ...trialsReport(report), ...recordings }
  if (!baseline) return { report: told, simulator: main.simulator }
  const results = resultsOf('these', report)
  const comparison = compareResults(baseline, results)
  const conclusion = `Compared with ${baseline.name}: ${headlineOf(comparison, baseline, results)}`
  return { report: { ...told, conclusion, document: { ...report, comparison } }, simulator: main.simulator }
}

/** Plays the story without and under attacks. */
async function playUnderAttacks(options: AttacksOptions, flags: readonly TypedFlag[]): Promise<Reported> {
  const { report, main, others } = await playAttacks(options)
  const { simulator } = main
  const { scenario, command = [] } = options
  const line = hideSecrets({ name: 'replay', scenario: String(scenario), flags, command }, (words) => {
    return simulator.masker.arguments(words)
  })
  const lineFor = (attack: string): string => {
    const also = [{ name: '--attacks', value: attack }]
    return `npx ${repeatCommandLine(line, { without: ['--attacks'], also })}`
  }
  const record = ({ run, play, trial, ...one }: NamedTrial) => {
    return { ...recordWorld(one.simulator, run.verdicts), play, trial }
  }
  const recordings = { recording: () => record(main), others: others.map((one) => () => record(one)) }
  return { report: { ...attacksReport(report, lineFor), ...recordings }, simulator }
}

/** Keeps the server running until an interruption. */
async function keep({ url, controlUrl }: RunningServer, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  process.stderr.write(`\nThe server is still running at ${url} (control ${controlUrl}). Ctrl-C stops it.\n`)
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
