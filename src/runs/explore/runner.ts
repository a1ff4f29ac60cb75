import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../base/text.js'
import { type RunningServer, startServer } from '../../doors/server/index.js'
import { type ClockMode, type ReadingsLayer, stopwatch } from '../../service/world/index.js'
import type { Story } from '../../story/index.js'
import { clientEnvironment } from '../agent/client-environment.js'
import { FailureLine } from '../agent/command-output.js'
import { runCommand } from '../agent/run-command.js'
import { RunError } from '../errors.js'
import { ClientWaits } from '../pace/client-waits.js'
import type { ReplayOptions } from '../replay/replay.js'
import {
  hideRunDetails,
  hideSecretArguments,
  hideSecretFlags,
  recordWorld,
  type TypedFlag,
} from '../reports/index.js'
import { type Changes, combineChanges, countChanges, formatForEnvironment, listChanges } from './changes.js'
import { parseTrace } from './relied.js'
import type { WantedGaps } from './survey.js'
import type { RunResult } from './variants.js'

/** Observes runs. */
export interface RunWatcher {
  /** Variants that the command is about to be run under, including one without changes. */
  planned?(variants: readonly Changes[]): void
  started?(changes: Changes): void
  ended?(result: RunResult): void
}

/** The options of an exploration. */
export interface ExploreOptions
  extends Pick<
    ReplayOptions,
    | 'seed'
    | 'clock'
    | 'allowFiles'
    | 'allowDeliveriesTo'
    | 'extend'
    | 'variables'
    | 'onProgress'
    | 'signal'
    | 'kill'
  > {
  readonly command: readonly string[]
  /** The flags of the command line, for the command lines that repeat a failure. */
  readonly flags?: readonly TypedFlag[] | undefined
  /** A shipped name or a path; `support-desk` by default. */
  readonly scenario?: string | undefined
  /** Readings for all runs; they override the environment's and the scenario's. */
  readonly readings?: readonly ReadingsLayer[] | undefined
  /** `relied` by default. */
  readonly gaps?: WantedGaps | undefined
  /**
   * The number of runs at a time. By default as many as there are processors, or one if the command receives
   * deliveries, since two runs cannot share the address.
   */
  readonly jobs?: number | undefined
  /**
   * The wall time that each run may take, in milliseconds, in addition to the waits that responses require.
   * By default, the first may take five minutes, and each of the others ten times as long as the first took:
   * at least half a minute and at most five.
   */
  readonly timeLimit?: number | undefined
  readonly watcher?: RunWatcher | undefined
  /** Whether the first run is recorded, for a report in HTML. */
  readonly recorded?: boolean | undefined
}

/** The options that all runs share. */
interface RunnerOptions extends ExploreOptions {
  readonly scenario: string
  readonly initialState: Story
  readonly clock: ClockMode
  readonly chosen: Changes
  /** A private folder for traces. */
  readonly folder: string
}

/** The bounds of a run's default time limit, in milliseconds. */
const timeLimits = { minimum: 30_000, maximum: 300_000 }

/** Runs the command with its own server and trace, and compares later runs with the first. */
export class Runner {
  readonly #options: RunnerOptions
  #timeLimit: number
  /** Lines of the first run that look like failures. */
  #known: ReadonlySet<string> = new Set()
  /** The command of the first run, secrets masked. */
  command: readonly string[] = []
  /** The flags of the command line, secrets masked. */
  flags: readonly TypedFlag[] = []
  /** The number of runs of the command. */
  runs = 0

  constructor(options: RunnerOptions) {
    this.#options = options
    this.#timeLimit = options.timeLimit ?? timeLimits.maximum
  }

  /** Makes the run with which the others are compared. @throws RunError */
  async first(): Promise<RunResult> {
    this.#options.watcher?.planned?.([{}])
    const result = await this.run({})
    const tenfold = Math.min(timeLimits.maximum, Math.max(timeLimits.minimum, 10 * result.wall_ms))
    this.#timeLimit = this.#options.timeLimit ?? tenfold
    return result
  }

