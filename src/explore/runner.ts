import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../contract/text.js'
import { FailureLine } from '../processes/failure-line.js'
import {
  type ClientVariables,
  type CommandEnd,
  clientEnvironment,
  runCommand,
} from '../processes/run-command.js'
import { RunError } from '../replay/errors.js'
import { hideRunDetails, hideSecretArguments, recordWorld } from '../reports/index.js'
import { type RunningServer, type ServerOptions, startServer } from '../server/index.js'
import { type ClockMode, type Delivery, type InitialState, stopwatch } from '../world/index.js'
import { type Changes, changesOf, countChanges, formatForEnvironment, listChanges } from './changes.js'
import { parseTrace } from './relied.js'
import type { RunEnd, RunResult } from './variants.js'

/** Is notified of runs. */
export interface RunWatcher {
  /** Variants that the command is about to be run under, one without changes included. */
  planned?(variants: readonly Changes[]): void
  started?(changes: Changes): void
  ended?(result: RunResult): void
}

/** How a command is run. */
export interface RunOptions {
  readonly command: readonly string[]
  /** Receivers of events beyond this machine, as `host` or `host:port`. */
  readonly allowDeliveriesTo?: readonly string[] | undefined
  /** Further variables of the command's environment. */
  readonly variables?: ClientVariables | undefined
  /** Milliseconds of wall time for each run; see `ExploreOptions`. */
  readonly timeLimit?: number | undefined
  readonly watcher?: RunWatcher | undefined
  /** Whether the first run is recorded, for a report in HTML. */
  readonly recorded?: boolean | undefined
  /** Interrupts the runs. */
  readonly signal?: AbortSignal | undefined
  readonly kill?: AbortSignal | undefined
}

/** What all runs have in common. */
export interface RunnerOptions extends RunOptions {
  /** The scenario by its name or path, and as it was loaded. */
  readonly scenario: string
  readonly initialState: InitialState
  readonly clock: ClockMode
  readonly chosen: Changes
  /** A folder for traces that nobody else writes to. */
  readonly folder: string
}

/** Milliseconds that a run may take by default, at least and at most. */
const timeLimits = { least: 30_000, most: 300_000 }

/** Runs the command with a server and a trace of its own, and compares later runs with the first. */
export class Runner {
  readonly #options: RunnerOptions
  #timeLimit: number
  /** Lines of the first run that look like failures. */
  #known: ReadonlySet<string> = new Set()
  #command: readonly string[] = []
  #runs = 0

  constructor(options: RunnerOptions) {
    this.#options = options
    this.#timeLimit = options.timeLimit ?? timeLimits.most
  }

  /** The command of the first run, secrets masked. */
  get command(): readonly string[] {
    return this.#command
  }

  /** How often the command was run. */
  get runs(): number {
    return this.#runs
  }

  /** Does the run that the others are compared with. @throws RunError */
  async first(): Promise<RunResult> {
    this.#options.watcher?.planned?.([{}])
    const result = await this.run({})
    const tenfold = Math.min(timeLimits.most, Math.max(timeLimits.least, 10 * result.wallMs))
    this.#timeLimit = this.#options.timeLimit ?? tenfold
    return result
  }

  /** Runs the command under changed readings. @throws RunError `interrupted` */
  readonly run = async (changes: Changes): Promise<RunResult> => {
    const { signal, watcher, folder } = this.#options
    if (signal?.aborted)
      throw new RunError('interrupted', 'Interrupted before the first run; nothing was explored.')
    watcher?.started?.(changes)
    const trace = join(folder, `run-${++this.#runs}.jsonl`)
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
    const { command, chosen, variables, signal, kill } = this.#options
    const readings = changesOf([...listChanges(chosen), ...listChanges(changes)])
    const tell = countChanges(changes) === 0 ? undefined : () => undefined
    const server = await startServerFor(this.#options, readings, { trace, onUndocumented: tell })
    try {
      const failure = new FailureLine(this.#known)
      const end = await runCommand(command, {
        env: {
          ...clientEnvironment(server, variables),
          MAILBOX_SIM_READINGS: formatForEnvironment(readings) || undefined,
          MAILBOX_SIM_TRACE: trace,
        },
        timeLimit: this.#timeLimit,
        signal,
        kill,
        onLines: (lines) => failure.add(lines),
      })
      const { ended } = end
      const shown = (text: string): string => {
        return hideRunDetails(text.replaceAll(trace, '$MAILBOX_SIM_TRACE'), server, command)
      }
      const isFirst = this.#command.length === 0
      if (ended === 'stopped')
        throw new RunError('interrupted', shown(describeInterruption(server, end.output)))
      if (isFirst) {
        this.#command = hideSecretArguments(command, server)
        this.#known = failure.seen
      }
      return {
        changes,
        ...describeRunEnd({ ...end, ended }, failure.best, shown),
        relied: parseTrace(await readFile(trace, 'utf8').catch(() => '')),
        requests: server.simulator.journal.entries().length,
        receives: server.simulator.deliveries.list().some(wasReceived),
        wallMs: Math.round(elapsed()),
        recording: this.#options.recorded && isFirst ? recordWorld(server.simulator, []) : undefined,
      }
    } finally {
      await server.close()
    }
  }
}

function startServerFor(
  { scenario, initialState, clock, allowDeliveriesTo }: RunnerOptions,
  readings: Changes,
  told: Pick<ServerOptions, 'trace' | 'onUndocumented'>,
): Promise<RunningServer> {
  // As if they came from the environment, like those of simulators inside the command.
  const chosen = { from: 'MAILBOX_SIM_READINGS', input: formatForEnvironment(readings) || undefined }
  const { seed } = initialState
  const world = { scenario, initialState, seed, clock, readings: [chosen], ...told }
  return startServer({ ...world, allowDeliveriesTo, port: 0 })
}

/** What is known of a first run that was interrupted; later ones are in the report of those before them. */
function describeInterruption({ simulator }: RunningServer, output: string): string {
  const entries = simulator.journal.entries()
  const { method, path } = entries.at(-1)?.showWithoutBodies() ?? {}
  const latest = method === undefined ? '' : ` (the latest: ${method} ${path})`
  const said = output.trimEnd().split('\n').at(-1)
  const words = said ? ` It last said: ${said}` : ''
  return `Interrupted in the first run, after ${counted(entries.length, 'request')}${latest}; nothing was explored.${words}`
}

function describeRunEnd(
  end: CommandEnd & Pick<RunEnd, 'ended'>,
  failureLine: string | undefined,
  shown: (text: string) => string,
): RunEnd {
  const passed = end.ended === 'by-itself' && end.status === 0
  // What a command wrote before it was killed is seldom the reason.
  const line = end.ended === 'by-itself' && end.signal === null ? failureLine : undefined
  return {
    passed,
    ended: end.ended,
    problem: end.problem === null ? null : shown(end.problem),
    why: passed ? null : shown(line ?? end.problem ?? 'failed'),
    output: passed ? '' : shown(end.output),
    notes: end.notes.map(shown),
  }
}

function wasReceived({ attempts }: Delivery): boolean {
  return attempts.some(({ response }) => response !== null)
}
