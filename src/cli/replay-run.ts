import { parseVolatileList, type Replayed, type ReplayOptions, replayAndKeep } from '../replay/index.js'
import { formatMarkdown } from '../replay/reporters/index.js'
import { FailedRun } from './failure.js'
import { type Interruption, listenForInterruption } from './interruption.js'
import { isSeen, withProgress } from './progress-line.js'
import type { ReplayFlags } from './replay.js'
import { createProgressInLines, ProgressOnTerminal, type ReplayProgress } from './replay-progress.js'
import { placeOf, writeReport } from './replay-results.js'
import { serverOptionsOf } from './server-flags.js'
import { appendStepSummary } from './step-summary.js'
import { paintFor } from './terminal.js'

/** Replays a scenario as the flags have it, and says what became of it. @throws FailedRun where it failed */
export async function runReplay(
  scenario: string,
  words: readonly string[],
  flags: ReplayFlags,
): Promise<void> {
  const reporter = flags.reporter ?? (flags.json ? 'json' : undefined)
  const place = flags.out === undefined ? undefined : await placeOf(flags.out, reporter)
  const volatile = (flags.volatile ?? []).flatMap(parseVolatileList)
  const interruption = listenForInterruption()
  try {
    const command = words.length > 0 ? words : undefined
    const trace = place?.is === 'folder' ? place.trace : undefined
    const options = {
      ...serverOptionsOf(flags),
      ...storyOptionsOf(flags),
      scenario,
      command,
      volatile,
      trace,
    }
    const replayed = await play(options, flags, interruption)
    try {
      await writeReport(replayed, reporter ?? 'human', place)
      await appendStepSummary(formatMarkdown(replayed.report))
      if (flags.keep) await keep(replayed, interruption)
    } finally {
      await replayed.server.close()
    }
    if (!replayed.report.passed) throw new FailedRun()
  } finally {
    interruption.end()
  }
}

function storyOptionsOf(flags: ReplayFlags): ReplayOptions {
  const { clock, grace, ready, readyTimeout, record, compare } = flags
  return { clock, grace, ready, readyTimeout, record, compare }
}

/** Plays it, with its progress on the error stream. */
async function play(
  options: ReplayOptions & { readonly scenario: string },
  { verbose }: ReplayFlags,
  { signal }: Interruption,
): Promise<Replayed> {
  const { stderr } = process
  const progress: ReplayProgress = isSeen(stderr, process.env)
    ? new ProgressOnTerminal(stderr, paintFor(stderr))
    : createProgressInLines(stderr, verbose === true)
  try {
    return await withProgress(options.scenario, undefined, (onProgress) => {
      return replayAndKeep({ ...options, onProgress, signal, watcher: progress })
    })
  } finally {
    progress.end()
  }
}

/** Leaves the server as it is until somebody asks for the end. */
async function keep({ server }: Replayed, { signal }: Interruption): Promise<void> {
  process.stderr.write(
    `\nThe server is left as it is, at ${server.url} (control ${server.controlUrl}). Ctrl-C stops it.\n`,
  )
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