  /** Runs the command under changed readings. @throws RunError `interrupted` */
  readonly run = async (changes: Changes): Promise<RunResult> => {
    const { signal, watcher, folder } = this.#options
    if (signal?.aborted)
      throw new RunError('interrupted', 'Interrupted before the first run; nothing was explored.')
    watcher?.started?.(changes)
    const trace = join(folder, `run-${++this.runs}.jsonl`)
    try {
      const result = await this.#run(changes, trace)
      watcher?.ended?.(result)
      return result
    } finally {
      await rm(trace, { force: true })
    }
  }

  async #run(changes: Changes, trace: string): Promise<RunResult> {
    const elapsed = stopwatch()
    const { command, flags = [], variables, signal, kill } = this.#options
    const readings = combineChanges([...listChanges(this.#options.chosen), ...listChanges(changes)])
    const chosen = formatForEnvironment(readings) || undefined
    const { scenario, initialState, clock, allowDeliveriesTo } = this.#options
    const server = await startServer({
      ...{ scenario, initialState, seed: initialState.seed, clock, allowDeliveriesTo, trace, port: 0 },
      // As if they came from the environment, like those of simulators inside the command.
      readings: [{ from: 'MAILBOX_SIM_READINGS', input: chosen }],
      onUndocumented: countChanges(changes) === 0 ? undefined : () => undefined,
    })
    // A limit would never expire on a frozen clock.
    const waits = new ClientWaits(server.simulator, { passes: clock === 'frozen' })
    const shown = (text: string): string => {
      return hideRunDetails(text.replaceAll(trace, '$MAILBOX_SIM_TRACE'), server, command)
    }
    try {
      const failure = new FailureLine(this.#known)
      const end = await runCommand(command, {
        env: {
          ...clientEnvironment(server, variables),
          MAILBOX_SIM_READINGS: chosen,
          MAILBOX_SIM_TRACE: trace,
        },
        timeLimit: this.#timeLimit,
        moreTime: () => Math.min(1000 * waits.seconds, timeLimits.maximum),
        signal,
        kill,
        onLines: (lines) => failure.add(lines),
      })
      const { ended, problem, output, notes } = end
      if (ended === 'stopped') throw new RunError('interrupted', shown(describeInterruption(server, output)))
      const isFirst = this.command.length === 0
      if (isFirst) {
        this.command = hideSecretArguments(command, server)
        this.flags = hideSecretFlags(flags, (words) => hideSecretArguments(words, server))
        this.#known = failure.seen
      }
      const passed = ended === 'by-itself' && end.status === 0
      // The output before a kill rarely explains it.
      const line = ended === 'by-itself' && end.signal === null ? failure.best : undefined
      const { journal, deliveries } = server.simulator
      return {
        changes,
        passed,
        ended,
        problem: problem === null ? null : shown(problem),
        why: passed ? null : shown(line ?? problem ?? 'failed'),
        output: passed ? '' : shown(output),
        notes: notes.map(shown),
        relied: parseTrace(await readFile(trace, 'utf8').catch(() => '')),
        requests: journal.entries().length,
        receives: deliveries
          .list()
          .some(({ attempts }) => attempts.some(({ response }) => response !== null)),
        wall_ms: Math.round(elapsed()),
        recording: this.#options.recorded && isFirst ? recordWorld(server.simulator, []) : undefined,
      }
    } finally {
      waits.close()
      await server.close()
    }
  }
}

/** Describes an interrupted first run; the report covers later runs. */
function describeInterruption({ simulator }: RunningServer, output: string): string {
  const entries = simulator.journal.entries()
  const { method, path } = entries.at(-1)?.showWithoutBodies() ?? {}
  const latest = method === undefined ? '' : ` (the latest: ${method} ${path})`
  const said = output.trimEnd().split('\n').at(-1)
  const words = said ? ` It last said: ${said}` : ''
  return `Interrupted in the first run, after ${counted(entries.length, 'request')}${latest}; nothing was explored.${words}`
}
