import type { Command } from 'commander'
import { invocation } from '../../contract/package.js'
import type { Replayed, ReplayOptions } from '../../replay/options.js'
import { replayAndKeep } from '../../replay/replay.js'
import { prepareResults, replayReport, writeResults } from '../../replay/report.js'
import { recordWorld, type TypedFlag } from '../../reports/index.js'
import { InputError, type Interruption, interruptible } from '../failure.js'
import { type ClientFlags, type ServerFlags, serverOptionsOf } from '../flags.js'
import { ReplayProgress } from '../replay-progress.js'
import { explained, failUnlessPassed, reportPlace, writeReport } from '../report-output.js'
import { Progress, styleFor, withLoadingLine } from '../terminal.js'
import { parseClientCommand } from './arguments.js'

interface ReplayFlags extends ServerFlags, ClientFlags {
  readonly grace?: number
  readonly ready?: string
  readonly readyTimeout?: number
  readonly allowEmpty?: true
  readonly json?: true
  readonly keep?: true
}

/** Plays a story to an agent, and reports what came of it. */
export async function runReplay(
  flags: ReplayFlags,
  line: Command,
  typed: readonly TypedFlag[],
): Promise<void> {
  const { scenario, command } = parseClientCommand(line, typed)
  const example = `${invocation} replay refund-request -- python my_agent.py`
  if (scenario === undefined) throw new InputError(`replay needs a scenario: ${example}`)
  await interruptible((interruption) => replayAndReport(scenario, command, flags, interruption))
}

async function replayAndReport(
  scenario: string,
  words: readonly string[],
  flags: ReplayFlags,
  interruption: Interruption,
): Promise<void> {
  const chosen = flags.reporter ?? (flags.json ? 'json' : undefined)
  const place = flags.out === undefined ? undefined : await reportPlace(flags.out, chosen)
  const { grace, clock, ready, readyTimeout, allowEmpty } = flags
  const options = {
    ...serverOptionsOf(flags),
    ...{ clock, grace, ready, readyTimeout, allowEmpty },
    scenario,
    command: words.length > 0 ? words : undefined,
    variables: flags.env,
    trace: place?.is === 'folder' ? await explained(place.path, () => prepareResults(place.path)) : undefined,
  }
  const replayed = await play(options, flags, interruption)
  const { simulator } = replayed.server
  const recording = () => recordWorld(simulator, replayed.report.verdicts)
  const report = { ...replayReport(replayed.report), recording }
  try {
    await writeReport(report, {
      format: chosen ?? 'human',
      place,
      writeFolder: (path) => writeResults(path, report, simulator),
    })
    if (flags.keep) await keep(replayed, interruption)
  } finally {
    await replayed.server.close()
  }
  failUnlessPassed(report)
}

/** Plays the story, with its progress on the error stream. */
async function play(
  options: ReplayOptions & { readonly scenario: string },
  { verbose }: ReplayFlags,
  { signal, kill }: Interruption,
): Promise<Replayed> {
  const watcher = new ReplayProgress(new Progress(), styleFor(process.stderr), verbose === true)
  try {
    return await withLoadingLine(options.scenario, undefined, (onProgress) => {
      return replayAndKeep({ ...options, onProgress, signal, kill, watcher })
    })
  } finally {
    watcher.end()
  }
}

/** Keeps the server running until an interruption. */
async function keep({ server }: Replayed, { signal }: Interruption): Promise<void> {
  if (signal.aborted) return
  process.stderr.write(
    `\nThe server is still running at ${server.url} (control ${server.controlUrl}). Ctrl-C stops it.\n`,
  )
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
