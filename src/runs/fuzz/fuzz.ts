import { cp, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { counted } from '../../base/text.js'
import { requestedLayers } from '../../doors/simulator/scenario-loader.js'
import { formatInstant, speedOf, stopwatch } from '../../service/world/index.js'
import { formatScenarioDocument, mapPaths } from '../../story/document.js'
import { invariants } from '../../story/expectations/invariants/index.js'
import { loadScenario, type Story } from '../../story/index.js'
import { mayRead } from '../../story/source/files.js'
import { FailureLine } from '../agent/command-output.js'
import { RunError } from '../errors.js'
import { describeWait } from '../pace/client-waits.js'
import type { ReplayOptions } from '../replay/replay.js'
import { replayAndKeep } from '../replay/replay.js'
import {
  formatCommandLine,
  hideSecretArguments,
  hideSecretFlags,
  makeFolder,
  type RecordedRun,
  recordWorld,
  repeatedFlags,
  type TypedFlag,
} from '../reports/index.js'
import { type Client, type PlayedStory, playedStoryOf } from './facts.js'
import { FuzzedScenario } from './fuzzed-scenario.js'
import type { ClientFailure } from './judging.js'
import {
  adviceUnder,
  describeElement,
  type PlanElement,
  poolOf,
  type Vary,
  varyKinds,
} from './kinds/index.js'
import { prepareJudging } from './preparation.js'
import { coverageOf, type FuzzReport, type ReportedFinding } from './report.js'
import { type FoundPlan, PlanSearch, type SearchOptions } from './search.js'

/** The options of a fuzzing run. */
export interface FuzzOptions
  extends CommandClientOptions,
    Pick<ReplayOptions, 'readings' | 'allowFiles'>,
    Pick<SearchOptions, 'runs' | 'time' | 'shrinkRuns' | 'watcher'> {
  /** A shipped name or a path; `support-desk` by default. */
  readonly scenario?: string | undefined
  /** The seed of the search; the scenario keeps its own. */
  readonly seed: number
  readonly vary?: readonly Vary[] | undefined
  /** Extensions besides those the scenario names. */
  readonly extend?: readonly string[] | undefined
  /** The folder that findings are written to. */
  readonly out: string
  /** The number of concurrent runs; by default two per processor, or one if the command receives deliveries. */
  readonly jobs?: number | undefined
}

/** The result of a fuzzing run. */
export interface Fuzzed {
  readonly report: FuzzReport
  /** Records the most informative run: the replay of the first finding, or else the run without changes. */
  readonly recording: (() => RecordedRun) | undefined
}

/** Flags that only a search has; its seed is that of the plans. */
const searchFlags = ['--jobs', '--runs', '--seed', '--shrink-runs', '--time', '--vary']

/** How long a client that ends by itself may run, in milliseconds of wall time. */
const longestRun = 20_000

/**
 * Searches for small changes of a story under which a command fails, and writes each as a scenario.
 * @throws ScenarioError, ReadingError, RunError
 */
export async function fuzz(options: FuzzOptions): Promise<Fuzzed> {
  const elapsed = stopwatch()
  const { command, scenario: name = 'support-desk', seed, readings = [], clock = '10x', signal } = options
  const { allowDeliveriesTo, allowFiles, extend = [], variables, kill, vary = varyKinds } = options
  const layers = requestedLayers(readings)
  const scenario = await FuzzedScenario.load(name, { readings: layers, allowFiles, extend })
  const client = new CommandClient({
    ...{ command, flags: options.flags, scenario: name, clock, allowDeliveriesTo, variables, signal, kill },
  })
  let recording: Fuzzed['recording']
  const within = longestRun * (speedOf(clock) || 1)
  const prepared = await ifNotInterrupted(prepareJudging(scenario, client, within, vary))
  const { base, facts, relied, problem, played = client.played } = prepared ?? {}
  if (base?.passed) refuseIfNothingAsked(base.requests)
  if (!base || !facts) return report({ interrupted: !prepared, already_fails: problem ?? null, played })
  const pool = poolOf({ document: scenario.document, initialState: scenario.initialState, base, relied })
  const receives = base.deliveries.some(({ attempts }) => attempts.some(({ response }) => response !== null))
  const { jobs = receives ? 1 : 2 * availableParallelism() } = options
  const result = await new PlanSearch({ ...options, scenario, client, facts, pool, kinds: vary, jobs }).run()
  const findings: ReportedFinding[] = []
  const flaky = [...result.flaky]
  for (const [index, found] of result.findings.entries()) {
    const reported = await reportFinding(found, index + 1)
    if (reported?.steady && findings.length === 0) recording = client.lastRun
    if (reported) findings.push(reported)
    else flaky.push(found)
  }
  return report({
    runs: result.runs,
    passed: findings.length === 0 && !result.interrupted,
    interrupted: result.interrupted,
    already_fails: null,
    findings,
    flaky: flaky.map(({ elements, failure: { why } }) => {
      return { story: elements.map(describeElement), why, failures: 1, repeats: 2 }
    }),
    limits: result.unreached.map(({ elements, what }) => {
      return { story: elements.map(describeElement), not_judged: [...what.values()] }
    }),
    coverage: coverageOf(scenario, seed, pool, result),
    played: result.played + played,
  })

  function report(
    outcome: Pick<FuzzReport, 'interrupted' | 'already_fails' | 'played'> & Partial<FuzzReport>,
  ): Fuzzed {
    const document: FuzzReport = {
      format: 'agent-mailbox-sim/fuzz-report',
      version: 1,
      command: client.command,
      scenario: scenario.initialState.scenario,
      seed,
      started_at: formatInstant(scenario.initialState.start),
      ...{ runs: 0, passed: false, findings: [], flaky: [], limits: [] },
      coverage: coverageOf(scenario, seed),
      ...outcome,
      again: outcome.already_fails === null ? null : replayOf(name),
      wall_ms: Math.round(elapsed()),
    }
    return { report: document, recording: recording ?? client.firstRun }
  }

  /** Writes a finding and replays its file; returns undefined if the file does not fail. */
  async function reportFinding(found: FoundPlan, number: number): Promise<ReportedFinding | undefined> {
    const { elements, failure, foundAfterRuns, shrinkRuns } = found
    const advice = adviceOn(failure, elements)
    const fileName = `${fileNameOf(scenario.initialState.scenario)}-${seed}-${number}`
    // The file has the readings.
    const again = (file: string, allowed: readonly string[]): string => {
      return replayOf(file, { without: ['--readings', '--reading'], allowed })
    }
    const how = { folder: options.out, name: fileName, seed, advice, again, allowFiles }
    const { file, allowed } = await writeFinding(scenario, found, how)
    const steady = await failsByItself(file, allowed)
    if (steady === false) return undefined
    return {
      file,
      elements,
      story: elements.map(describeElement),
      judged_by: failure.judgedBy,
      why: failure.why,
      advice,
      found_after_runs: foundAfterRuns,
      shrink_runs: shrinkRuns,
      steady,
      again: again(file, allowed),
    }
  }

  /**
   * Returns the command line that replays a scenario with the flags of this search and additional allowed
   * folders.
   */
  function replayOf(
    story: string,
    { without = [], allowed = [] }: { without?: readonly string[]; allowed?: readonly string[] } = {},
  ): string {
    const flags = [
      ...repeatedFlags(client.flags, [...searchFlags, ...without]),
      ...allowed.map((value) => ({ name: '--allow-files', value })),
    ]
    return formatCommandLine({ name: 'replay', scenario: story, flags, command: client.command })
  }

  /** Returns whether the file of a finding fails; null if the replay is interrupted. */
  async function failsByItself(file: string, allowed: readonly string[]): Promise<boolean | null> {
    const loading = { extend, allowFiles: [...(allowFiles ?? []), ...allowed] }
    const again = await ifNotInterrupted(client.play(await loadScenario(file, loading), 100_000))
    return again ? !again.passed || again.verdicts.some(({ passed }) => !passed) : null
  }
}

async function ifNotInterrupted<Value>(value: Promise<Value>): Promise<Value | undefined> {
  return value.catch((error: unknown) => {
    if (error instanceof RunError && error.code === 'interrupted') return undefined
    throw error
  })
}

function refuseIfNothingAsked(requests: number): void {
  if (requests > 0) return
  throw new RunError(
    'nothing-asked',
    'Nothing could be judged: no request came to MAILBOX_BASE_URL. Does the command use MAILBOX_BASE_URL and ' +
      'MAILBOX_API_KEY?',
  )
}

/** The options of a finding's file. */
export interface FindingFileOptions {
  readonly folder: string
  readonly name: string
  readonly seed: number
  /** Advice in a sentence. */
  readonly advice: string
  /** The folders, in addition to the project, whose files scenarios may name. */
  readonly allowFiles?: readonly string[] | undefined
  /** Returns the command line that replays a file, which may name files of these folders. */
  again(file: string, allowed: readonly string[]): string
}

/** A finding as a scenario. */
interface WrittenFinding {
  readonly file: string
  /** The folders of the code that it names, if they have to be allowed. */
  readonly allowed: readonly string[]
}

/** Returns a scenario's name in a form that is valid in a file name. */
function fileNameOf(scenario: string): string {
  return scenario.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'scenario'
}

/** Writes a finding as a scenario, with copies of the files it names except for code. */
export async function writeFinding(
  scenario: FuzzedScenario,
  { elements, failure, foundAfterRuns, shrinkRuns }: FoundPlan,
  { folder, name, seed, advice, again, allowFiles = [] }: FindingFileOptions,
): Promise<WrittenFinding> {
  await makeFolder(folder)
  const path = join(folder, `${name}.yaml`)
  const document = scenario.documentOf(elements, failure.written ? [failure.written] : [])
  const copies = new Map<string, string>()
  // A separate folder, since another finding may have other files.
  const files = `${name}.files`
  const code = new Set<string>()
  const beside = mapPaths(document, (file) => {
    if (!isAbsolute(file)) return file
    // A copy of code would lack what it imports.
    if (/\.[cm]?[jt]s$/.test(file)) {
      code.add(file)
      return relative(folder, file).replaceAll('\\', '/')
    }
    // Names stay: clients see those of attachments.
    const copy = copies.get(file) ?? join(files, `${copies.size + 1}`, basename(file)).replaceAll('\\', '/')
    copies.set(file, copy)
    return copy
  })
  for (const [file, copy] of copies) await cp(file, join(folder, copy), { recursive: true })
  const comment = [
    `Found by agent-mailbox-sim fuzz with seed ${seed}, in run ${foundAfterRuns}, and reduced in ${counted(shrinkRuns, 'run')}.`,
    `Failure: ${failure.why}`,
    ...elements.map((element) => `  - ${describeElement(element)}`),
    `Advice: ${advice}`,
  ].map(oneLine)
  // Complete, since it is meant to be pasted into a shell.
  const allowed = new Set<string>()
  for (const file of code) if (!(await mayRead(path, file, allowFiles))) allowed.add(dirname(file))
  comment.push(`Replay: npx ${again(path, [...allowed])}`)
  await writeFile(path, await formatScenarioDocument(beside, comment.join('\n')))
  return { file: path, allowed: [...allowed] }
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').slice(0, 400)
}

/** Returns advice about a failure under the elements of a plan, in a sentence. */
export function adviceOn({ judgedBy }: ClientFailure, elements: readonly PlanElement[]): string {
  const isInvariant = judgedBy !== 'command' && judgedBy !== 'expectation'
  return isInvariant ? invariants[judgedBy].advice : adviceUnder(elements)
}

/** How a command plays stories. */
export type CommandClientOptions = Pick<
  ReplayOptions,
  'scenario' | 'clock' | 'allowDeliveriesTo' | 'variables' | 'signal' | 'kill'
> & { readonly command: readonly string[]; readonly flags?: readonly TypedFlag[] | undefined }

/** Starts a command for each story, with its own server. */
export class CommandClient implements Client {
  readonly #options: CommandClientOptions
  /** The command, secrets masked once it has run. */
  command: readonly string[]
  /** The flags of the command line, secrets masked once it has run. */
  flags: readonly TypedFlag[]
  /** The number of completed runs. */
  played = 0
  /** Records the world of the first run, and of the last one. */
  firstRun: (() => RecordedRun) | undefined
  lastRun: (() => RecordedRun) | undefined

  constructor(options: CommandClientOptions) {
    this.#options = options
    this.command = options.command
    this.flags = options.flags ?? []
  }

  async play(story: Story, maxRequests: number): Promise<PlayedStory> {
    const { signal, ...options } = this.#options
    const endless = new AbortController()
    const line = new FailureLine()
    let requests = 0
    const { report, server } = await replayAndKeep({
      ...options,
      initialState: story,
      signal: AbortSignal.any([endless.signal, ...(signal ? [signal] : [])]),
      watcher: {
        wrote: (lines) => line.add(lines),
        happened({ type }) {
          // A client that never ends is stopped; the invariant `ends` reports it.
          if (type === 'exchange' && ++requests > maxRequests) endless.abort()
        },
      },
    })
    try {
      if (signal?.aborted) throw new RunError('interrupted', 'Interrupted.')
      const { command, waiting } = report
      const verdicts = report.verdicts.filter(({ index }) => !waiting?.not_judged.includes(index))
      const passed = command?.passed !== false
      const why = passed ? null : (line.best ?? command?.problem ?? 'failed')
      this.played++
      this.lastRun = () => recordWorld(server.simulator, verdicts)
      this.firstRun ??= this.lastRun
      this.command = command?.command ?? this.command
      this.flags = hideSecretFlags(this.flags, (words) => hideSecretArguments(words, server))
      const shown = why?.replaceAll(server.url, '$MAILBOX_BASE_URL') ?? null
      const isEnded = command?.ended === 'by-itself'
      const end = { passed, ended: isEnded, why: shown, waiting: waiting && describeWait(waiting) }
      return playedStoryOf(server.simulator, end, verdicts)
    } finally {
      await server.close()
    }
  }
}
