import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type CommandEnd, runCommand } from '../replay/command/index.js'
import { portableText } from '../replay/portable-text.js'
import { type RunningServer, startServer } from '../server/index.js'
import { type Beginning, type ClockMode, type Delivery, stopwatch } from '../world/index.js'
import { type Changes, changesOf, formatChanges, listChanges } from './changes.js'
import { ExploreError } from './explore-error.js'
import { parseTrace } from './relied.js'
import { TellingLine } from './telling-line.js'
import type { Trial } from './trial.js'

/** What every run of the command has in common. */
export interface TrialSetting {
  readonly command: readonly string[]
  /** The scenario by its name or path, and as it was loaded. */
  readonly scenario: string
  readonly beginning: Beginning
  readonly clock: ClockMode
  readonly allowDeliveriesTo: readonly string[] | undefined
  /** The readings that were chosen for all runs. */
  readonly chosen: Changes
  /** A folder for traces, which nobody else writes to. */
  readonly folder: string
}

/** What a run has of its own. */
export interface TrialRun {
  readonly changes: Changes
  /** The name of its trace, which no other run has. */
  readonly name: string
  /** Milliseconds of wall time. */
  readonly timeLimit: number
  /** Has the run ended. */
  readonly signal: AbortSignal
  /** Lines that look like failures and that the command writes when it passes. */
  readonly known: ReadonlySet<string>
}

/** A run, and what is worth keeping of it for others. */
export interface CommandTrial {
  readonly trial: Trial
  /** The lines of it that look like failures. */
  readonly seen: ReadonlySet<string>
  /** The command, with keys masked. */
  readonly command: readonly string[]
}

/** Runs the command once, with a server and a trace of its own. @throws ExploreError `interrupted` */
export async function runTrial(setting: TrialSetting, run: TrialRun): Promise<CommandTrial> {
  const elapsed = stopwatch()
  const trace = join(setting.folder, `${run.name}.jsonl`)
  const readings = changesOf([...listChanges(setting.chosen), ...listChanges(run.changes)])
  const server = await startServerFor(setting, readings, trace)
  try {
    const telling = new TellingLine(run.known)
    const end = await runCommand(setting.command, {
      env: environmentFor(server, trace, readings),
      timeLimit: run.timeLimit,
      signal: run.signal,
      onLines: (lines) => telling.add(lines),
    })
    const { ended } = end
    if (ended === 'told') throw new ExploreError('interrupted', 'Interrupted; every run was ended.')
    const relied = parseTrace(await textOf(trace))
    const requests = server.simulator.journal.entries().length
    const receives = server.simulator.deliveries.list().some(wasReceived)
    const shown = (text: string): string => {
      return portableText(text.replaceAll(trace, '$MAILBOX_SIM_TRACE'), server)
    }
    const verdict = verdictOf({ ...end, ended }, telling.best, shown)
    const figures = { requests, receives, wallMs: Math.round(elapsed()) }
    const trial = { changes: run.changes, ...verdict, relied, ...figures }
    return { trial, seen: telling.seen, command: setting.command.map(shown) }
  } finally {
    await server.close()
    await rm(trace, { force: true })
  }
}

function startServerFor(
  { scenario, beginning, clock, allowDeliveriesTo }: TrialSetting,
  readings: Changes,
  trace: string,
): Promise<RunningServer> {
  // As if they came from the environment, like those of simulators inside the command.
  const chosen = { from: 'MAILBOX_SIM_READINGS', input: formatChanges(readings) || undefined }
  const { seed } = beginning
  const world = { scenario, beginning, seed, clock, readings: [chosen], trace }
  return startServer({ ...world, allowDeliveriesTo, port: 0 })
}

function environmentFor({ url, controlUrl, simulator }: RunningServer, trace: string, readings: Changes) {
  return {
    MAILBOX_BASE_URL: url,
    MAILBOX_API_KEY: simulator.apiKey,
    MAILBOX_SIM_URL: controlUrl,
    MAILBOX_SIM_READINGS: formatChanges(readings) || undefined,
    MAILBOX_SIM_TRACE: trace,
  }
}

/** A command that nobody told to end. */
type EndedCommand = CommandEnd & Pick<Trial, 'ended'>

type Verdict = Pick<Trial, 'passed' | 'ended' | 'problem' | 'why' | 'output' | 'notes'>

function verdictOf(end: EndedCommand, telling: string | undefined, shown: (text: string) => string): Verdict {
  const passed = end.ended === 'by-itself' && end.status === 0
  // Of a command that was ended, what it wrote by then is seldom the reason.
  const told = end.ended === 'by-itself' && end.signal === null ? telling : undefined
  return {
    passed,
    ended: end.ended,
    problem: end.problem,
    why: passed ? null : shown(told ?? end.problem ?? 'failed'),
    output: passed ? '' : shown(end.output),
    notes: end.notes.map(shown),
  }
}

function wasReceived({ attempts }: Delivery): boolean {
  return attempts.some(({ response }) => response !== null)
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    // Nothing was relied on, so nobody has written it.
    return ''
  }
}
